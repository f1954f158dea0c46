#include <fstream>
#include <string>

int plain() { return 0; }

// The program has no code of it: no test can run it.
inline int unused() { return 1; }

int main(int count, char **arguments) {
  if (count == 1)
    return plain();
  std::string word;
  return !(std::ifstream(arguments[1]) >> word);
}
