# cmake -DSOURCES=a;b -DOUTPUT=file.h -P hash_sources.cmake
#
# Writes a header with a hash of some sources, and leaves it alone if the hash is the same.
set(all "")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 all "${all}")
string(SUBSTRING ${all} 0 16 short)
set(text "#pragma once\n\n#include <cstdint>\n\nnamespace retest {\n\n/// Of the sources of the extraction, and of what reads counters.\ninline constexpr std::uint64_t kExtractionVersion = 0x${short};\n\n} // namespace retest\n")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
