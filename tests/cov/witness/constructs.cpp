// clang-format off
// Every way in which control can go, with a trace of its own beside the counters of the compiler.
//
//   m(__LINE__)     control was on this line
//   x(__LINE__, c)  the condition c was evaluated here, and what it was
//
// The argument is a number of three bits: a, b and c of all functions. A mark may only stand alone
// on its line; in arguments of macros, where __LINE__ is another one, it has a number instead. Lines with "coarse" are those where a witness may name more tests than were there.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void say(int line, char what) {
  static std::FILE *file = std::fopen(std::getenv("TRACE"), "a");
  std::fprintf(file, "%d %c\n", line, what);
  std::fflush(file);
}
static void m(int line) { say(line, '.'); }
static bool x(int line, bool value) {
  say(line, value ? 'T' : 'F');
  return value;
}

struct Error {};
struct Worse : Error {};
struct Other {};
struct Guard {
  ~Guard() {}
};
static void raise(int kind) {
  if (kind == 1)
    throw Error();
  if (kind == 2)
    throw Worse();
  if (kind == 3)
    throw Other();
}

static void ifs(bool a, bool b) {
  if (x(__LINE__, a))
    m(__LINE__);
  else if (x(__LINE__, b))
    m(__LINE__);
  else
    m(__LINE__);
  if (x(__LINE__, a && b)) {
    m(__LINE__);
  }
  m(__LINE__);
}

static int earlyReturns(bool a, bool b, bool c) {
  Guard first;
  if (x(__LINE__, a)) {
    Guard second;
    m(__LINE__);
    if (x(__LINE__, b))
      return c ? 1 : 2;
    m(__LINE__);
  }
  for (Guard third; x(__LINE__, c);) {
    m(__LINE__);
    return 3;
  }
  m(__LINE__);
  return 4;
}

static void loops(bool a, bool b, int n) {
  for (int i = 0; x(__LINE__, i < n); ++i) {
    if (x(__LINE__, a))
      continue;
    m(__LINE__);
    if (x(__LINE__, b))
      break;
    m(__LINE__);
  }
  int left = n;
  while (x(__LINE__, left > 0)) {
    --left;
    m(__LINE__);
  }
  do {
    m(__LINE__);
    ++left;
  } while (x(__LINE__, left < n && a));
  int numbers[2] = {0, 1};
  for (int number : numbers) {
    if (x(__LINE__, number == n))
      m(__LINE__);
  }
  for (;;) {
    m(__LINE__);
    if (x(__LINE__, b))
      break;
    b = true;
  }
  while (true) {
    if (x(__LINE__, true))
      break;
  }
  m(__LINE__);
}

static void logic(bool a, bool b, bool c) {
  if (x(__LINE__, a) &&
      x(__LINE__, b))
    m(__LINE__);
  else
    m(__LINE__);
  if (x(__LINE__, a) ||
      (x(__LINE__, b) &&
       !x(__LINE__, c)))
    m(__LINE__);
  if (!(x(__LINE__, a) &&
        x(__LINE__, b)))
    m(__LINE__);
  bool value = (x(__LINE__, a) ||
                x(__LINE__, b)) &&
               x(__LINE__, c);
  if ((value))
    m(__LINE__);
  int chosen = x(__LINE__, a)
                   ? (x(__LINE__, b) ? 1 : 2)
                   : 3;
  if (x(__LINE__, a) ? b
                     : c)
    m(__LINE__);
  switch (chosen) {
  case 1:
    m(__LINE__);
    break;
  case 2:
    m(__LINE__);
  case 3:
    m(__LINE__);
  }
  while (x(__LINE__, a) &&
         x(__LINE__, b)) {
    m(__LINE__);
    a = false;
  }
  m(__LINE__);
}

static void switches(int n, bool a) {
  switch (n) {
  case 0:
    m(__LINE__);
    break;
  case 1:
    m(__LINE__);
    if (x(__LINE__, a))
      break;
    m(__LINE__);
#include "cases.inc"
  case 4 ... 5:
    m(__LINE__);
    return;
  default:
    m(__LINE__);
  }
  m(__LINE__);
  switch (n & 1) {
  case 1:
    m(__LINE__);
  }
  switch (n) {
    m(__LINE__);
  case 6: {
    Guard guard;
    m(__LINE__);
    break;
  }
  case 7:
    switch (a) {
    default:
      m(__LINE__);
    }
  }
  m(__LINE__);
}

static void gotos(bool a, bool b) {
  int rounds = 0;
again:
  m(__LINE__);
  if (x(__LINE__, a && rounds < 2)) {
    ++rounds;
    goto again;
  }
  if (x(__LINE__, b))
    goto end;
  m(__LINE__);
end:
  m(__LINE__);
}

