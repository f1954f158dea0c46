#pragma once

#include <a.h>

/// Has no `m` of its own; edit.patch gives it one.
struct B : A {};

struct C : B {
  int m() override { return 3; }
};

int bar(A &p);
