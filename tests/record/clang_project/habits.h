#pragma once

struct Base {
  virtual ~Base();
};

// Optimised, it is that of its base.
struct Derived : Base {
  ~Derived() override {}
};

template <class T> struct Holder : Base {
  ~Holder() {}
};

void holdExplicitly();
int listed();
