// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Unary and binary arithmetic, selection and conversion.
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/loop.h"

#include "core/convert.h"
#include "core/dtype_dispatch.h"

#include <cmath>
#include <numbers>

namespace heed::kernels::cpu {
namespace {

template <class T>
T* typed(const Operand& operand) {
  return static_cast<T*>(operand.data);
}

/// out[i] = f(in[i]); the unit-stride case apart, so that the compiler vectorises it.
template <class In, class Out, class F>
void map(const Extent& extent, const Operand& in, const Operand& out, const F& f) {
  const LoopNest<2> nest(extent, {in.strides, out.strides});
  const auto run = [&](const auto& offset, const auto& stride, std::int64_t count) {
    const In* x = typed<const In>(in) + offset[0];
    Out* y = typed<Out>(out) + offset[1];
    if (stride[0] == 1 && stride[1] == 1) {
      for (std::int64_t i = 0; i < count; ++i) y[i] = f(x[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) y[i * stride[1]] = f(x[i * stride[0]]);
    }
  };
  nest.transposed() ? for_each_short_run(nest, run) : for_each_run(nest, run);
}

template <class In, class Out, class F>
void zip(const BinaryParams& p, const F& f) {
  const LoopNest<3> nest(p.extent, {p.a.strides, p.b.strides, p.out.strides});
  for_each_run(nest, [&](const auto& offset, const auto& stride, std::int64_t count) {
    const In* a = typed<const In>(p.a) + offset[0];
    const In* b = typed<const In>(p.b) + offset[1];
    Out* y = typed<Out>(p.out) + offset[2];
    if (stride[0] == 1 && stride[1] == 1 && stride[2] == 1) {
      for (std::int64_t i = 0; i < count; ++i) y[i] = f(a[i], b[i]);
    } else if (stride[0] == 1 && stride[1] == 0 && stride[2] == 1) {
      const In scalar = *b;
      for (std::int64_t i = 0; i < count; ++i) y[i] = f(a[i], scalar);
    } else if (stride[0] == 0 && stride[1] == 1 && stride[2] == 1) {
      const In scalar = *a;
      for (std::int64_t i = 0; i < count; ++i) y[i] = f(scalar, b[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) y[i * stride[2]] = f(a[i * stride[0]], b[i * stride[1]]);
    }
  });
}

template <class T>
T gelu_cdf(T x) {
  return T{0.5} * std::erfc(-x * (std::numbers::sqrt2_v<T> / 2));
}

// tanh form: gelu(x) = x/2 (1 + tanh(c (x + 0.044715 x^3))), c = sqrt(2/pi)
template <class T>
T gelu_tanh_inner(T x) {
  const T c = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
  return c * (x + static_cast<T>(0.044715) * x * x * x);
}

template <class T>
T gelu_tanh_grad(T x) {
  const T c = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
  const T t = std::tanh(gelu_tanh_inner(x));
  return T{0.5} * (1 + t) + T{0.5} * x * (1 - t * t) * c * (1 + T{3} * static_cast<T>(0.044715) * x * x);
}

template <class T>
T sigmoid_of(T x) {
  // Neither branch overflows.
  const T e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

template <class T>
void unary_floating(const UnaryParams& p) {
  const auto run = [&](const auto& f) { map<T, T>(p.extent, p.in, p.out, f); };
  switch (p.op) {
    case UnaryOp::kNeg: return run([](T x) { return -x; });
    case UnaryOp::kAbs: return run([](T x) { return std::abs(x); });
    case UnaryOp::kSign: return run([](T x) { return x > 0 ? T{1} : x < 0 ? T{-1} : x; });
    case UnaryOp::kExp: return run([](T x) { return std::exp(x); });
    case UnaryOp::kLog: return run([](T x) { return std::log(x); });
    case UnaryOp::kSqrt: return run([](T x) { return std::sqrt(x); });
    case UnaryOp::kSin: return run([](T x) { return std::sin(x); });
    case UnaryOp::kCos: return run([](T x) { return std::cos(x); });
    case UnaryOp::kTanh: return run([](T x) { return std::tanh(x); });
    case UnaryOp::kSigmoid: return run([](T x) { return sigmoid_of(x); });
    case UnaryOp::kRelu: return run([](T x) { return x < 0 ? T{0} : x; });  // NaN stays NaN
    case UnaryOp::kGelu: return run([](T x) { return x * gelu_cdf(x); });
    case UnaryOp::kGeluGrad:
      return run([](T x) {
        const T density =
            std::exp(T{-0.5} * x * x) * (std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>);
        return gelu_cdf(x) + x * density;
      });
    case UnaryOp::kGeluTanh: return run([](T x) { return T{0.5} * x * (1 + std::tanh(gelu_tanh_inner(x))); });
    case UnaryOp::kGeluTanhGrad: return run([](T x) { return gelu_tanh_grad(x); });
    case UnaryOp::kNot: break;
  }
}

// i64 wraps around as NumPy's does; signed overflow itself would be undefined.
std::int64_t wrapped(std::uint64_t x) { return static_cast<std::int64_t>(x); }
std::uint64_t bits(std::int64_t x) { return static_cast<std::uint64_t>(x); }

void unary_integer(const UnaryParams& p) {
  using T = std::int64_t;
  const auto run = [&](const auto& f) { map<T, T>(p.extent, p.in, p.out, f); };
  if (p.op == UnaryOp::kNeg) run([](T x) { return wrapped(0 - bits(x)); });
  if (p.op == UnaryOp::kAbs) run([](T x) { return x < 0 ? wrapped(0 - bits(x)) : x; });
  if (p.op == UnaryOp::kSign) run([](T x) { return T{x > 0} - T{x < 0}; });
}

std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  std::uint64_t result = 1;
  for (std::uint64_t square = bits(base); exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) result *= square;
  }
  return wrapped(result);
}

void binary_integer(const BinaryParams& p) {
  using T = std::int64_t;
  switch (p.op) {
    case BinaryOp::kAdd: return zip<T, T>(p, [](T a, T b) { return wrapped(bits(a) + bits(b)); });
    case BinaryOp::kSub: return zip<T, T>(p, [](T a, T b) { return wrapped(bits(a) - bits(b)); });
    case BinaryOp::kMul: return zip<T, T>(p, [](T a, T b) { return wrapped(bits(a) * bits(b)); });
    case BinaryOp::kPow: return zip<T, T>(p, integer_power);
    default: break;
  }
}

template <class T>
T larger(T a, T b) {
  return a > b || a != a ? a : b;  // NaN wins
}
template <class T>
T smaller(T a, T b) {
  return a < b || a != a ? a : b;
}

template <class T>
void binary_floating(const BinaryParams& p) {
  switch (p.op) {
    case BinaryOp::kAdd: return zip<T, T>(p, [](T a, T b) { return a + b; });
    case BinaryOp::kSub: return zip<T, T>(p, [](T a, T b) { return a - b; });
    case BinaryOp::kMul: return zip<T, T>(p, [](T a, T b) { return a * b; });
    case BinaryOp::kDiv: return zip<T, T>(p, [](T a, T b) { return a / b; });
    case BinaryOp::kPow: return zip<T, T>(p, [](T a, T b) { return std::pow(a, b); });
    case BinaryOp::kTanhGrad: return zip<T, T>(p, [](T y, T g) { return g * (1 - y * y); });
    case BinaryOp::kSigmoidGrad: return zip<T, T>(p, [](T y, T g) { return g * y * (1 - y); });
    case BinaryOp::kReluGrad: return zip<T, T>(p, [](T y, T g) { return y <= 0 ? T{0} : g; });
    default: break;
  }
}

template <class T>
void compare_or_pick(const BinaryParams& p) {
  switch (p.op) {
    case BinaryOp::kMaximum: return zip<T, T>(p, [](T a, T b) { return larger(a, b); });
    case BinaryOp::kMinimum: return zip<T, T>(p, [](T a, T b) { return smaller(a, b); });
    case BinaryOp::kEqual: return zip<T, bool>(p, [](T a, T b) { return a == b; });
    case BinaryOp::kNotEqual: return zip<T, bool>(p, [](T a, T b) { return a != b; });
    case BinaryOp::kLess: return zip<T, bool>(p, [](T a, T b) { return a < b; });
    case BinaryOp::kLessEqual: return zip<T, bool>(p, [](T a, T b) { return a <= b; });
    default: break;
  }
}

bool compares_or_picks(BinaryOp op) {
  return op == BinaryOp::kMaximum || op == BinaryOp::kMinimum || op == BinaryOp::kEqual ||
         op == BinaryOp::kNotEqual || op == BinaryOp::kLess || op == BinaryOp::kLessEqual;
}

void binary_boolean(const BinaryParams& p) {
  if (p.op == BinaryOp::kAnd) zip<bool, bool>(p, [](bool a, bool b) { return a && b; });
  if (p.op == BinaryOp::kOr) zip<bool, bool>(p, [](bool a, bool b) { return a || b; });
}

}  // namespace

void unary(const UnaryParams& p) noexcept {
  if (p.in.dtype == Dtype::kBool) {
    map<bool, bool>(p.extent, p.in, p.out, [](bool x) { return !x; });
  } else if (p.in.dtype == Dtype::kI64) {
    unary_integer(p);
  } else {
    visit_floating(p.in.dtype, [&](auto zero) { unary_floating<decltype(zero)>(p); });
  }
}

void binary(const BinaryParams& p) noexcept {
  if (compares_or_picks(p.op)) {
    visit_dtype(p.a.dtype, [&](auto zero) { compare_or_pick<decltype(zero)>(p); });
  } else if (p.a.dtype == Dtype::kBool) {
    binary_boolean(p);
  } else if (p.a.dtype == Dtype::kI64) {
    binary_integer(p);
  } else {
    visit_floating(p.a.dtype, [&](auto zero) { binary_floating<decltype(zero)>(p); });
  }
}

void where(const WhereParams& p) noexcept {
  const LoopNest<4> nest(p.extent, {p.condition.strides, p.a.strides, p.b.strides, p.out.strides});
  visit_dtype(p.out.dtype, [&](auto zero) {
    using T = decltype(zero);
    for_each_run(nest, [&](const auto& offset, const auto& stride, std::int64_t count) {
      const bool* condition = typed<const bool>(p.condition) + offset[0];
      const T* a = typed<const T>(p.a) + offset[1];
      const T* b = typed<const T>(p.b) + offset[2];
      T* y = typed<T>(p.out) + offset[3];
      for (std::int64_t i = 0; i < count; ++i) {
        y[i * stride[3]] = condition[i * stride[0]] ? a[i * stride[1]] : b[i * stride[2]];
      }
    });
  });
}

void copy(const CopyParams& p) noexcept {
  visit_dtype(p.in.dtype, [&](auto from) {
    visit_dtype(p.out.dtype, [&](auto to) {
      using To = decltype(to);
      map<decltype(from), To>(p.extent, p.in, p.out, [](auto x) { return convert<To>(x); });
    });
  });
}

void add_scaled(const AddScaledParams& p) noexcept {
  const Operand& target = p.out;
  const auto run = [&](auto alpha, const auto& f) {
    using T = decltype(alpha);
    const LoopNest<2> nest(p.extent, {p.in.strides, target.strides});
    for_each_run(nest, [&](const auto& offset, const auto& stride, std::int64_t count) {
      const T* x = typed<const T>(p.in) + offset[0];
      T* y = typed<T>(target) + offset[1];
      if (stride[0] == 1 && stride[1] == 1) {
        for (std::int64_t i = 0; i < count; ++i) y[i] = f(y[i], x[i]);
      } else {
        for (std::int64_t i = 0; i < count; ++i) y[i * stride[1]] = f(y[i * stride[1]], x[i * stride[0]]);
      }
    });
  };
  if (target.dtype == Dtype::kI64) {
    const std::int64_t alpha = convert<std::int64_t>(p.alpha);
    run(alpha, [=](std::int64_t y, std::int64_t x) { return wrapped(bits(y) + bits(alpha) * bits(x)); });
  } else {
    visit_floating(target.dtype, [&](auto zero) {
      using T = decltype(zero);
      const T alpha = static_cast<T>(p.alpha);
      run(alpha, [=](T y, T x) { return y + alpha * x; });
    });
  }
}

}  // namespace heed::kernels::cpu
