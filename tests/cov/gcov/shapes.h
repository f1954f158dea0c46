#pragma once

// Inline functions and templates, in both units.
struct Shape {
  virtual ~Shape() {}
  virtual int area() const { return 0; }
};

struct Square : Shape {
  int side = 2;
  int area() const override { return side * side; }
};

template <class T> T clamp(T value, T most) {
  if (value > most)
    return most;
  return value;
}

inline int sumTo(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 7 == 3)
      continue;
    if (sum > 1000)
      break;
    sum += i;
  }
  return sum;
}

int risky(int n);
int chosen(int n);
