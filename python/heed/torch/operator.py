"""heed::attend, registered with PyTorch: forward, backward and shapes."""

from __future__ import annotations

from typing import Any

import torch

from heed._core import _attend_backward, _attend_forward
from heed.torch.masks import Mask
from heed.torch.scores import ScaledDot, Score, flatten

_CALL = (
    "Tensor queries, Tensor keys, Tensor values, Tensor? bias, Tensor[] lengths, Tensor[] allowed, int[] windows, "
    "str score, Tensor[] parameters, float? scale, float? softcap, float dropout, Tensor? seed"
)
_OPERANDS = 4  # queries, keys, values and bias come before the score's parameters

_library = torch.library.Library("heed", "DEF")
_library.define(f"attend({_CALL}) -> (Tensor, Tensor)")
_library.define(
    f"attend_backward({_CALL}, Tensor output, Tensor lse, Tensor grad_output, Tensor grad_lse, bool[] wanted) -> Tensor[]"
)


# Scores whose output lies in memory as the queries do.
_KEEP_LAYOUT = ("scaled_dot", "dot")


def _run(*call: Any) -> tuple[torch.Tensor, torch.Tensor]:
    out, lse = _attend_forward(call)
    return out if call[7] in _KEEP_LAYOUT else out.contiguous(), lse


def _run_backward(*arguments: Any) -> list[torch.Tensor]:
    return [grad.contiguous() for grad in _attend_backward(arguments[:-5], *arguments[-5:])]


_library.impl("attend", _run, "CPU")
_library.impl("attend_backward", _run_backward, "CPU")


@torch.library.register_fake("heed::attend")
def _shapes(*call: Any) -> tuple[torch.Tensor, torch.Tensor]:
    queries, values = call[0], call[2]
    lse = queries.new_empty(queries.shape[:-1])
    if call[7] in _KEEP_LAYOUT and queries.dim() == 4 and queries.stride(1) < queries.stride(2):
        batch, heads, length, _ = queries.shape
        return queries.new_empty((batch, length, heads, values.shape[-1])).transpose(1, 2), lse
    return queries.new_empty((*queries.shape[:-1], values.shape[-1])), lse


@torch.library.register_fake("heed::attend_backward")
def _gradient_shapes(*arguments: Any) -> list[torch.Tensor]:
    operands = [*arguments[:_OPERANDS], *arguments[8]]
    return [x.new_empty(x.shape) for x, wanted in zip(operands, arguments[-1]) if wanted]


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, torch.Tensor]) -> None:
    queries, keys, values, bias, lengths, allowed, windows, score, parameters, scale, softcap, dropout, seed = inputs
    ctx.save_for_backward(queries, keys, values, bias, *lengths, *allowed, *parameters, seed, *output)
    ctx.counts = len(lengths), len(allowed), len(parameters)
    ctx.plain = windows, score, scale, softcap, dropout
    ctx.wanted = [x is not None and x.requires_grad for x in (queries, keys, values, bias, *parameters)]


def _differentiate(ctx: Any, grad_output: torch.Tensor, grad_lse: torch.Tensor) -> tuple[Any, ...]:
    saved = list(ctx.saved_tensors)
    take = lambda n: [saved.pop(0) for _ in range(n)]  # noqa: E731
    operands, (lengths, allowed, parameters) = take(_OPERANDS), [take(n) for n in ctx.counts]
    seed, output, lse = saved
    windows, score, scale, softcap, dropout = ctx.plain
    grads = iter(
        torch.ops.heed.attend_backward.default(
            *operands, lengths, allowed, windows, score, parameters, scale, softcap, dropout, seed,
            output, lse, grad_output, grad_lse, ctx.wanted,
        )
    )  # fmt: skip
    found = [next(grads) if wanted else None for wanted in ctx.wanted]
    # PyTorch takes a list of numbers for one value, unless it is empty.
    nothing = [None] * len(lengths), [None] * len(allowed), None if windows else [], None
    return (*found[:_OPERANDS], *nothing, found[_OPERANDS:], None, None, None, None)


torch.library.register_autograd("heed::attend", _differentiate, setup_context=_save)

_attend = torch.ops.heed.attend.default
_EVERYTHING = Mask()


def attend(
    queries: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    *,
    score: Score = ScaledDot(),
    mask: Mask | None = None,
    bias: torch.Tensor | None = None,
    softcap: float | None = None,
    dropout: float = 0.0,
    return_lse: bool = False,
) -> Any:
    """heed.attend as an operator of PyTorch: gradients are PyTorch's, torch.compile keeps its graph whole.

    Tensors are of the CPU, f32 or f64, of any strides. Gradients reach queries, keys, values, bias and the tensors of the
    score, forward and backward in linear memory. dropout draws its seed from PyTorch's generator.

    >>> x = torch.ones(2, 3, 4, requires_grad=True)
    >>> heed.torch.attend(x, x, x, mask=heed.torch.valid_lens([2, 3])).shape
    torch.Size([2, 3, 4])
    """
    name, parameters, scale = flatten(score, queries)
    seed = torch.randint(0, 2**63 - 1, ()) if dropout > 0 else None
    chosen = _EVERYTHING if mask is None else mask
    out, lse = _attend(
        queries, keys, values, bias, chosen.lengths, chosen.allowed, chosen.windows,
        name, parameters, scale, softcap, float(dropout), seed,
    )  # fmt: skip
    return (out, lse) if return_lse else out
