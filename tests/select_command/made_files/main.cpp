#include "gen.h"

#include <fstream>
#include <string>

int main(int count, char **words) {
  std::string what = count > 1 ? words[1] : "";
  if (what == "generated")
    return value() - 1;
  if (what == "setup")
    return 0;
  std::string text;
  if (what == "read")
    return !(std::ifstream(words[2]) >> text);
  if (what == "absent")
    return std::ifstream(words[2]).good();
  return 0;
}
