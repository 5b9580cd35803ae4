// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Strides, offsets and the edges of memory: any layout equals the contiguous one bit for bit, and nothing outside an
// operand is read or written.
#include "support/attention_cases.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

namespace heed::test {
namespace {

/// The same values in memory of another layout.
using Layout = Tensor (*)(const Tensor&);

Tensor reversed(const Tensor& x) {
  Tensor y = x;
  for (std::int64_t dim = 0; dim < x.rank(); ++dim) y = y.slice(dim, {.step = -1});
  y = y.clone();
  for (std::int64_t dim = 0; dim < x.rank(); ++dim) y = y.slice(dim, {.step = -1});
  return y;
}

Tensor transposed(const Tensor& x) { return x.transpose(-2, -1).clone().transpose(-2, -1); }

Tensor with_gaps(const Tensor& x) {
  Shape shape = x.shape();
  for (std::int64_t dim = 0; dim < shape.rank(); ++dim) shape[dim] = 2 * shape[dim] + 1;
  Tensor y = full(shape, std::nan(""), x.dtype());
  for (std::int64_t dim = 0; dim < shape.rank(); ++dim) y = y.slice(dim, {.start = 1, .step = 2});
  y.copy_(x);
  return y;
}

Tensor heads_inside(const Tensor& x) {
  return x.rank() == 4 ? x.transpose(1, 2).clone().transpose(1, 2) : x.clone();
}

class Strides : public testing::TestWithParam<ScoreName> {};

TEST_P(Strides, AnyLayoutGivesTheBitsOfTheContiguousOne) {
  Generator g(41);
  const Layout layouts[] = {reversed, transposed, with_gaps, heads_inside};
  for (int n = 0; n < 60; ++n) {
    const AttentionCase c = n % 20 == 0 ? random_long_case(g, GetParam()) : random_case(g, GetParam());
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    const Tensor seed = normal(p.attend().shape(), {}, f64, g);
    const auto run = [&](const AttentionProblem& problem, const Tensor& grad) {
      const std::vector<Tensor> leaves = problem.differentiable();
      for (const Tensor& leaf : leaves) leaf.requires_grad_().set_grad({});
      const Tensor out = problem.attend();
      out.backward(grad);
      std::vector<Tensor> results = {out.detach()};
      for (const Tensor& leaf : leaves) results.push_back(leaf.grad());
      return results;
    };
    const std::vector<Tensor> expected = run(p, seed);
    for (const Layout layout : layouts) {
      AttentionProblem other = p;
      other.queries = layout(p.queries.detach());
      other.keys = layout(p.keys.detach());
      other.values = layout(p.values.detach());
      if (p.options.bias.defined()) other.options.bias = layout(p.options.bias.detach());
      const std::vector<Tensor> got = run(other, layout(seed));
      for (std::size_t m = 0; m < expected.size(); ++m)
        ASSERT_TRUE(identical(got[m], expected[m])) << "result " << m;
    }
  }
}

/// The same values, some elements after the beginning of a cache line.
Tensor within_a_line(const Tensor& x) {
  const std::int64_t n = x.numel();
  const Tensor y = zeros({n + 4}, x.dtype()).slice(0, {.start = 4});
  y.copy_(x.reshape({n}));
  return y.reshape(x.shape());
}

TEST(Alignment, RowsThatBeginWithinALineGiveTheBitsOfThoseThatDoNot) {
  Generator g(44);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t width : {64, 72, 96, 100, 128, 130, 192, 200, 256}) {
      SCOPED_TRACE(width);
      const Tensor q = normal({2, 70, width}, {}, dtype, g), k = normal({2, 200, width}, {}, dtype, g),
                   v = normal({2, 200, width}, {}, dtype, g), seed = normal({2, 70, width}, {}, dtype, g);
      const auto run = [&](Layout layout) {
        std::vector<Tensor> results;
        for (const Tensor& x : {q, k, v}) results.push_back(layout(x).requires_grad_());
        const Tensor out = attend(results[0], results[1], results[2]);
        out.backward(layout(seed));
        for (Tensor& x : results) x = x.grad();
        results.push_back(out.detach());
        return results;
      };
      const std::vector<Tensor> expected = run([](const Tensor&x) { return x.clone(); }),
                                got = run(within_a_line);
      for (std::size_t n = 0; n < expected.size(); ++n)
        ASSERT_TRUE(identical(got[n], expected[n])) << "result " << n;
    }
  }
}

TEST(Broadcast, StrideZeroEqualsACopy) {
  Generator g(42);
  const Tensor q = normal({1, 4, 3}, {}, f64, g).expand({5, 4, 3});
  const Tensor k = normal({1, 6, 3}, {}, f64, g).expand({5, 6, 3}),
               v = normal({5, 1, 2}, {}, f64, g).expand({5, 6, 2});
  EXPECT_TRUE(identical(attend(q, k, v), attend(q.clone(), k.clone(), v.clone())));
}

/// Memory that ends (or starts) at a page no one may touch.
class GuardedMemory {
 public:
  GuardedMemory(const Tensor& x, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = static_cast<std::size_t>(x.numel()) * size_of(x.dtype());
    const std::size_t inside = (bytes + page - 1) / page * page;
    size_ = inside + 2 * page;
    base_ =
        static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(static_cast<void*>(base_), MAP_FAILED);
    mprotect(base_, page, PROT_NONE);
    mprotect(base_ + page + inside, page, PROT_NONE);
    char* data = base_ + page + (at_end ? inside - bytes : 0);
    tensor_ = borrow(reinterpret_cast<float*>(data), x.shape());
    tensor_.copy_(x);
  }
  ~GuardedMemory() { munmap(base_, size_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  const Tensor& tensor() const { return tensor_; }

 private:
  char* base_ = nullptr;
  std::size_t size_ = 0;
  Tensor tensor_;
};

TEST_P(Strides, NothingBesideTheOperandsIsTouched) {
  Generator g(43);
  for (int n = 0; n < 30; ++n) {
    AttentionCase c = n % 10 == 0 ? random_long_case(g, GetParam()) : random_case(g, GetParam());
    c.dtype = f32;
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    const Tensor expected = p.attend();
    for (const bool at_end : {false, true}) {
      const GuardedMemory q(p.queries, at_end), k(p.keys, at_end), v(p.values, at_end);
      AttentionProblem guarded = p;
      guarded.queries = q.tensor();
      guarded.keys = k.tensor();
      guarded.values = v.tensor();
      for (const Tensor& leaf : guarded.differentiable()) leaf.requires_grad_().set_grad({});
      const Tensor out = guarded.attend();
      ASSERT_TRUE(identical(out.detach(), expected));
      out.backward(ones_like(out));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, Strides, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

}  // namespace
}  // namespace heed::test
