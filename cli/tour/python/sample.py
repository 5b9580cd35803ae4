# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

Q = heed.tensor([[57.0, 83.0], [55.0, 76.0]], dtype=heed.f64)  # waist, chest
K = heed.tensor([[51.0, 70.0], [56.0, 82.0], [56.0, 82.0]], dtype=heed.f64)
V = heed.tensor([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]], dtype=heed.f64)  # weight, height
print("Q Kᵀ", Q @ K.transpose(0, 1), sep="\n")
print("Q Kᵀ V", Q @ K.transpose(0, 1) @ V, sep="\n")
scores = {"Q Kᵀ": heed.Dot(), "Q Kᵀ / √2": heed.ScaledDot(), "Q Kᵀ / 1000": heed.ScaledDot(scale=1e-3)}
for name, score in scores.items():
    result = heed.attend_with_weights(Q, K, V, score=score)
    print(f"softmax({name})", result.weights(), sep="\n")
    print(f"softmax({name}) V", result.output, sep="\n")
