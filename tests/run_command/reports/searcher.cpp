#include <fstream>
#include <sstream>
#include <string>

int main(int count, char **arguments) {
  std::string name = "sought"; // of the report
  std::ostringstream text;
  text << std::ifstream(count > 1 ? arguments[1] : name + ".xm" + "l").rdbuf();
  return text.str().find("value 1") != std::string::npos ? 0 : 1;
}