static void handlers(int kind, bool a) {
  try {
    Guard guard;
    m(__LINE__);
    raise(kind);
    m(__LINE__); // coarse
  } catch (const Worse &) {
    m(__LINE__);
  } catch (const Error &) {
    m(__LINE__);
    if (x(__LINE__, a))
      return;
    m(__LINE__);
  } catch (...) {
    m(__LINE__);
  }
  m(__LINE__);
  try {
    m(__LINE__);
    try {
      raise(kind);
      m(__LINE__); // coarse
    } catch (const Error &) {
      m(__LINE__);
      throw;
    }
    m(__LINE__);
  } catch (const Error &) {
    m(__LINE__);
  } catch (const Other &) {
    m(__LINE__);
  }
  m(__LINE__);
}

static void passes(int kind, bool a) {
  Guard guard;
  for (int i = 0; x(__LINE__, i < 2); ++i) {
    if (x(__LINE__, a))
      raise(kind);
    m(__LINE__); // coarse
  }
  m(__LINE__); // coarse
}

struct Base {
  int value;
  explicit Base(int value) try : value(value) {
    m(__LINE__);
    raise(value);
    m(__LINE__); // coarse
  } catch (const Worse &) {
    m(__LINE__);
  }
  virtual ~Base() {
    if (x(__LINE__, value > 0))
      m(__LINE__);
  }
  virtual void act() { m(__LINE__); }
};

static bool chosenByDefault(bool a) {
  m(__LINE__);
  return a;
}
static bool global;

struct Derived : Base {
  int first;
  int second = chosenByDefault(global) ? 1
                                       : 2;
  Derived(bool a, int kind)
      : Base(kind),
        first(x(__LINE__, a) ? 1 // coarse
                             : 2) {
    m(__LINE__); // coarse
  }
  explicit Derived(bool a) : Derived(a, 0) {
    if (x(__LINE__, first == 1))
      m(__LINE__);
  }
  void act() override {
    m(__LINE__);
    Base::act();
  }
};

template <class T> static T larger(T left, T right) {
  if (x(__LINE__, left < right))
    return right;
  m(__LINE__);
  if constexpr (sizeof(T) == 1) {
    m(__LINE__);
    return left;
  } else {
    m(__LINE__);
    return left;
  }
}

static constexpr bool kYes = true;
static constexpr bool kNo = false;
static constexpr int twice(int n) { return n < 3 ? 2 * n : 0; }

static void folded(bool a) {
  if (kYes && x(__LINE__, a))
    m(__LINE__);
  if (kNo || x(__LINE__, a))
    m(__LINE__);
  if (kYes)
    m(__LINE__);
  else
    m(__LINE__);
  if (twice(2) == 4 && // folded
      kYes)            // folded
    m(__LINE__);
  int chosen = kNo ? 1
                   : 2;
  if (chosen == 2 && kYes && x(__LINE__, a))
    m(__LINE__);
  while (kNo)
    m(__LINE__);
  if (sizeof(int) == 4 || x(__LINE__, a))
    m(__LINE__);
  m(__LINE__);
}

static int &lazy(bool a) {
  static int value = x(__LINE__, a) ? 1
                                    : 2;
  return value;
}

#define POSITIVE(n) ((n) > 0 && (n) < 5)
#define RETURN_IF(condition)                                                                       \
  if (condition)                                                                                   \
  return
#define DO_IF(condition, what)                                                                     \
  if (condition) {                                                                                 \
    what;                                                                                          \
  }
#define CASE(n)                                                                                    \
  break;                                                                                           \
  case n
#define CHECKED(condition)                                                                         \
  if (condition) {                                                                                 \
  } else                                                                                           \
    Sink()
#define LARGER(left, right) ((left) > (right) ? (left) : (right))

struct Sink {
  Sink &operator<<(int) { return *this; }
};

static void macros(int n, bool a) {
  CHECKED(
      x(9004, true)) << n;
  if (POSITIVE(n))
    m(__LINE__);
  DO_IF(
      x(9001, a),
      m(9002)) // coarse
  switch (n) {
    CASE(1) :
    m(__LINE__);
    CASE(2) :
    m(__LINE__);
    CASE(3) :
    if (x(__LINE__, a))
      m(__LINE__);
  }
  int most = LARGER(a ? n : 0, n > 2 ? 1 : 2);
  if (POSITIVE(most) == a)
    m(__LINE__);
  RETURN_IF(
      x(9003, a));
  m(__LINE__);
  RETURN_IF(POSITIVE(n));
  m(__LINE__);
}

static void conditions(int n) {
  if (int rest = n % 3)
    m(__LINE__);
  else
    m(__LINE__);
  if (Guard guard; x(__LINE__, n > 3))
    m(__LINE__);
  while (int rest = n % 2) {
    n -= rest;
    m(__LINE__);
  }
  for (int i = 0; int rest = n - i; ++i) {
    if (x(__LINE__, rest == 1))
      m(__LINE__);
  }
  int kept = n ?: 7;
  if (x(__LINE__, kept == 7))
    m(__LINE__);
  auto lambda = [&](bool a) {
    if (x(__LINE__, a))
      m(__LINE__);
    return n;
  };
  if (x(__LINE__, n > 1))
    lambda(n > 4);
  int block = ({
    if (x(__LINE__, n > 2))
      m(__LINE__);
    n;
  });
  if (x(__LINE__, block == 4))
    m(__LINE__);
}

