// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// HEED_API marks what users may link against; everything else stays hidden in the shared library.
#pragma once

#if defined(HEED_STATIC)
#define HEED_API
#elif defined(_WIN32)
#if defined(HEED_BUILDING)
#define HEED_API __declspec(dllexport)
#else
#define HEED_API __declspec(dllimport)
#endif
#else
#define HEED_API __attribute__((visibility("default")))
#endif
