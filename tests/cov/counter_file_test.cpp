#include "cov/counter_file.h"
#include "run/preload/protocol.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <sys/stat.h>

using namespace retest;

namespace {

std::string fileWith(const std::function<void(preload::CounterFileHeader &)> &change) {
  preload::CounterFileHeader header{};
  header.magic = preload::CounterFileHeader::kMagic;
  header.hasEnded = 1;
  header.headerSize = 4096;
  header.countersOffset = 8;
  header.countersSize = 24;
  header.buildIdSize = 2;
  header.buildId[0] = 'i';
  header.buildId[1] = 'd';
  header.process = 17;
  std::strcpy(header.module, "/bin/x");
  change(header);
  std::string data(reinterpret_cast<const char *>(&header), sizeof header);
  data.resize(4096 + 8);
  for (std::uint64_t counter : {0, 5, 1})
    data.append(reinterpret_cast<const char *>(&counter), sizeof counter);
  return data;
}

} // namespace

TEST_CASE("counter file: what it says") {
  TemporaryDirectory directory;
  std::string path = directory.write("1.counters", fileWith([](auto &) {}));
  directory.write("out", "not ours");
  std::vector<ModuleCounters> all = llvm::cantFail(takeCounterFiles(directory.path()));
  REQUIRE(all.size() == 1);
  CHECK(all[0] == ModuleCounters{"/bin/x", "id", 17, false, true, {0, 5, 1}});
  CHECK(!std::filesystem::exists(path));
  CHECK(std::filesystem::exists(directory / "out"));
}

TEST_CASE("counter file: damaged ones are refused, whatever is in them") {
  TemporaryDirectory directory;
  auto refused = [&](const std::string &data) {
    std::string path = directory.write("1.counters", data);
    llvm::Expected<ModuleCounters> counters = readCounterFile(path);
    REQUIRE(!counters);
    std::string text = llvm::toString(counters.takeError());
    return text.substr(path.size());
  };
  CHECK(refused("") == ": not a counter file: it is too short");
  CHECK(refused(std::string(3000, 'x')) == ": not a counter file");
  using Header = preload::CounterFileHeader;
  const std::function<void(Header &)> damages[] = {
      [](Header &header) { header.headerSize = 1 << 20; },
      [](Header &header) { header.countersOffset = ~std::uint64_t{0}; },
      [](Header &header) { header.countersSize = 32; },
      [](Header &header) { header.countersSize = ~std::uint64_t{7}; },
      [](Header &header) { header.countersSize = 23; },
      [](Header &header) { header.buildIdSize = 37; }};
  for (const auto &damage : damages)
    CHECK(refused(fileWith(damage)) == ": a damaged counter file");
}

TEST_CASE("counter files: what a test puts into their directory is no harm") {
  TemporaryDirectory directory;
  auto refused = [&](const std::string &name) {
    llvm::Expected<std::vector<ModuleCounters>> all = takeCounterFiles(directory.path());
    REQUIRE(!all);
    std::filesystem::remove_all(directory / name);
    return llvm::toString(all.takeError());
  };
  const std::string foreign = "among its counters: not a counter file";
  REQUIRE(mkfifo((directory / "1.counters").c_str(), 0600) == 0);
  CHECK(refused("1.counters") == foreign);
  std::filesystem::create_directory(directory / "2.counters");
  CHECK(refused("2.counters") == foreign);
  std::filesystem::create_symlink("/dev/zero", directory / "3.counters");
  CHECK(refused("3.counters") == foreign);
  std::filesystem::resize_file(directory.write("4.counters", "x"), std::uintmax_t{1} << 40);
  CHECK(refused("4.counters") == foreign);
  directory.write("5.new", "");
  CHECK(refused("5.new") == "a process did not come to keep its counters");
  CHECK(llvm::cantFail(takeCounterFiles(directory.path())).empty());
  std::filesystem::remove(directory.path());
  CHECK(refused("") == "the directory of its counters is gone");
}
