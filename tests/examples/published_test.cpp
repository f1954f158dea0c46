// The paper's four examples, from end to end: each is recorded, its published edit is applied, and
// the dangerous edges and the selected tests are those that were published.
#include "tests/cli/small_project.h"

#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

void command(const std::vector<std::string> &arguments, const std::string &directory = "") {
  llvm::Expected<ProcessResult> result =
      runProcess({.arguments = arguments, .directory = directory});
  REQUIRE(!!result);
  INFO(llvm::join(arguments, " "));
  REQUIRE_MESSAGE(result->succeeded(), result->output, result->errors);
}

/// examples/library as it is installed elsewhere: its sources are seen by nobody.
const std::string &installedLibrary() {
  static const TemporaryDirectory directory;
  static const std::string prefix = [] {
    std::string sources = directory / "sources", build = directory / "build";
    std::filesystem::copy(EXAMPLES "/library", sources, std::filesystem::copy_options::recursive);
    command(
        {"cmake", "-S", sources, "-B", build, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-19"});
    command({"cmake", "--build", build});
    command({"cmake", "--install", build, "--prefix", directory / "prefix"});
    std::filesystem::remove_all(sources);
    std::filesystem::remove_all(build);
    return directory / "prefix";
  }();
  return prefix;
}

/// An example in a repository of its own, recorded, and then edited as published.
class EditedExample {
public:
  explicit EditedExample(const std::string &name) : root_(directory_ / name) {
    std::filesystem::copy(EXAMPLES "/" + name, root_, std::filesystem::copy_options::recursive);
    command({"git", "init", "-q"}, root_);
    command({"git", "add", "."}, root_);
    command({"git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"}, root_);
    retest({"init", "--", "-DCMAKE_PREFIX_PATH=" + installedLibrary()});
    retest({"record"});
    command({"git", "apply", "-p0", "edit.patch"}, root_);
  }

  llvm::json::Object json(const std::string &name) const {
    return std::move(
        *llvm::cantFail(llvm::json::parse(retest({name, "--format", "json"}))).getAsObject());
  }

private:
  std::string retest(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-q", "-C", root_});
    Outcome outcome = runRetest(arguments);
    INFO(llvm::join(arguments, " "));
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  }

  TemporaryDirectory directory_;
  std::string root_;
};

std::string text(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

/// "f: x > 0 -T-> return 1; external code -B-> *"
std::string dangerous(const llvm::json::Object &delta) {
  std::vector<std::string> found;
  for (const llvm::json::Value &value : *delta.getArray("edges")) {
    const llvm::json::Object &edge = *value.getAsObject();
    std::string label = text(edge, "label");
    std::string arrow = label.empty() ? "->" : "-" + label + "->";
    const llvm::json::Object *from = edge.getObject("from");
    found.push_back(text(edge, "function") + ": " + (from ? text(*from, "text") + " " : "") +
                    arrow + " " + text(*edge.getObject("to"), "text"));
  }
  for (const llvm::json::Value &value : *delta.getArray("class_entries")) {
    const llvm::json::Object &entry = *value.getAsObject();
    found.push_back("external code -" + text(entry, "class") + "-> " + text(entry, "method"));
  }
  for (const llvm::json::Value &value : *delta.getArray("programs"))
    found.push_back("every run of " + text(*value.getAsObject(), "name"));
  return llvm::join(found, "; ");
}

std::string tests(const llvm::json::Object &selection, llvm::StringRef key) {
  std::vector<std::string> names;
  for (const llvm::json::Value &test : *selection.getArray(key))
    names.push_back(text(*test.getAsObject(), "name"));
  return llvm::join(names, " ");
}

} // namespace

TEST_CASE("the paper's examples: dangerous edges and selected tests as published") {
  struct Row {
    const char *example, *dangerous, *selected, *skipped;
  };
  const Row rows[] = {
      // (4,5), and (6,7): a node holds the statements from 6 on, so the edge is the one that leads
      // to it.
      {"avg", "avg(_IO_FILE*): n < 0 -T-> kError; avg(_IO_FILE*): n < 0 -F-> nums[count] = n",
       "t2 t3", "t1"},
      // The edge B of the call. A is external, so the library might call m on a B as well.
      {"internal_calls", "bar(A&): p.m() -B-> A::m(); external code -B-> *", "calls_b",
       "calls_a calls_c"},
      // The edge bar of C, witnessed by the entry of C::bar, and the default edge of B, witnessed
      // by what
      // makes a B.
      {"external_calls", "external code -B-> *; external code -C-> A::bar()",
       "bar_of_b bar_of_c foo_of_b", "bar_of_a foo_of_c"},
      // The edge from the try node: who comes to a handler, or lets an exception leave the try
      // block.
      // That no exception left it cannot be counted, so whoever enters the block is among them
      // (rule 13).
      {"errors",
       "digitOrCode(char, std::__cxx11::basic_string<char, std::char_traits<char>, "
       "std::allocator<char>>&): try -exception-> catch (const ParseError &) {",
       "fine other_error parse_error passes_on", "terminates"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.example);
    EditedExample example(row.example);
    llvm::json::Object delta = example.json("diff"), selection = example.json("select");
    CHECK(dangerous(delta) == row.dangerous);
    CHECK(delta.getArray("doubts")->empty());
    CHECK(text(selection, "kind") == "subset");
    CHECK(tests(selection, "selected") == row.selected);
    CHECK(tests(selection, "skipped") == row.skipped);
  }
}
