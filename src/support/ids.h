#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace retest {

/// A dense number that is valid inside one graph. The tag keeps a node from passing for a name.
template <class Tag> struct Id {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t value = kNone;

  bool isValid() const { return value != kNone; }
  auto operator<=>(const Id &) const = default;
};

} // namespace retest

template <class Tag> struct std::hash<retest::Id<Tag>> {
  std::size_t operator()(retest::Id<Tag> id) const noexcept { return id.value; }
};
