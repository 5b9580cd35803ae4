// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/gradcheck.h"

#include <algorithm>
#include <cmath>

namespace heed::test {
namespace {

using Values = std::vector<double>;

double norm(const Values& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool agree(double analytic, double numeric, double scale, double tolerance) {
  return std::isfinite(analytic) && std::isfinite(numeric) &&
         std::abs(analytic - numeric) <= tolerance * std::max({std::abs(numeric), scale, 1e-4});
}

class Check {
 public:
  Check(const Function& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options)
      : f_(f), inputs_(inputs), options_(options), generator_(options.seed) {}

  testing::AssertionResult run() {
    const Values out = evaluate(inputs_);
    std::int64_t entries = 0;
    for (const Tensor& x : inputs_) entries += x.numel() * static_cast<std::int64_t>(out.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].dtype() != f64) continue;
      const auto result =
          entries <= options_.largest_jacobian ? full(i, out.size()) : directions(i, out.size());
      if (!result) return result;
    }
    return testing::AssertionSuccess();
  }

 private:
  Values evaluate(const std::vector<Tensor>& inputs) const {
    return no_grad([&] { return f_(inputs); }).to_vector<double>();
  }

  Values evaluate_at(std::size_t input, const Values& values) const {
    std::vector<Tensor> moved = inputs_;
    moved[input] = from_vector(values, inputs_[input].shape());
    return evaluate(moved);
  }

  /// (f(x + step d) - f(x - step d)) / 2 step
  Values difference(std::size_t input, const Values& direction) const {
    Values plus = inputs_[input].to_vector<double>();
    Values minus = plus;
    for (std::size_t i = 0; i < plus.size(); ++i) {
      plus[i] += options_.step * direction[i];
      minus[i] -= options_.step * direction[i];
    }
    Values high = evaluate_at(input, plus);
    const Values low = evaluate_at(input, minus);
    for (std::size_t i = 0; i < high.size(); ++i) high[i] = (high[i] - low[i]) / (2 * options_.step);
    return high;
  }

  /// seed^T J, by the tape.
  Values gradient(std::size_t input, const Values& seed) const {
    std::vector<Tensor> leaves;
    for (const Tensor& x : inputs_)
      leaves.push_back(x.dtype() == f64 ? x.clone().detach().requires_grad_() : x);
    const Tensor out = f_(leaves);
    if (out.requires_grad()) out.backward(from_vector(seed, out.shape()));
    const Tensor grad = leaves[input].grad();
    return grad.defined() ? grad.to_vector<double>()
                          : Values(static_cast<std::size_t>(leaves[input].numel()), 0.0);
  }

  testing::AssertionResult full(std::size_t input, std::size_t outputs) const {
    const auto count = static_cast<std::size_t>(inputs_[input].numel());
    std::vector<Values> numeric;   // [entry of input][entry of output]
    std::vector<Values> analytic;  // [entry of output][entry of input]
    for (std::size_t i = 0; i < count; ++i) numeric.push_back(difference(input, one_hot(count, i)));
    for (std::size_t o = 0; o < outputs; ++o) analytic.push_back(gradient(input, one_hot(outputs, o)));
    double largest = 0;
    for (const Values& column : numeric) {
      for (double value : column) largest = std::max(largest, std::abs(value));
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t o = 0; o < outputs; ++o) {
        if (!agree(analytic[o][i], numeric[i][o], largest / 100, options_.tolerance)) {
          return testing::AssertionFailure()
                 << "d out[" << o << "] / d input " << input << "[" << i << "]: the tape gives "
                 << analytic[o][i] << ", central differences " << numeric[i][o];
        }
      }
    }
    return testing::AssertionSuccess();
  }

  testing::AssertionResult directions(std::size_t input, std::size_t outputs) {
    for (int n = 0; n < options_.directions; ++n) {
      const Values seed = random(outputs);
      const Values direction = random(static_cast<std::size_t>(inputs_[input].numel()));
      const Values grad = gradient(input, seed);
      const double analytic = dot(grad, direction);
      const double numeric = dot(difference(input, direction), seed);
      if (!agree(analytic, numeric, norm(grad) * norm(direction) / 1000, options_.tolerance)) {
        return testing::AssertionFailure()
               << "direction " << n << " of input " << input << ": the tape gives " << analytic
               << ", central differences " << numeric;
      }
    }
    return testing::AssertionSuccess();
  }

  static Values one_hot(std::size_t size, std::size_t at) {
    Values result(size, 0.0);
    result[at] = 1;
    return result;
  }

  Values random(std::size_t size) {
    return normal({static_cast<std::int64_t>(size)}, {}, f64, generator_).to_vector<double>();
  }

  const Function& f_;
  const std::vector<Tensor>& inputs_;
  GradcheckOptions options_;
  Generator generator_;
};

}  // namespace

testing::AssertionResult gradients_match(const Function& f, const std::vector<Tensor>& inputs,
                                         const GradcheckOptions& options) {
  return Check(f, inputs, options).run();
}

}  // namespace heed::test
