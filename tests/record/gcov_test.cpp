#include "tests/record/charges.h"

using namespace retest;

TEST_CASE("record: GCC and all frameworks") {
  RecordedCopy copy(RECORD_PROJECT, {"--gcc"});
  INFO(copy.said());
  CHECK(llvm::StringRef(copy.said()).contains("not measured, so always selected: 1\n"));
  CHECK(llvm::StringRef(copy.said()).contains("4 of 4 programs forked"));
  checkCharges(copy, "forked");
  copy.recordAs("started", {"--no-fork"});
  checkCharges(copy, "started");
  checkSameMatrix(copy, "forked", "started");
  CHECK(!copy.hasProfiles());
}

TEST_CASE("record: what is special about GCC's counters") {
  RecordedCopy project(GCC_PROJECT, {"--gcc"});
  INFO(project.said());
  // It counts where it was compiled into.
  CHECK(project.who("always") == "inlined");
  // Optimised units do not count: whoever may call it.
  CHECK(project.who("optimised(int)") == "optimised");
  CHECK(project.who("pure") == "optimised");
  // Calls that it evaluates itself do not count: whoever may have made one.
  CHECK(project.who("twice") == "computed; folded");
  // A library whose file has another name than the one it is loaded by.
  CHECK(project.who("versioned") == "forks; loadsOther; versioned");
  // Libraries that are loaded by hand.
  CHECK(project.who("inPlugin") == "forks; loadsOther; plugin");
  // A child that ends by _exit is measured, one that is killed is not.
  CHECK(project.who("inChild") == "ends");
  CHECK(project.who(project.place("tool.cpp", "return 2")) == "ends");
  CHECK(project.who(project.place("tool.cpp", "return 1")) == "");
  // The first thread has ended; that it still shows does not matter.
  CHECK(project.who("inSecond") == "second");
  // A child of a process with threads is measured, unless it loads a library with counters itself.
  CHECK(project.who("inOrphan") == "forks; loadsOther");
  const std::string lost = "its counters or output could not be kept: a child of a process with "
                           "threads has loaded a library with counters\n";
  const llvm::StringRef said = project.said();
  CHECK(said.contains("not measured, so always selected: 3\n"));
  CHECK(said.contains("    closes: " + lost));
  CHECK(said.contains("    loads: " + lost));
  CHECK(said.contains("    kills: a process of it was killed"));
  CHECK(!project.hasProfiles());
}
