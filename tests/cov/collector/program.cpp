int choose(int x) {
  if (x)
    return 1;
  return 2;
}

int early() { return 3; }

inline int shared() { return 4; }

inline int unused() { return 5; }
static int unusedHere() { return 6; }

int main(int count, char **) { return choose(count) + early() + shared(); }
