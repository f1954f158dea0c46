#pragma once

#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const { return 0; }
  virtual std::string name() const { return "shape"; }
};

struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  std::string name() const override { return "square"; }
  double side;
};

/// Has no `name` of its own: one added here is reached from `describe`, which no edit touches.
struct Circle final : Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override; // in round.cpp
  double radius;
};

// In total.cpp: virtual calls that land in both units.
double totalArea(const std::vector<const Shape *> &shapes);
std::string describe(const Shape &shape);
