#pragma once

/// The external class of the paper's examples.
struct A {
  virtual int m();
  virtual int foo();
  virtual int bar();
};

// Calls from external code: what runs is up to the class of the object.
int fooOf(A &a);
int barOf(A &a);