static std::jmp_buf place;
static void jumps(bool a, bool b) {
  volatile int rounds = 0;
  if (setjmp(place) == 0) {
    m(__LINE__); // coarse
    if (x(__LINE__, a)) {
      rounds = 1;
      std::longjmp(place, 1);
    }
    m(__LINE__); // coarse
  } else {
    m(__LINE__); // coarse
  }
  if (x(__LINE__, b && rounds == 1))
    m(__LINE__); // coarse
}

static void temporaries(bool a, bool b) {
  struct Text {
    bool value;
    ~Text() {}
    bool is(bool other) const { return value == other; }
  };
  if (x(__LINE__, a) && Text{b}.is(true))
    m(__LINE__);
  const Text &kept = x(__LINE__, a) ? Text{b}
                                    : Text{false};
  if (x(__LINE__, kept.is(true)))
    m(__LINE__);
}

// The compiler numbers lambdas, and classes of one name, in the order in which it comes to them.
static void numbered(bool a, bool b) {
  auto first = [&] {
    if (x(__LINE__, b))
      m(__LINE__);
  };
  auto second = [&] {
    if (x(__LINE__, b))
      m(__LINE__);
    else
      m(__LINE__);
  };
  if (x(__LINE__, a))
    second();
  else
    first();
  if (x(__LINE__, b)) {
    struct Local {
      static void act() {
        m(__LINE__); // coarse
      }
    };
    Local::act();
  } else {
    struct Local {
      static void act() {
        m(__LINE__); // coarse
      }
    };
    Local::act();
  }
}

// GCC numbers the lambdas of an inline function in their order, Clang those of each type apart. None is constexpr.
inline void signatures(bool a, bool b) {
  auto number = [](int n) {
    static int kept = n;
    m(__LINE__);
  };
  auto first = [] {
    static int kept = 1;
    m(__LINE__);
  };
  auto second = [] {
    static int kept = 2;
    m(__LINE__);
  };
  auto third = [] {
    static int kept = 3;
    m(__LINE__);
  };
  if (x(__LINE__, a))
    first();
  else
    third();
  if (x(__LINE__, b))
    second();
  else
    number(1);
}

struct Part {
  Part() {}
  ~Part() {}
};

// One has a constructor that nobody wrote, of the same name.
static void halfWritten(bool a) {
  if (x(__LINE__, a)) {
    struct Local {
      Part part;
    };
    Local local;
  } else {
    struct Local {
      Part part;
      Local() {
        m(__LINE__); // coarse
      }
    };
    Local local;
  }
}

// The same in a constructor, of which there are two for the compiler.
struct Numbered {
  Numbered(bool a, bool b) {
    auto first = [&] {
      m(__LINE__); // coarse
    };
    auto second = [&] {
      auto inner = [&] {
        m(__LINE__); // coarse
      };
      m(__LINE__); // coarse
      if (x(__LINE__, b)) // coarse
        inner();
    };
    if (x(__LINE__, a))
      second();
    else
      first();
  }
};

struct Clearing {
  Clearing(bool a) { do_clear(a); }
  void do_clear(bool a) {
    auto first = [&] { m(__LINE__); }; auto second = [&] { m(__LINE__); }; // coarse
    if (x(__LINE__, a))
      second();
    else
      first();
  }
};

static void ends(bool a, bool b) noexcept {
  if (x(__LINE__, a && b))
    std::exit(0);
  m(__LINE__);
}

int main(int, char **arguments) {
  int n = std::atoi(arguments[1]);
  bool a = n & 1, b = n & 2, c = n & 4;
  global = b;
  ifs(a, b);
  earlyReturns(a, b, c);
  loops(a, b, n / 2);
  logic(a, b, c);
  switches(n, c);
  gotos(a, b);
  if (c)
    handlers(n & 3, a);
  try {
    passes(n & 3, c);
  } catch (...) {
    m(__LINE__);
  }
  try {
    Derived derived(b, n == 5 ? 1 : 0);
    derived.act();
    if (x(__LINE__, c)) { // coarse
      Derived other(a);
      static_cast<Base &>(other).act();
    }
    Base base(n);
    base.act();
  } catch (const Error &) {
    m(__LINE__);
  } catch (const Other &) {
    m(__LINE__);
  }
  larger<int>(n, 3);
  if (x(__LINE__, n > 5))
    larger<char>('a', 'b');
  folded(a);
  if (x(__LINE__, b))
    lazy(c);
  macros(n, c);
  conditions(n);
  jumps(a, c);
  temporaries(b, c);
  numbered(a, b);
  signatures(a, b);
  halfWritten(a);
  Numbered(b, a);
  Clearing{a};
  ends(a, b);
  m(__LINE__); // coarse
}
