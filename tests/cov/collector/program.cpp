int choose(int x) {
  if (x)
    return 1;
  return 2;
}

int early() { return 3; }

inline int shared() { return 4; }

int main(int count, char **) { return choose(count) + early() + shared(); }
