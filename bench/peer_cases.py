# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What peers.py compares: the cases of heed_bench that PyTorch can do as well, each under one name for both."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Case:
    name: str  # as heed_bench knows it
    shape: str
    make: str  # the function of torch_cases.py and heed_cases.py that gives what is timed
    options: dict[str, Any] = field(default_factory=dict)
    package: bool = False  # of the Python package alone: heed_bench does not know it

    def prepare(self, library):
        return getattr(library, self.make)(**self.options)


def attention(name, batch=1, heads=8, n=512, d=64, make="forward", note="", **options):
    shape = f"b{batch} h{heads} n{n} d{d}{note}"
    return Case(name, shape, make, {"batch": batch, "heads": heads, "n": n, "d": d, **options})


def cases(quick):
    points = 8192 if quick else 30000
    modules = {"batch": 8, "n": 256, "hidden": 256, "heads": 4}
    module_shape = "b8 n256 hidden256 heads4"
    additive = {"batch": 4, "n": 512, "hidden": 64}
    near = {"query_heads": 8, "heads": 8, "n": 2048, "d": 64}
    return [
        *(attention(f"forward_d{d}_n{n}", batch=b, n=n, d=d) for b, n in ((4, 128), (1, 512), (1, 2048)) for d in (64, 128)),
        *(attention(f"forward_d{d}_n512", d=d) for d in (32, 40, 80, 96, 256)),
        *(attention(f"causal_d64_n{n}", n=n, causal=True, note=" causal") for n in (512, 2048)),
        attention("boolean_mask_d64_n512", pairwise="mask", note=" boolean mask"),
        attention("bias_d64_n512", pairwise="bias", note=" bias"),
        attention("forward_f64_d64_n512", dtype="float64", note=" f64"),
        attention("forward_one_head_n4096", heads=1, n=4096),
        *(attention(f"backward_d64_n{n}", n=n, make="backward") for n in (512, 2048)),
        attention("backward_one_head_n4096", heads=1, n=4096, make="backward"),
        Case("decode_d128_n32768", "b1 h32/8 q1 n32768 d128", "decode", {"query_heads": 32, "heads": 8, "n": 32768, "d": 128}),
        Case("decode_d64_n2048", "b1 h8 q1 n2048 d64", "decode", near),
        Case("decode_bias_d64_n2048", "b1 h8 q1 n2048 d64 bias", "decode", near | {"biased": True}),
        Case("decode_backward_d64_n2048", "b1 h8 q1 n2048 d64", "decode_backward", near),
        Case("additive_h64_n512", "b4 n512 hidden64", "additive", additive),
        Case("additive_h64_n512_with_backward", "b4 n512 hidden64", "additive", additive | {"with_backward": True}),
        Case(f"gaussian_n{points}", f"n{points} one feature", "gaussian", {"n": points}),
        Case("multi_head", module_shape, "multi_head", modules),
        Case("multi_head_training_step", module_shape, "multi_head", modules | {"training": True}),
        *(Case(f"linear_rows{rows}", f"{rows} rows, 768 -> 768", "linear", {"rows": rows}) for rows in (1, 16, 128, 1024)),
        Case("regression_epoch", "50 x 49 pairs", "regression_epoch"),
        Case("small_call", "(1, 4, 8)", "small_call"),
        Case("small_call_in_torch", "(1, 1, 4, 8)", "small_call_in_torch", package=True),
        Case("small_call_in_torch_with_backward", "(1, 1, 4, 8)", "small_call_in_torch", {"with_backward": True}, package=True),
    ]  # fmt: skip
