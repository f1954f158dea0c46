#include <fstream>
#include <string>

int plain() { return 0; }

int main(int count, char **arguments) {
  if (count == 1)
    return plain();
  std::string word;
  return !(std::ifstream(arguments[1]) >> word);
}
