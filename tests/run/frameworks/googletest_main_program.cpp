// A program of a user whose `main` is GoogleTest's.

#include <gtest/gtest.h>

TEST(Plain, one) {}
