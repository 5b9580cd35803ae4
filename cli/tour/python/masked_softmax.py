# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

heed.seed(0)
scores = heed.rand((2, 2, 4))
print("scores", scores, sep="\n")
print("lengths 2 and 3, one for each batch")
print(heed.masked_softmax(scores, heed.tensor([2, 3])))
print("lengths (1, 3) and (2, 4), one for each query")
print(heed.masked_softmax(scores, heed.tensor([[1, 3], [2, 4]])))
print("lengths 0 and 4")
print(heed.masked_softmax(scores, heed.tensor([0, 4])))
