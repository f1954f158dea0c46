# retest_module(<name> SOURCES ... [USES ...]): one static library per folder.
#
# USES is the module's "may use" list: target_link_libraries passes on nothing else, so an
# include of a module that is not listed fails to link, in its test program at the latest.
function(retest_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  add_library(retest_${name} STATIC ${arg_SOURCES})
  target_include_directories(retest_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_include_directories(retest_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(retest_${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_compile_options(retest_${name} PRIVATE -Wall -Wextra -Wpedantic
    -Werror=unused-result -Wno-unused-parameter)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(retest_${name} PRIVATE -fno-rtti)
  endif()
  target_link_libraries(retest_${name} PUBLIC ${arg_USES})
endfunction()

separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
