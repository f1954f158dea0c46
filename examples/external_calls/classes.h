#pragma once

#include <a.h>

/// Inherits `bar`; edit.patch gives it the one of C.
struct B : A {
  int foo() override;
};

struct C : B {
  int bar() override;
};
