#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// A test that a program of a user is told to have.
struct TableTest {
  std::string suite, name;
  bool isDisabled = false;
  bool dependsOnFirst = false; ///< of Boost.Test: on the first test of the table
  int line = 0;                ///< its place in the table, from 1
};

/// The file that RETEST_TABLE names: suite, name and letters (`d`, `n`), each with a NUL behind it.
/// Strings of these tests live as long as the program: frameworks keep pointers to them.
inline const std::vector<TableTest> &tableTests() {
  static const std::vector<TableTest> tests = [] {
    std::vector<TableTest> result;
    std::ifstream file(std::getenv("RETEST_TABLE"), std::ios::binary);
    TableTest test;
    std::string letters;
    while (std::getline(file, test.suite, '\0') && std::getline(file, test.name, '\0') &&
           std::getline(file, letters, '\0')) {
      test.isDisabled = letters.find('d') != std::string::npos;
      test.dependsOnFirst = letters.find('n') != std::string::npos;
      ++test.line;
      result.push_back(test);
    }
    return result;
  }();
  return tests;
}

/// Tells that a test runs: in the file that RETEST_RAN names, in the form of the table.
inline void tellRun(const std::string &suite, const std::string &name, unsigned line) {
  if (const char *path = std::getenv("RETEST_RAN"))
    std::ofstream(path, std::ios::binary | std::ios::app)
        << suite << '\0' << name << '\0' << line << '\0';
}
