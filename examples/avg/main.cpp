#include "avg.h"

int main(int argc, char **argv) {
  std::FILE *file = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
  if (!file) {
    std::fprintf(stderr, "usage: avg FILE\n");
    return 2;
  }
  const int average = avg(file);
  std::fclose(file);
  if (average == kError)
    std::printf("error\n");
  else
    std::printf("%d\n", average);
  return 0;
}
