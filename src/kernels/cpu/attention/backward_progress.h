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
  BackwardProgress(std::int64_t at_once, std::int64_t chunks, std::int64_t spans)
      : at_once_(at_once), chunks_(chunks), spans_(spans), places_(static_cast<std::size_t>(at_once)) {
    for (std::int64_t at = 0; at < at_once; ++at) {
      Place& place = places_[static_cast<std::size_t>(at)];
      place.head = at;
      place.of_chunk = Counts(static_cast<std::size_t>(chunks));
      place.of_span = Counts(static_cast<std::size_t>(spans));
    }
  }

  std::int64_t place(std::int64_t head) const { return head % at_once_; }
  bool may_begin(std::int64_t head) const { return at(head).head.load(std::memory_order_acquire) == head; }

  /// A task is done. Calls chunk_done() after the last one of its chunk, span_done() after the last one of its span; when
  /// these have returned for all chunks and spans of a head, the next head may have its place.
  template <class ChunkDone, class SpanDone>
  void task_done(std::int64_t head, std::int64_t chunk, std::int64_t span, const ChunkDone& chunk_done,
                 const SpanDone& span_done) {
    Place& place = at(head);
    std::int64_t ended = 0;
    if (last_of(place.of_chunk, chunk, spans_)) {
      chunk_done();
      ++ended;
    }
    if (last_of(place.of_span, span, chunks_)) {
      span_done();
      ++ended;
    }
    if (ended == 0) return;
    if (place.ended.fetch_add(ended, std::memory_order_acq_rel) + ended < chunks_ + spans_) return;
    place.ended.store(0, std::memory_order_relaxed);
    place.head.store(head + at_once_, std::memory_order_release);
  }

 private:
  using Counts = std::vector<std::atomic<std::int64_t>>;
  struct Place {
    std::atomic<std::int64_t> head{0}, ended{0};
    Counts of_chunk, of_span;
  };

  const Place& at(std::int64_t head) const { return places_[static_cast<std::size_t>(place(head))]; }
  Place& at(std::int64_t head) { return places_[static_cast<std::size_t>(place(head))]; }

  static bool last_of(Counts& counts, std::int64_t n, std::int64_t all) {
    std::atomic<std::int64_t>& done = counts[static_cast<std::size_t>(n)];
    if (done.fetch_add(1, std::memory_order_acq_rel) + 1 < all) return false;
    done.store(0, std::memory_order_relaxed);
    return true;
  }

  std::int64_t at_once_, chunks_, spans_;
  std::vector<Place> places_;
};

}  // namespace heed::kernels::cpu
