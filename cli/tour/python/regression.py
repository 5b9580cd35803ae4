# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed


def curve(x):
    return 2 * heed.sin(x) + x**0.8


heed.seed(0)
x = heed.tensor(sorted((heed.rand((50,)) * 5).tolist()))
y = curve(x) + heed.normal((50,), stddev=0.5)
grid = heed.arange(0, 5, 0.1)


def error(guess):
    return heed.mse_loss(guess, curve(grid)).item()


def fixed(bandwidth):
    score = heed.Gaussian(bandwidth=bandwidth)
    return heed.attend(grid.unsqueeze(1), x.unsqueeze(1), y.unsqueeze(1), score=score).squeeze(1)


# No point may look at itself, or it would only look at itself.
keys, values = heed.nn.leave_one_out(x), heed.nn.leave_one_out(y)
net = heed.nn.NWKernelRegression()
sgd = heed.optim.SGD(net.parameters(), lr=0.5)
losses, widths = [], []
for epoch in range(6):
    loss = heed.l2_loss(net(x, keys, values), y).sum()
    losses.append(loss.item())
    widths.append(net.w.item())
    if epoch < 5:
        sgd.zero_grad()
        loss.backward()
        sgd.step()

print("loss:", heed.tensor(losses))
print("w:   ", heed.tensor(widths))
print(f"error of the average:   {error(fixed(float('inf'))):.4g}")
print(f"error with w = 1:       {error(fixed(1)):.4g}")
print(f"error with the learned: {error(net(grid, x, y)):.4g}")
