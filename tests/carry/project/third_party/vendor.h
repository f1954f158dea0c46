#pragma once

inline int vendorClamp(int value) {
  if (value > 5)
    return 5;
  return value;
}
