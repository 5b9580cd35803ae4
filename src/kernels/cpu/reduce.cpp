// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sums, means and extremes over any dims. What is added to what depends on the number of reduced elements alone,
// never on strides or threads: elements, in row-major order, fall into leaves of kLeaf; a leaf is summed in kLanes
// interleaved lanes; leaves are joined pairwise, by a binary tree. Sums of f32 are carried in f64; the tree keeps
// the error of f64 sums at O(kLeaf / kLanes + log n) roundings.
#include "core/convert.h"
#include "core/dtype_dispatch.h"
#include "core/storage.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/loop.h"

#include <bit>
#include <limits>

namespace heed::kernels::cpu {
namespace {

constexpr std::int64_t kLeaf = 512;
constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kTile = 512;          // outputs side by side: their lanes just fill the first cache
constexpr std::int64_t kBlock = 64 * kLeaf;  // a thread's share where outputs are few: a power of 2 of leaves
constexpr std::int64_t kMostLevels = 64 - 9;  // log2 of the most leaves there can be

struct Sum {
  template <class Acc>
  static Acc identity() {
    return Acc{0};
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    if constexpr (std::is_same_v<Acc, std::int64_t>) {  // wraps around
      return static_cast<Acc>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    } else {
      return a + b;
    }
  }
};

struct Largest {
  template <class Acc>
  static Acc identity() {
    return std::is_floating_point_v<Acc> ? -std::numeric_limits<Acc>::infinity()
                                         : std::numeric_limits<Acc>::lowest();
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return a > b || a != a ? a : b;
  }
};

struct Smallest {
  template <class Acc>
  static Acc identity() {
    return std::is_floating_point_v<Acc> ? std::numeric_limits<Acc>::infinity()
                                         : std::numeric_limits<Acc>::max();
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return a < b || a != a ? a : b;
  }
};

/// Joins values pushed in order by a binary tree, holding one value per level. Each value is `width` wide.
template <class Op, class Acc, std::int64_t kWidth>
class Tree {
 public:
  void push(const Acc* values, std::int64_t width) {
    Acc carry[kWidth];
    std::copy_n(values, width, carry);
    std::int64_t level = 0;
    for (std::uint64_t bits = count_++; bits & 1; bits >>= 1, ++level) {
      for (std::int64_t i = 0; i < width; ++i) carry[i] = Op::join(levels_[level][i], carry[i]);
    }
    std::copy_n(carry, width, levels_[level]);
  }

  void finish(Acc* out, std::int64_t width) const {
    std::fill_n(out, width, Op::template identity<Acc>());
    bool first = true;
    std::uint64_t bits = count_;
    for (std::int64_t level = 0; bits != 0; bits >>= 1, ++level) {
      if (!(bits & 1)) continue;
      for (std::int64_t i = 0; i < width; ++i)
        out[i] = first ? levels_[level][i] : Op::join(levels_[level][i], out[i]);
      first = false;
    }
  }

 private:
  std::uint64_t count_ = 0;
  Acc levels_[kMostLevels][kWidth];
};

/// lane(l) for l in 0..kLanes, joined in one fixed order.
template <class Op, class Lane>
auto join_lanes(const Lane& lane) {
  return Op::join(Op::join(Op::join(lane(0), lane(4)), Op::join(lane(2), lane(6))),
                  Op::join(Op::join(lane(1), lane(5)), Op::join(lane(3), lane(7))));
}

template <class Op, class In, class Acc>
Acc leaf(const In* x, std::int64_t count) {
  Acc lanes[kLanes];
  std::fill_n(lanes, kLanes, Op::template identity<Acc>());
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] = Op::join(lanes[l], static_cast<Acc>(x[i + l]));
  }
  for (; i < count; ++i) lanes[i % kLanes] = Op::join(lanes[i % kLanes], static_cast<Acc>(x[i]));
  return join_lanes<Op>([&](int l) { return lanes[l]; });
}

