# retest_llvm and retest_clang: what the modules link of LLVM and Clang.
#
# By default the shared libraries: small programs, quick to link. But the loader has 560,000 addresses to
# fill in before such a program begins, 16 ms of each command and most of `retest who`. With
# RETEST_STATIC_LLVM a program holds what it uses of LLVM (55 MB in retest) and starts in 6 ms, not in 22.
#
# A program must not have both, since LLVM would be in it twice. So Clang's libraries are taken as files: where
# they were built upon the shared LLVM, as Debian's were, their targets bring it along.
option(RETEST_STATIC_LLVM "Link LLVM and Clang into the programs, which start faster" OFF)

add_library(retest_llvm INTERFACE)
add_library(retest_clang INTERFACE)
if(RETEST_STATIC_LLVM)
  llvm_map_components_to_libnames(llvm_libraries support object option coverage profiledata
    frontenddriver frontendhlsl frontendoffloading frontendopenmp windowsdriver)
  target_link_libraries(retest_llvm INTERFACE ${llvm_libraries})
  # They ask for a solver that nothing in them calls.
  target_link_options(retest_llvm INTERFACE -Wl,--as-needed -Wl,--gc-sections)

  set(clang_libraries)
  foreach(part Tooling ToolingCore Frontend Driver Serialization Parse Sema APINotes Analysis
      ASTMatchers AST Edit Rewrite Lex Support Basic)
    list(APPEND clang_libraries $<TARGET_FILE:clang${part}>)
  endforeach()
  target_link_libraries(retest_clang INTERFACE
    -Wl,--start-group ${clang_libraries} -Wl,--end-group retest_llvm)
else()
  target_link_libraries(retest_llvm INTERFACE LLVM)
  target_link_libraries(retest_clang INTERFACE clang-cpp)
endif()
