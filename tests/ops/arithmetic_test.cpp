// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <cmath>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;
using Binary = double (*)(double, double);

/// Entry n (row-major in `shape`) of x, read as if x had that shape.
double broadcast_entry(const Tensor& x, std::int64_t n, const Shape& shape) {
  std::int64_t offset = 0;
  for (std::int64_t i = 1; i <= shape.rank(); ++i) {
    const std::int64_t index = n % shape[shape.rank() - i];
    n /= shape[shape.rank() - i];
    if (i <= x.rank() && x.size(-i) != 1) offset += index * x.strides()[x.rank() - i];
  }
  return x.dtype() == f32 ? static_cast<double>(x.data<float>()[offset]) : x.data<double>()[offset];
}

Doubles zip(const Tensor& a, const Tensor& b, Binary f) {
  const Shape shape = broadcast_shapes(a.shape(), b.shape());
  Doubles out;
  for (std::int64_t n = 0; n < shape.numel(); ++n) {
    out.push_back(f(broadcast_entry(a, n, shape), broadcast_entry(b, n, shape)));
  }
  return out;
}

TEST(Arithmetic, BroadcastsEveryPairOfShapes) {
  const std::vector<std::pair<Shape, Shape>> pairs = {
      {{}, {}},
      {{1}, {7}},
      {{7}, {}},
      {{2, 3}, {3}},
      {{5, 1}, {1, 7}},
      {{2, 1, 3}, {4, 1}},
      {{1, 1, 1}, {13}},
      {{2, 3, 5}, {3, 1}},
      {{0}, {1}},
      {{3, 0}, {1, 1}},
      {{2, 3, 4, 5}, {1}},
      {{17, 31}, {31}},
      {{3, 1, 2}, {3, 5, 2}},
      {{200, 300}, {300}},
      {{300, 1}, {1, 200}},
  };
  for (const auto& [left, right] : pairs) {
    const Tensor a = random_in({0.5, 2}, left, f64, 1);
    const Tensor b = random_in({0.5, 2}, right, f64, 2);
    SCOPED_TRACE(to_string(left) + " and " + to_string(right));
    EXPECT_EQ((a + b).shape(), broadcast_shapes(left, right));
    EXPECT_TRUE(near(a + b, zip(a, b, [](double x, double y) { return x + y; }), 0));
    EXPECT_TRUE(near(b + a, zip(a, b, [](double x, double y) { return x + y; }), 0));
    EXPECT_TRUE(near(a - b, zip(a, b, [](double x, double y) { return x - y; }), 0));
    EXPECT_TRUE(near(a * b, zip(a, b, [](double x, double y) { return x * y; }), 0));
    EXPECT_TRUE(near(a / b, zip(a, b, [](double x, double y) { return x / y; }), 0));
    EXPECT_TRUE(near(pow(a, b), zip(a, b, [](double x, double y) { return std::pow(x, y); }), 1e-15));
    EXPECT_TRUE(near(a.to(f32) * b.to(f32), zip(a, b, [](double x, double y) { return x * y; }), 1e-7));
  }
}

TEST(Arithmetic, ScalarsKeepTheTensorsType) {
  const Tensor x = tensor({1, 2}, f64);
  EXPECT_EQ((x * 2).dtype(), f64);
  EXPECT_EQ((x + 0.1F).at({0}), 1 + static_cast<double>(0.1F));
  EXPECT_EQ((x * (1.0 / 3)).at({0}), 1.0 / 3);
  EXPECT_EQ((tensor({1}) * 1.5).dtype(), f32);
  EXPECT_EQ((10 - x).to_vector(), (Doubles{9, 8}));
  EXPECT_EQ((10 / x).to_vector(), (Doubles{10, 5}));
  EXPECT_EQ((3 + x - 1).to_vector(), (Doubles{3, 4}));
}

TEST(Arithmetic, TypesMeetInTheLarger) {
  const Tensor b = tensor({true, false});
  const Tensor i = tensor({3, 4}, i64);
  const Tensor s = tensor({0.5, 1.5});
  const Tensor d = tensor({0.25, 2}, f64);
  EXPECT_EQ((b + i).dtype(), i64);
  EXPECT_EQ((i * s).dtype(), f32);
  EXPECT_EQ((s - d).dtype(), f64);
  EXPECT_EQ((b * d).to_vector(), (Doubles{0.25, 0}));
  EXPECT_EQ((b + b).dtype(), i64);  // booleans count
  EXPECT_EQ((b + b).to_vector(), (Doubles{2, 0}));
  EXPECT_EQ((b * b).to_vector(), (Doubles{1, 0}));
  EXPECT_EQ((b + 1).dtype(), i64);
  EXPECT_EQ((i + 1).dtype(), i64);
  EXPECT_EQ((i * 0.5).dtype(), f32);
  EXPECT_EQ((i * 0.5).to_vector(), (Doubles{1.5, 2}));
}

TEST(Arithmetic, IntegersDivideTruly) {
  const Tensor i = tensor({1, 7}, i64);
  EXPECT_EQ((i / tensor({2, 2}, i64)).dtype(), f32);
  EXPECT_EQ((i / tensor({2, 2}, i64)).to_vector(), (Doubles{0.5, 3.5}));
  EXPECT_EQ((i / 2).to_vector(), (Doubles{0.5, 3.5}));
  EXPECT_EQ((7 / tensor({2}, i64)).item(), 3.5);
  EXPECT_EQ((i / 0).at({0}), kInf);
  EXPECT_EQ((tensor({true}) / tensor({true})).item(), 1);
}

