// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which tasks of a backward pass are done, so that whoever finishes the last one of a gradient adds up its partial sums, and
// nobody waits for everybody.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::kernels::cpu {

/// Heads come one after another, at most `at_once` of them under way: head n is in place n % at_once, and begins when the
/// head before it in that place has ended.
class BackwardProgress {
 public:
  BackwardProgress(std::int64_t heads, std::int64_t at_once, std::int64_t chunks, std::int64_t spans)
      : at_once_(at_once),
        chunks_(chunks),
        spans_(spans),
        counted_(at_once < heads || chunks * spans > 1),
        counts_(static_cast<std::size_t>(counted_ ? at_once * place_size() : 0)) {
    for (std::int64_t head = 0; counted_ && head < at_once; ++head) head_in_place(head) = head;
  }

  std::int64_t place(std::int64_t head) const { return head % at_once_; }
  bool may_begin(std::int64_t head) {
    return !counted_ || head_in_place(head).load(std::memory_order_acquire) == head;
  }

  /// A task is done. Calls chunk_done() after the last one of its chunk, span_done() after the last one of its span; when
  /// these have returned for all chunks and spans of a head, the next head may have its place. Where a head is one task and
  /// has a place to itself there is nothing to wait for or to add up, and neither is called.
  template <class ChunkDone, class SpanDone>
  void task_done(std::int64_t head, std::int64_t chunk, std::int64_t span, const ChunkDone& chunk_done,
                 const SpanDone& span_done) {
    if (!counted_) return;
    std::int64_t ended = 0;
    if (one_more(of_chunk(head, chunk), 1, spans_)) {
      chunk_done();
      ++ended;
    }
    if (one_more(of_span(head, span), 1, chunks_)) {
      span_done();
      ++ended;
    }
    if (ended > 0 && one_more(ended_of(head), ended, chunks_ + spans_))
      head_in_place(head).store(head + at_once_, std::memory_order_release);
  }

 private:
  using Count = std::atomic<std::int64_t>;

  /// Of a place: the head that has it, its chunks and spans that have ended, and the tasks done of each of these.
  std::int64_t place_size() const { return 2 + chunks_ + spans_; }
  Count& count(std::int64_t head, std::int64_t n) {
    return counts_[static_cast<std::size_t>(place(head) * place_size() + n)];
  }
  Count& head_in_place(std::int64_t head) { return count(head, 0); }
  Count& ended_of(std::int64_t head) { return count(head, 1); }
  Count& of_chunk(std::int64_t head, std::int64_t chunk) { return count(head, 2 + chunk); }
  Count& of_span(std::int64_t head, std::int64_t span) { return count(head, 2 + chunks_ + span); }

  /// Whether these were the last of `all`; the count is then ready for the next head.
  static bool one_more(Count& done, std::int64_t more, std::int64_t all) {
    if (done.fetch_add(more, std::memory_order_acq_rel) + more < all) return false;
    done.store(0, std::memory_order_relaxed);
    return true;
  }

  std::int64_t at_once_, chunks_, spans_;
  bool counted_;
  std::vector<Count> counts_;
};

}  // namespace heed::kernels::cpu