/// Elements begin..end of one output, walked along the reduced dims.
template <class Op, class In, class Acc>
Acc reduce_one(const In* x, const LoopNest<1>& reduced, std::int64_t begin, std::int64_t end) {
  const std::int64_t row = reduced.inner_size();
  const std::int64_t stride = reduced.inner_strides()[0];
  Tree<Op, Acc, 1> tree;
  for (std::int64_t first = begin; first < end; first += kLeaf) {
    const std::int64_t count = std::min(kLeaf, end - first);
    const std::int64_t column = first % row;
    Acc value;
    if (stride == 1 && column + count <= row) {
      value = leaf<Op, In, Acc>(x + reduced.offsets(first / row)[0] + column, count);
    } else {
      In gathered[kLeaf];
      for (std::int64_t i = 0; i < count;) {
        const std::int64_t at = (first + i) % row;
        const std::int64_t run = std::min(count - i, row - at);
        const In* from = x + reduced.offsets((first + i) / row)[0] + at * stride;
        for (std::int64_t j = 0; j < run; ++j) gathered[i + j] = from[j * stride];
        i += run;
      }
      value = leaf<Op, In, Acc>(gathered, count);
    }
    if (end - begin <= kLeaf) return value;
    tree.push(&value, 1);
  }
  Acc result;
  tree.finish(&result, 1);
  return result;
}

/// Elements begin..end of `width` outputs whose inputs lie side by side: whole rows are added, so that reducing
/// outer dims (the gradient of a bias) reads memory in order.
template <class Op, class In, class Acc>
void reduce_tile(const In* x, const LoopNest<1>& reduced, std::int64_t begin, std::int64_t end, Acc* out,
                 std::int64_t width) {
  const std::int64_t row = reduced.inner_size();
  const std::int64_t stride = reduced.inner_strides()[0];
  Tree<Op, Acc, kTile> tree;
  for (std::int64_t first = begin; first < end; first += kLeaf) {
    Acc lanes[kLanes][kTile];
    for (auto& lane : lanes) std::fill_n(lane, width, Op::template identity<Acc>());
    const std::int64_t last = std::min(first + kLeaf, end);
    for (std::int64_t r = first; r < last;) {
      const std::int64_t at = r % row;
      const std::int64_t run = std::min(last - r, row - at);
      const In* from = x + reduced.offsets(r / row)[0] + at * stride;
      for (std::int64_t j = 0; j < run; ++j, from += stride) {
        Acc* lane = lanes[(r + j - first) % kLanes];
        for (std::int64_t i = 0; i < width; ++i) lane[i] = Op::join(lane[i], static_cast<Acc>(from[i]));
      }
      r += run;
    }
    Acc values[kTile];
    for (std::int64_t i = 0; i < width; ++i) {
      values[i] = join_lanes<Op>([&](int l) { return lanes[l][i]; });
    }
    tree.push(values, width);
  }
  tree.finish(out, width);
}

