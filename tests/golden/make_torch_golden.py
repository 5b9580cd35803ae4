# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Makes the golden numbers that the tests compare against, with PyTorch.

Run it from anywhere, with a Python that has PyTorch installed (the CPU build is enough):

    python tests/golden/make_torch_golden.py

It writes two files beside itself:

    torch_golden.txt                inputs, outputs and gradients of small cases
    multi_head_attention_tree.txt   a printed module tree

The tests only read those files; neither building nor testing needs Python or PyTorch.
The PyTorch version used is written into the first line of torch_golden.txt.

Inputs are drawn from a seed made from the case's name, so adding a case leaves the others as
they were, and are rounded to multiples of 1/64, so that they are exact in float32 as well.
Everything is float64 but the cases whose name ends in `_f32`; one that has a float64 twin has
the same inputs. The file format is described in README.md.
"""

import math
import zlib
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent
FORMATS = {torch.float32: ("f32", "%.9g"), torch.float64: ("f64", "%.17g"),
           torch.int64: ("i64", "%d"), torch.bool: ("bool", "%d")}
CASES = []


class Case:
    """One block of the file: named scalars and tensors, in the order they were stored."""

    def __init__(self, name, **scalars):
        self.name = name
        self.dtype = torch.float32 if name.endswith("_f32") else torch.float64
        self.scalars, self.tensors, self.leaves = {}, {}, {}
        for key, value in scalars.items():
            self.scalar(key, value)
        assert all(name != other.name for other in CASES)
        CASES.append(self)
        torch.manual_seed(zlib.crc32(name.removesuffix("_f32").encode()))

    def draw(self, *shape, scale=1.0):
        numbers = torch.randn(*shape, dtype=torch.float64) * scale
        return (torch.round(numbers * 64) / 64 + 0.0).to(self.dtype)  # + 0.0: no negative zeros

    def scalar(self, key, value):
        assert key not in self.scalars
        self.scalars[key] = value.item() if isinstance(value, torch.Tensor) else value

    def tensor(self, key, value):
        assert key not in self.tensors and value.dim() > 0
        self.tensors[key] = value.detach().clone()
        return value

    def adopt(self, key, leaf):
        """Stores a tensor whose gradient is wanted as well."""
        self.leaves[key] = self.tensor(key, leaf).requires_grad_()
        return leaf

    def leaf(self, key, *shape, scale=1.0):
        return self.adopt(key, self.draw(*shape, scale=scale))

    def module(self, module):
        """Gives every parameter of a module drawn numbers, and stores it under its own name."""
        module.to(self.dtype)
        for key, parameter in module.named_parameters():
            parameter.data = self.draw(*parameter.shape, scale=0.5)
            self.adopt(key, parameter)
        return module

    def finish(self, out):
        """Stores the output and, for a drawn upstream gradient, the gradient of every leaf."""
        if out.dim() == 0:
            self.scalar("loss", out)
            out.backward()
        else:
            self.tensor("out", out)
            out.backward(self.tensor("grad_out", self.draw(*out.shape)))
        for key, leaf in self.leaves.items():
            self.tensor("grad_" + key, leaf.grad)


def softmax_cases():
    functions = {"softmax": torch.softmax, "log_softmax": torch.log_softmax, "logsumexp": torch.logsumexp}
    for name, function in functions.items():
        for suffix, dim in {"last": 2, "middle": 1, "last_f32": 2}.items():
            case = Case(f"{name}_{suffix}", dim=dim)
            case.finish(function(case.leaf("x", 2, 3, 5, scale=2), dim))
    for name in ("softmax", "logsumexp"):  # some entries masked out, no row wholly
        case = Case(f"{name}_neg_inf", dim=1)
        x = case.draw(3, 5)
        x[0, 1] = x[1, 0] = x[1, 4] = -math.inf
        case.finish(functions[name](case.adopt("x", x), 1))


def sdpa(name, B=2, H=2, Hkv=None, Lq=3, Lk=5, D=3, Dv=None, is_causal=False, scale=None, mask=None):
    case = Case(name, is_causal=is_causal, scale=scale or 1 / math.sqrt(D))
    q = case.leaf("q", B, H, Lq, D)
    k = case.leaf("k", B, Hkv or H, Lk, D)
    v = case.leaf("v", B, Hkv or H, Lk, Dv or D)
    attn_mask = None
    if mask == "bool":
        attn_mask = torch.rand(B, 1, Lq, Lk) < 0.5
        attn_mask[..., 2] |= ~attn_mask.any(-1)
        case.tensor("mask", attn_mask)
    elif mask == "bias":
        attn_mask = case.leaf("bias", 1, H, Lq, Lk)
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=attn_mask, is_causal=is_causal, scale=scale, enable_gqa=Hkv is not None)

    # The same in plain operations: gives the log-sum-exp, and checks what was stored.
    with torch.no_grad():
        groups = H // (Hkv or H)
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        scores = q @ k.transpose(-2, -1) * case.scalars["scale"]
        if is_causal:
            scores = scores.masked_fill(~torch.ones(Lq, Lk, dtype=torch.bool).tril(), -math.inf)
        if mask == "bool":
            scores = scores.masked_fill(~attn_mask, -math.inf)
        elif mask == "bias":
            scores = scores + attn_mask
        case.tensor("lse", torch.logsumexp(scores, -1))
        torch.testing.assert_close(torch.softmax(scores, -1) @ v, out)
    case.finish(out)


def sdpa_cases():
    sdpa("sdpa_plain")
    sdpa("sdpa_plain_f32")
    sdpa("sdpa_causal", Lq=5, is_causal=True)
    sdpa("sdpa_causal_f32", Lq=5, is_causal=True)
    sdpa("sdpa_causal_fewer_queries", Lq=3, Lk=5, is_causal=True)
    sdpa("sdpa_causal_more_queries", Lq=5, Lk=3, is_causal=True)
    sdpa("sdpa_bool_mask", mask="bool")
    sdpa("sdpa_bias", mask="bias")
    sdpa("sdpa_scale", scale=0.3)
    sdpa("sdpa_gqa", H=6, Hkv=2)
    sdpa("sdpa_gqa_causal", B=1, H=6, Hkv=2, Lq=5, is_causal=True)
    sdpa("sdpa_value_size", Dv=5)


def multihead_cases():
    for name, kdim, vdim in (("mha", 12, 12), ("mha_kdim_vdim", 7, 9)):
        case = Case(name, embed_dim=12, num_heads=3, kdim=kdim, vdim=vdim)
        mha = case.module(nn.MultiheadAttention(12, 3, bias=True, batch_first=True, dropout=0.0, kdim=kdim, vdim=vdim))
        query = case.leaf("query", 2, 4, 12)
        key = case.leaf("key", 2, 5, kdim)
        value = case.leaf("value", 2, 5, vdim)
        padding = case.tensor("key_padding_mask", torch.tensor([[0, 0, 0, 0, 1], [0, 0, 1, 1, 1]], dtype=torch.bool))
        out, weights = mha(query, key, value, key_padding_mask=padding, average_attn_weights=False)
        case.tensor("weights", weights)
        case.finish(out)


def book_cases():
    """Layers as Dive into Deep Learning writes them."""
    for name, valid_lens in (("additive", [2, 6]), ("additive_per_query", [[1, 7, 3], [4, 2, 6]])):
        case = Case(name, hidden=8)
        queries, keys, values = case.leaf("queries", 2, 3, 5), case.leaf("keys", 2, 7, 2), case.leaf("values", 2, 7, 4)
        W_q, W_k, w_v = case.leaf("W_q", 8, 5), case.leaf("W_k", 8, 2), case.leaf("w_v", 1, 8)
        lens = case.tensor("valid_lens", torch.tensor(valid_lens))
        features = F.linear(queries, W_q).unsqueeze(2) + F.linear(keys, W_k).unsqueeze(1)
        scores = F.linear(torch.tanh(features), w_v).squeeze(-1)
        valid = torch.arange(7) < (lens[:, None, None] if lens.dim() == 1 else lens[:, :, None])
        weights = case.tensor("weights", torch.softmax(scores.masked_fill(~valid, -1e6), -1))
        case.finish(torch.bmm(weights, values))

    case = Case("nadaraya_watson")
    queries, keys, values = case.leaf("queries", 6), case.leaf("keys", 6, 5), case.leaf("values", 6, 5)
    w = case.leaf("w", 1)
    weights = case.tensor("weights", torch.softmax(-((queries[:, None] - keys) * w) ** 2 / 2, dim=1))
    case.finish((weights * values).sum(1))

    case = Case("positional_encoding_f32", num_steps=60, num_hiddens=32)
    P = torch.zeros(60, 32)
    X = torch.arange(60, dtype=torch.float32).reshape(-1, 1) / torch.pow(
        10000, torch.arange(0, 32, 2, dtype=torch.float32) / 32)
    P[:, 0::2], P[:, 1::2] = torch.sin(X), torch.cos(X)
    case.tensor("out", P)


def layer_cases():
    for name, shape in (("layer_norm_last", (5,)), ("layer_norm_last_two", (3, 5)), ("layer_norm_last_f32", (5,))):
        case = Case(name, eps=1e-5, normalized_dims=len(shape))
        x, weight, bias = case.leaf("x", 2, 3, 5), case.leaf("weight", *shape), case.leaf("bias", *shape)
        case.finish(F.layer_norm(x, shape, weight, bias, 1e-5))

    functions = {"gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
                 "sigmoid": torch.sigmoid, "tanh": torch.tanh, "relu": torch.relu}
    for name, function in functions.items():
        case = Case(name)
        x = case.draw(3, 7, scale=2)
        x[1, 3] = 0
        case.finish(function(case.adopt("x", x)))

    case = Case("cross_entropy")
    logits = case.leaf("x", 7, 5, scale=2)
    case.finish(F.cross_entropy(logits, case.tensor("target", torch.randint(5, (7,)))))

    case = Case("mse_loss")
    case.finish(F.mse_loss(case.leaf("x", 3, 5), case.leaf("target", 3, 5)))

    case = Case("embedding")
    indices = case.tensor("indices", torch.tensor([[4, 0, 4], [6, 4, 1]]))  # one thrice, some never
    case.finish(F.embedding(indices, case.leaf("weight", 7, 3)))

    for name in ("linear", "linear_f32"):
        case = Case(name)
        linear = case.module(nn.Linear(5, 3))
        case.finish(linear(case.leaf("x", 2, 7, 5)))


def optimiser_cases():
    settings = {
        "sgd": dict(lr=0.05),
        "sgd_momentum": dict(lr=0.05, momentum=0.9),
        "sgd_momentum_weight_decay": dict(lr=0.05, momentum=0.9, weight_decay=0.01),
        "sgd_nesterov": dict(lr=0.05, momentum=0.9, nesterov=True),
        "sgd_dampening": dict(lr=0.05, momentum=0.9, dampening=0.1),
        "adam": dict(lr=0.1),
        "adam_weight_decay": dict(lr=0.1, weight_decay=0.1),
        # With the default beta2 the second moment only grows in ten steps, and amsgrad does nothing.
        "adam_betas": dict(lr=0.1, betas=(0.9, 0.5)),
        "adam_amsgrad": dict(lr=0.1, betas=(0.9, 0.5), amsgrad=True),
        "adamw": dict(lr=0.1, weight_decay=0.1),
    }
    kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    for name, options in settings.items():
        case = Case("optim_" + name)
        torch.manual_seed(6)  # one problem for all of them
        A, b = case.tensor("A", case.draw(5, 5, scale=0.5)), case.tensor("b", case.draw(5))
        p = case.tensor("p0", case.draw(5)).requires_grad_()
        optimiser = kinds[name.split("_")[0]]([p], **options)
        for key, value in optimiser.defaults.items():
            if key == "betas":
                case.scalar("beta1", value[0])
                case.scalar("beta2", value[1])
            elif key in options or key == "eps":
                case.scalar(key, value)
        steps, losses = [], []

        def loss():
            return ((A @ p - b) ** 2).sum() + torch.sin(p).sum()

        for _ in range(10):
            optimiser.zero_grad()
            value = loss()
            value.backward()
            optimiser.step()
            steps.append(p.detach().clone())
            losses.append(value.detach())
        case.tensor("p", torch.stack(steps))  # after each step
        case.tensor("losses", torch.stack(losses))  # before each step
        case.scalar("final_loss", loss())

    for name, max_norm in (("clip_grad_norm", 1.5), ("clip_grad_norm_not_needed", 100.0)):
        case = Case(name, max_norm=max_norm)
        parameters = {"a": torch.zeros(3, 5, dtype=case.dtype), "b": torch.zeros(7, dtype=case.dtype)}
        for key, parameter in parameters.items():
            parameter.grad = case.tensor(f"grad_{key}_before", case.draw(*parameter.shape))
        case.scalar("total_norm", nn.utils.clip_grad_norm_(parameters.values(), max_norm))
        for key, parameter in parameters.items():
            case.tensor(f"grad_{key}_after", parameter.grad)


def named_module(name, **children):
    module = type(name, (nn.Module,), {})()
    for key, child in children.items():
        module.add_module(key, child)
    return module


def write_tree(path):
    """The book's MultiHeadAttention(100, 100, 100, 100, 5, 0.5), as far as printing it goes."""
    attention = named_module("DotProductAttention", dropout=nn.Dropout(0.5))
    linears = {key: nn.Linear(100, 100, bias=False) for key in ("W_q", "W_k", "W_v", "W_o")}
    tree = named_module("MultiHeadAttention", attention=attention, **linears)
    path.write_text(f"{tree.eval()}\n", encoding="ascii", newline="\n")


def write_golden(path):
    lines = [f"# made by make_torch_golden.py with torch {torch.__version__}"]
    for case in CASES:
        lines.append(f"case {case.name}")
        for key, value in case.scalars.items():
            lines.append(f"scalar {key} {value:.17g}" if isinstance(value, float) else f"scalar {key} {int(value)}")
        for key, value in case.tensors.items():
            dtype, number_format = FORMATS[value.dtype]
            head = ["tensor", key, dtype, str(value.dim()), *map(str, value.shape), ":"]
            lines.append(" ".join(head + [number_format % number for number in value.flatten().tolist()]))
        lines.append("end")
    path.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


def main():
    torch.set_num_threads(1)
    for make in (softmax_cases, sdpa_cases, multihead_cases, book_cases, layer_cases, optimiser_cases):
        make()
    write_golden(HERE / "torch_golden.txt")
    write_tree(HERE / "multi_head_attention_tree.txt")


if __name__ == "__main__":
    main()
