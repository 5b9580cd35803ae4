// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Memory behind tensors: owned (64-byte aligned, counted) or borrowed with an owner.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace heed::detail {

/// Counted, limited, 64-byte aligned. Failure is an Error, never std::bad_alloc.
void* allocate(std::size_t bytes);
void release(void* data, std::size_t bytes) noexcept;
/// Back to the C library, uncounted.
void free_block(void* data) noexcept;

class Storage {
 public:
  explicit Storage(std::size_t bytes);
  Storage(void* data, std::shared_ptr<void> owner, bool writable) noexcept;
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const noexcept { return data_; }
  bool writable() const noexcept { return writable_; }

  /// Counts changes in place, so that a graph can tell that what it recorded is no more.
  std::uint64_t version() const noexcept { return version_.load(std::memory_order_relaxed); }
  void bump_version() noexcept { version_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::byte* data_;
  std::size_t owned_bytes_;
  bool borrowed_;
  std::shared_ptr<void> owner_;
  bool writable_;
  std::atomic<std::uint64_t> version_{0};
};

/// Scratch memory of one kernel call, counted like tensors.
template <class T>
class Workspace {
 public:
  explicit Workspace(std::size_t count)
      : bytes_(count * sizeof(T)), data_(static_cast<T*>(allocate(bytes_))) {}
  Workspace(Workspace&& other) noexcept : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}
  ~Workspace() {
    if (data_) release(data_, bytes_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  T* data() const noexcept { return data_; }
  T& operator[](std::int64_t i) const noexcept { return data_[i]; }

 private:
  std::size_t bytes_;
  T* data_;
};

}  // namespace heed::detail
