#include "calc.h"

#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char **arguments) {
  std::string what = arguments[1];
  if (what == "add")
    return add(std::atoi(arguments[2]), std::atoi(arguments[3])) != 3;
  if (what == "mode")
    return 0;
  if (what == "fail")
    return 1;
  if (what == "skip")
    return 77;
  std::string word;
  return !(std::ifstream(arguments[2]) >> word);
}
