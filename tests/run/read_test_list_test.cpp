#include "run/read_test_list.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("a list in XML: what is around and inside does not confuse") {
  auto tests = readDoctestList(
      "hello <b> & co\n<?xml version=\"1.0\"?>\n<doctest binary='x'>\n <Options of='two'/>\n"
      " <TestCase name=\"&lt;x&gt; &amp; &quot;y&quot;\tcaf&#xE9; &#65;\" testsuite = \"1/2>3\""
      " line='7'/>\n</doctest>\nbye <c>\n");
  REQUIRE(bool(tests));
  CHECK(*tests == std::vector<NativeTest>{{"<x> & \"y\"\tcaf\xC3\xA9 A", "1/2>3", "", 7}});
}

TEST_CASE("a list in XML that is cut or broken anywhere is an error") {
  std::string whole = "<?xml version=\"1.0\"?>\n<doctest><TestCase name=\"&lt;b\"/></doctest>";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    auto cut = readDoctestList(llvm::StringRef(whole).take_front(size));
    CHECK(!cut);
    llvm::consumeError(cut.takeError());
  }
  for (const char *xml : {"<?xml?><doctest><TestCase name=></doctest>",
                          "<?xml?><doctest><TestCase name=\"a></doctest>", "<?xml?><a></doctest>",
                          "</doctest><?xml?>"}) {
    auto broken = readDoctestList(xml);
    CHECK(!broken);
    llvm::consumeError(broken.takeError());
  }
}

TEST_CASE("a list of Catch2 version 3: names as they are, and no tests at all") {
  auto tests = readCatch2List(
      "hello\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MatchingTests>\n"
      "  <TestCase>\n    <Name>  a, [b] \\ &lt;c> ]]&gt;\td </Name>\n    <ClassName/>\n"
      "    <Tags/>\n    <SourceInfo>\n      <File>a&amp;b.cpp</File>\n      <Line>7</Line>\n"
      "    </SourceInfo>\n  </TestCase>\n</MatchingTests>\nbye\n");
  REQUIRE(bool(tests));
  CHECK(*tests == std::vector<NativeTest>{{"  a, [b] \\ <c> ]]>\td ", "", "a&b.cpp", 7}});
  // What it writes if all tests are hidden.
  auto none = readCatch2List("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MatchingTests/>");
  REQUIRE(bool(none));
  CHECK(none->empty());
}

TEST_CASE("a list of GoogleTest that is cut or something else is an error") {
  for (const char *json : {"", "{", "[]", "{}", "{\"testsuites\": 1}", "{\"testsuites\": [1]}",
                           "{\"testsuites\": [{\"name\": \"S\"}]}"}) {
    CAPTURE(json);
    auto tests = readGoogleTestList(json);
    CHECK(!tests);
    llvm::consumeError(tests.takeError());
  }
}

TEST_CASE("a list of GoogleTest: a parameter that is not text does not spoil it") {
  auto tests = readGoogleTestList("{\"testsuites\": [{\"name\": \"S\", \"testsuite\": "
                                  "[{\"name\": \"t/0\", \"value_param\": \"\xFF\"}]}]}");
  REQUIRE(bool(tests));
  CHECK(*tests == std::vector<NativeTest>{{"S.t/0", "S"}});
}

TEST_CASE("a list of GoogleTest: bytes that are written as characters") {
  auto tests = readGoogleTestList("{\"testsuites\": [{\"name\": \"S\", \"testsuite\": "
                                  "[{\"name\": \"d\\u00C3\\u00a9 \\\\u00C3 \\u0009\"}]}]}");
  REQUIRE(bool(tests));
  CHECK(*tests == std::vector<NativeTest>{{"S.d\xC3\xA9 \\u00C3 \t", "S"}});
}

TEST_CASE("a report of doctest's is not a list") {
  auto tests = readDoctestList("<?xml version=\"1.0\"?><doctest><TestSuite><TestCase name=\"a\">"
                               "</TestCase></TestSuite></doctest>");
  CHECK(!tests);
  CHECK(llvm::toString(tests.takeError()) == "it runs them instead");
}

TEST_CASE("a list of Boost.Test: nested suites, an empty one, and one that is cut") {
  std::string whole = "hello\ndigraph G {rankdir=LR;\n"
                      "tu1[shape=ellipse,color=green,label=\"all\"];\n{\n"
                      "tu2[shape=Mrecord,color=green,label=\"s|a.cpp(1)\"];\ntu1 -> tu2;\n{\n"
                      "tu3[shape=Mrecord,color=green,label=\"empty|a.cpp(2)\"];\ntu2 -> tu3;\n"
                      "tu65536[shape=Mrecord,color=yellow,label=\"t|a.cpp(3)|labels: @x(4)y\"];\n"
                      "tu2 -> tu65536;\n}\n"
                      "tu65537[shape=Mrecord,color=green,label=\"u\"];\n}\n}\n";
  auto tests = readBoostTestList(whole + "bye\n");
  REQUIRE(bool(tests));
  CHECK(*tests == std::vector<NativeTest>{{"s/t", "s", "a.cpp", 3, true}, {"u"}});
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    auto cut = readBoostTestList(llvm::StringRef(whole).take_front(size));
    CHECK(!cut);
    llvm::consumeError(cut.takeError());
  }
}
