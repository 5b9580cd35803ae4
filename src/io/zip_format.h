// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of the ZIP format, for reading and writing.
#pragma once

#include <cstdint>

namespace heed::io::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034B50;
inline constexpr std::uint32_t kDirectoryEntry = 0x02014B50;
inline constexpr std::uint32_t kEnd = 0x06054B50;
inline constexpr std::uint32_t kEnd64 = 0x06064B50;
inline constexpr std::uint32_t kEnd64Locator = 0x07064B50;
inline constexpr std::uint32_t kDescriptor = 0x08074B50;

inline constexpr std::uint64_t kLocalHeaderSize = 30;
inline constexpr std::uint64_t kDirectoryEntrySize = 46;
inline constexpr std::uint64_t kEndSize = 22;
inline constexpr std::uint64_t kEnd64Size = 56;
inline constexpr std::uint64_t kEnd64LocatorSize = 20;

inline constexpr std::uint16_t kEncryptedFlag = 1U << 0U;
inline constexpr std::uint16_t kSizesAfterDataFlag = 1U << 3U;
inline constexpr std::uint16_t kUtf8Flag = 1U << 11U;

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;

/// An extra field with this tag holds the 64-bit values of the fields that are all ones.
inline constexpr std::uint16_t kZip64Extra = 1;
inline constexpr std::uint32_t kInExtra32 = 0xFFFFFFFF;
inline constexpr std::uint16_t kInExtra16 = 0xFFFF;

}  // namespace heed::io::zip