TEST(Arithmetic, IntegersWrapAround) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor x = full({1}, most, i64);
  EXPECT_EQ((x + 1).item<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((x * 2).item<std::int64_t>(), -2);
  EXPECT_EQ((-(x + 1)).item<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
}

TEST(Arithmetic, PowersOfIntegers) {
  const Tensor x = tensor({-2, 0, 3}, i64);
  EXPECT_EQ(pow(x, 3).to_vector(), (Doubles{-8, 0, 27}));
  EXPECT_EQ(pow(x, 0).to_vector(), (Doubles{1, 1, 1}));
  EXPECT_EQ(pow(x, tensor({2, 0, 39}, i64)).at<std::int64_t>({2}), 4052555153018976267);
  EXPECT_EQ(pow(x, 0.5).dtype(), f32);
}

TEST(Arithmetic, EdgesOfThePower) {
  const Tensor zero = zeros({1}, f64).requires_grad_();
  sum(pow(zero, 2)).backward();
  EXPECT_EQ(zero.grad().item(), 0);
  zero.set_grad({});
  sum(pow(zero, 0)).backward();
  EXPECT_EQ(zero.grad().item(), 0);
  zero.set_grad({});
  sum(pow(zero, 1)).backward();
  EXPECT_EQ(zero.grad().item(), 1);
  zero.set_grad({});
  sum(pow(zero, 0.5)).backward();
  EXPECT_EQ(zero.grad().item(), kInf);

  const Tensor base = tensor({0, 0, 2}, f64).requires_grad_();
  const Tensor exponent = tensor({2, 0, 3}, f64).requires_grad_();
  sum(pow(base, exponent)).backward();
  EXPECT_EQ(base.grad().to_vector(), (Doubles{0, 0, 12}));
  EXPECT_TRUE(near(exponent.grad(), {0, 0, 8 * std::log(2.0)}));
}

TEST(Arithmetic, GradientsGoBackThroughBroadcastsToEmptyShapes) {
  const Tensor a = ones({1, 3}).requires_grad_();
  sum(a + zeros({0, 3})).backward();
  EXPECT_EQ(a.grad().to_vector(), (Doubles{0, 0, 0}));
}

struct UnaryCase {
  const char* name;
  Tensor (*f)(const Tensor&);
  double (*oracle)(double);
  Interval interval = {-6, 6};
};

TEST(Elementwise, FollowsTheDefinition) {
  const UnaryCase cases[] = {
      {"neg", [](const Tensor& x) { return -x; }, [](double x) { return -x; }},
      {"abs", abs, [](double x) { return std::fabs(x); }},
      {"exp", exp, [](double x) { return std::exp(x); }},
      {"log", log, [](double x) { return std::log(x); }, {0.01, 9}},
      {"sqrt", sqrt, [](double x) { return std::sqrt(x); }, {0, 9}},
      {"sin", sin, [](double x) { return std::sin(x); }},
      {"cos", cos, [](double x) { return std::cos(x); }},
      {"tanh", tanh, [](double x) { return std::tanh(x); }},
      {"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"relu", relu, [](double x) { return std::max(x, 0.0); }},
      {"gelu", [](const Tensor& x) { return gelu(x); },
       [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
      {"gelu_tanh", [](const Tensor& x) { return gelu(x, Gelu::kTanh); },
       [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }},
  };
  for (const UnaryCase& c : cases) {
    SCOPED_TRACE(c.name);
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{0, 3}, Shape{7, 11}, Shape{3, 20011}}) {
      const Tensor x = random_in(c.interval, shape);
      Doubles expected = x.to_vector();
      for (double& value : expected) value = c.oracle(value);
      EXPECT_EQ(c.f(x).shape(), shape);
      EXPECT_TRUE(near(c.f(x), expected, 1e-14));
      EXPECT_TRUE(near(c.f(x.to(f32)), expected, 1e-6));
    }
  }
}

TEST(Elementwise, ExtremesStayInTheirClass) {
  const Tensor x = tensor({-kInf, -800, 800, kInf, kNan}, f64);
  EXPECT_TRUE(near(sigmoid(x), {0, 0, 1, 1, kNan}));
  EXPECT_TRUE(near(tanh(x), {-1, -1, 1, 1, kNan}));
  EXPECT_TRUE(near(relu(x), {0, 0, 800, kInf, kNan}));
  EXPECT_TRUE(near(exp(x), {0, 0, kInf, kInf, kNan}));
  EXPECT_TRUE(near(abs(x), {kInf, 800, 800, kInf, kNan}));
  EXPECT_EQ(abs(tensor({-3, 4}, i64)).to_vector(), (Doubles{3, 4}));
  EXPECT_EQ((-tensor({-3, 4}, i64)).to_vector(), (Doubles{3, -4}));
}

TEST(Elementwise, GradientAtTheKinks) {
  const auto slope = [](Tensor (*f)(const Tensor&), double at) {
    const Tensor x = tensor({at}, f64).requires_grad_();
    sum(f(x)).backward();
    return x.grad().item();
  };
  EXPECT_EQ(slope(relu, 0), 0);
  EXPECT_EQ(slope(abs, 0), 0);
  EXPECT_EQ(slope(sqrt, 0), kInf);
}

}  // namespace
}  // namespace heed::test
