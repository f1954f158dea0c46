#include <filesystem>
#include <fstream>
#include <string>

int plain() { return 0; }

int list(const char *directory) {
  int count = 0;
  for ([[maybe_unused]] auto &entry : std::filesystem::directory_iterator(directory))
    ++count;
  return count != 1;
}

int main(int count, char **words) {
  std::string text, what = count > 1 ? words[1] : "";
  if (what == "read")
    return !(std::ifstream(words[2]) >> text) || text == "bad";
  if (what == "change")
    return !(std::ofstream(words[2], std::ios::app) << "\n");
  if (what == "list")
    return list(words[2]);
  if (what == "absent")
    return std::ifstream(words[2]).good();
  return plain();
}
