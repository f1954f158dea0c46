#include "graph/unit_record.h"

namespace retest {

std::vector<ExternalHeader> externalHeadersOf(const std::vector<FileInput> &inputs, Names &names) {
  std::vector<ExternalHeader> headers;
  for (const FileInput &input : inputs)
    if (input.seen != Fingerprint{})
      headers.push_back({names.intern(input.path), input.seen});
  return headers;
}

} // namespace retest
