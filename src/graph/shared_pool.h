#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/iterator.h>

#include <compare>
#include <memory>
#include <vector>

namespace retest {

/// A list of values that others may have as well: copying it copies no value. Two versions of a
/// program have nearly everything in common.
template <class T> class SharedPool {
public:
  using Pointer = std::shared_ptr<const T>;

  SharedPool() = default;
  /// Values of nobody else.
  explicit SharedPool(std::vector<T> values) {
    pointers_.reserve(values.size());
    for (T &value : values)
      add(std::move(value));
  }

  std::size_t size() const { return pointers_.size(); }
  bool empty() const { return pointers_.empty(); }
  const T &operator[](std::size_t index) const { return *pointers_[index]; }
  auto begin() const { return llvm::make_pointee_range(pointers_).begin(); }
  auto end() const { return llvm::make_pointee_range(pointers_).end(); }

  const std::vector<Pointer> &pointers() const { return pointers_; }
  void add(Pointer value) { pointers_.push_back(std::move(value)); }
  void add(T value) { pointers_.push_back(std::make_shared<const T>(std::move(value))); }
  /// Puts another value in the place of one.
  void replace(std::size_t index, T value) {
    pointers_[index] = std::make_shared<const T>(std::move(value));
  }

  bool operator==(const SharedPool &other) const {
    return std::equal(pointers_.begin(), pointers_.end(), other.pointers_.begin(),
                      other.pointers_.end(),
                      [](const Pointer &a, const Pointer &b) { return a == b || *a == *b; });
  }
  auto operator<=>(const SharedPool &other) const {
    return std::lexicographical_compare_three_way(
        pointers_.begin(), pointers_.end(), other.pointers_.begin(), other.pointers_.end(),
        [](const Pointer &a, const Pointer &b) { return *a <=> *b; });
  }

private:
  std::vector<Pointer> pointers_; ///< none is null
};

} // namespace retest
