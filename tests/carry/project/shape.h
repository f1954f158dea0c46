#pragma once

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const { return 0; }
};

struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
  int side;
};

struct Plate : Square {
  using Square::Square;
};

inline int atLeastZero(int value) {
  if (value < 0)
    return 0;
  return value;
}

template <class T> T largest(T a, T b) {
  if (a < b)
    return b;
  return a;
}

int total(const Shape &shape);
int classify(int number);
int guarded(int number);
int started();
int note(int kind);
int applied(int number);
int plugged(int number);
int tailed(int number);
