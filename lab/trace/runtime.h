/* What marks in an instrumented program call; included before each of its units, so it includes
   nothing and is valid C++11. While the compiler evaluates code, a mark does nothing. */
#pragma once
#ifdef __cplusplus

extern "C" void retest_trace_record(unsigned mark, long long value, const void *site) noexcept;

/// One side of a condition: the value says which.
__attribute__((noinline)) constexpr bool retest_trace_side(unsigned mark, bool value) noexcept {
  return __builtin_is_constant_evaluated()
             ? value
             : (retest_trace_record(mark, value, __builtin_return_address(0)), value);
}

/// Control came here. Always true.
__attribute__((noinline)) constexpr bool retest_trace_here(unsigned mark) noexcept {
  return __builtin_is_constant_evaluated()
             ? true
             : (retest_trace_record(mark, 1, __builtin_return_address(0)), true);
}

template <bool IsNumber> struct RetestTraceIf {};
template <> struct RetestTraceIf<true> {
  using Type = int;
};

/// The value by which a switch chooses.
template <class T, typename RetestTraceIf<__is_integral(T) || __is_enum(T)>::Type = 0>
__attribute__((noinline)) constexpr T retest_trace_choice(unsigned mark, T value) noexcept {
  return __builtin_is_constant_evaluated()
             ? value
             : (retest_trace_record(mark, static_cast<long long>(value),
                                    __builtin_return_address(0)),
                value);
}

/// Of a class that converts to a number: not recorded.
template <class T, class U = T,
          typename RetestTraceIf<!__is_integral(__remove_reference_t(U)) &&
                                 !__is_enum(__remove_reference_t(U))>::Type = 0>
constexpr T &&retest_trace_choice(unsigned, T &&value) noexcept {
  return static_cast<T &&>(value);
}

#endif