/// Threads share out the outputs or, when these are few and long, blocks of each output's elements.
template <class Op, class In, class Acc, class Out, class Finish>
void run(const ReduceParams& p, const Finish& finish) {
  const LoopNest<1> kept(p.kept, {p.kept_strides});
  const LoopNest<1> reduced(p.reduced, {p.reduced_strides});
  const std::int64_t length = reduced.outer_count() * reduced.inner_size();
  const std::int64_t columns = kept.inner_size();
  const std::int64_t kept_stride = kept.inner_strides()[0];
  const bool side_by_side = kept_stride == 1 && columns >= kLanes && reduced.inner_strides()[0] != 1;
  const std::int64_t width = side_by_side ? kTile : 1;
  const std::int64_t tiles_per_row = (columns + width - 1) / width;
  const std::int64_t tiles = kept.outer_count() * tiles_per_row;
  const In* in = static_cast<const In*>(p.in);
  Out* out = static_cast<Out*>(p.out);

  const auto outputs_of = [&](std::int64_t tile) {
    return std::min(width, columns - tile % tiles_per_row * width);
  };
  const auto reduce_part = [&](std::int64_t tile, std::int64_t begin, std::int64_t end, Acc* values) {
    const std::int64_t column = tile % tiles_per_row * width;
    const In* x = in + kept.offsets(tile / tiles_per_row)[0] + column * kept_stride;
    if (side_by_side) {
      reduce_tile<Op, In, Acc>(x, reduced, begin, end, values, outputs_of(tile));
    } else {
      *values = reduce_one<Op, In, Acc>(x, reduced, begin, end);
    }
  };
  const auto store = [&](std::int64_t tile, const Acc* values) {
    Out* to = out + tile / tiles_per_row * columns + tile % tiles_per_row * width;
    const std::int64_t count = outputs_of(tile);
    for (std::int64_t i = 0; i < count; ++i) to[i] = finish(values[i], length);
  };

  const std::int64_t blocks = (length + kBlock - 1) / kBlock;
  if (blocks <= 1 || tiles >= 4 * usable_threads()) {
    const std::int64_t grain =
        std::max<std::int64_t>(1, (1 << 15) / std::max<std::int64_t>(1, length * width));
    parallel_for(tiles, grain, [&](std::int64_t begin, std::int64_t end) {
      Acc values[kTile];
      for (std::int64_t tile = begin; tile < end; ++tile) {
        reduce_part(tile, 0, length, values);
        store(tile, values);
      }
    });
    return;
  }
  // A block is a whole subtree, so that joining blocks gives the same tree as joining leaves.
  const detail::Workspace<Acc> partial(static_cast<std::size_t>(tiles * blocks * width));
  parallel_for(tiles * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % blocks * kBlock;
      reduce_part(i / blocks, first, std::min(first + kBlock, length), partial.data() + i * width);
    }
  });
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t count = outputs_of(tile);
    Tree<Op, Acc, kTile> tree;
    for (std::int64_t i = tile * blocks; i < (tile + 1) * blocks; ++i)
      tree.push(partial.data() + i * width, count);
    Acc values[kTile];
    tree.finish(values, count);
    store(tile, values);
  }
}

template <class In>
void arg_max(const ReduceParams& p) {
  const LoopNest<1> kept(p.kept, {p.kept_strides});
  const LoopNest<1> reduced(p.reduced, {p.reduced_strides});
  const std::int64_t row = reduced.inner_size();
  const std::int64_t length = reduced.outer_count() * row;
  const std::int64_t stride = reduced.inner_strides()[0];
  const std::int64_t columns = kept.inner_size();
  const In* in = static_cast<const In*>(p.in);
  auto* out = static_cast<std::int64_t*>(p.out);
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 15) / std::max<std::int64_t>(1, length));
  parallel_for(kept.outer_count() * columns, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const In* x = in + kept.offsets(k / columns)[0] + k % columns * kept.inner_strides()[0];
      std::int64_t best = 0;
      In largest = x[0];
      for (std::int64_t first = 0; first < length && largest == largest; first += row) {
        const In* from = x + reduced.offsets(first / row)[0];
        for (std::int64_t j = 0; j < row && largest == largest; ++j) {
          const In value = from[j * stride];
          if (value > largest || value != value) {
            largest = value;
            best = first + j;
          }
        }
      }
      out[k] = best;
    }
  });
}

template <class In>
void reduce_as(const ReduceParams& p) {
  using SumAcc = std::conditional_t<std::is_floating_point_v<In>, double, std::int64_t>;
  using SumOut = std::conditional_t<std::is_floating_point_v<In>, In, std::int64_t>;
  using MeanOut = std::conditional_t<std::is_floating_point_v<In>, In, float>;
  switch (p.op) {
    case ReduceOp::kSum:
      return run<Sum, In, SumAcc, SumOut>(p, [](SumAcc x, std::int64_t) { return static_cast<SumOut>(x); });
    case ReduceOp::kMean:
      return run<Sum, In, double, MeanOut>(
          p, [](double x, std::int64_t n) { return static_cast<MeanOut>(x / static_cast<double>(n)); });
    case ReduceOp::kMax: return run<Largest, In, In, In>(p, [](In x, std::int64_t) { return x; });
    case ReduceOp::kMin: return run<Smallest, In, In, In>(p, [](In x, std::int64_t) { return x; });
    case ReduceOp::kArgMax: return arg_max<In>(p);
  }
}

}  // namespace

void reduce(const ReduceParams& p) {
  visit_dtype(p.dtype, [&](auto zero) { reduce_as<decltype(zero)>(p); });
}

}  // namespace heed::kernels::cpu
