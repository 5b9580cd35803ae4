# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

left, right = heed.ones((2, 1, 4)), heed.ones((2, 4, 6))
print(left.shape, right.shape, heed.bmm(left, right).shape)

values = heed.arange(20).reshape((2, 10))
even, growing = heed.full((10,), 0.1), heed.softmax(heed.arange(10))
weights = heed.stack([even, growing])
print("weights", weights, sep="\n")
print("weights × values:", heed.bmm(weights.unsqueeze(1), values.unsqueeze(2)).reshape((2,)))
