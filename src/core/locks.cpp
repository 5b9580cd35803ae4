// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/locks.h"

#include <pthread.h>

namespace heed::detail {
namespace {

void lock_all() {
  locks().gradients.lock();
  locks().blocks.lock();
}

void unlock_all() {
  locks().blocks.unlock();
  locks().gradients.unlock();
}

Locks& new_locks() {
  pthread_atfork(lock_all, unlock_all, unlock_all);
  return *new Locks;
}

}  // namespace

Locks& locks() {
  // Never destroyed: tensors with static storage may outlive them.
  static Locks& locks = new_locks();
  return locks;
}

}  // namespace heed::detail
