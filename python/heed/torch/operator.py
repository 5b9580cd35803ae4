# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed::attend, registered with PyTorch: forward, backward and shapes."""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from torch.autograd import forward_ad
from torch.autograd.forward_ad import unpack_dual
from torch.overrides import has_torch_function

from heed import Error
from heed._core import _attend_backward, _attend_forward, _attend_plain, _attend_plain_backward, _attend_plain_forward
from heed.torch.checks import check_tensor, number
from heed.torch.masks import Mask, check_mask
from heed.torch.scores import ScaledDot, Score, flatten

try:
    from torch.utils._python_dispatch import is_in_torch_dispatch_mode
except ImportError:  # it is not among what PyTorch promises to keep

    def is_in_torch_dispatch_mode() -> bool:  # type: ignore[misc]
        return True


try:
    from torch._C import _is_tracing as is_tracing
except ImportError:
    from torch.jit import is_tracing

try:
    from torch._C import _are_functorch_transforms_active as functorch_is_active
    from torch._C._functorch import get_interpreter_stack
except ImportError:  # nor are these

    def functorch_is_active() -> bool:  # type: ignore[misc]
        return True

    def get_interpreter_stack() -> list[Any]:  # type: ignore[misc]
        return []


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
_attend = torch.ops.heed.attend.default
_backward = torch.ops.heed.attend_backward.default

# Scores whose output lies in memory as the queries do.
_KEEP_LAYOUT = ("scaled_dot", "dot")


def _run(*call: Any) -> tuple[torch.Tensor, torch.Tensor]:
    out, lse = _attend_forward(call)
    return out if call[7] in _KEEP_LAYOUT else out.contiguous(), lse


def _run_backward(*arguments: Any) -> list[torch.Tensor]:
    return [grad.contiguous() for grad in _attend_backward(arguments[:-5], *arguments[-5:])]


def _check_places(*call: Any) -> None:
    """All tensors are of the CPU, or all of them are shapes without memory."""
    names = ("queries", "keys", "values", "bias", "valid_lens", "mask", "", "", "parameters")
    groups = [(name, x if isinstance(x, list) else [x]) for name, x in zip(names, call) if name]
    tensors = [(name, x) for name, group in groups for x in group if x is not None]
    if all(x.is_meta for _, x in tensors):
        return
    for name, x in tensors:
        if not x.is_cpu or x.layout != torch.strided:
            raise Error(f"attend: {name} must be a strided tensor of the CPU, found {x.layout} of {x.device}")


def _refuse_places(*call: Any) -> NoReturn:
    _check_places(*call)
    raise Error("attend: all tensors must be strided ones of the CPU, found some of another kind")


for _name, _kernel in (("attend", _run), ("attend_backward", _run_backward)):
    _library.impl(_name, _kernel, "CPU")
    _library.impl(_name, _refuse_places, "CompositeExplicitAutograd")  # everywhere else


@torch.library.register_fake("heed::attend")
def _shapes(*call: Any) -> tuple[torch.Tensor, torch.Tensor]:
    _check_places(*call)
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


def _watched(tensors: tuple[torch.Tensor | None, ...]) -> bool:
    """Whether somebody makes a graph of the operators called here, or wants to see them for another reason."""
    tracing = torch.compiler.is_compiling() or is_tracing()
    return tracing or is_in_torch_dispatch_mode() or functorch_is_active() or has_torch_function(tensors)


def _check_transforms() -> None:
    """torch.func's derivatives would pass by the operator's own, and be 0."""
    for level in get_interpreter_stack() or []:
        name = level.key().name
        if name not in ("Vmap", "Functionalize"):
            raise Error(f"attend: of torch.func's transforms it takes vmap, found {name.lower()}; torch.autograd.grad differentiates it")


_PLAIN = {torch.Tensor, torch.nn.Parameter, type(None)}


def _unwatched(operator: Any, kernel: Any, arguments: tuple[Any, ...], tensors: tuple[torch.Tensor | None, ...]) -> Any:
    """operator(*arguments). PyTorch's way to the kernel takes as long as small attention: plain tensors go without it."""
    if _PLAIN.issuperset(map(type, tensors)) and not any(x is not None and x.is_neg() for x in tensors):
        try:
            return kernel(*arguments)
        except (Error, RuntimeError):
            pass  # the operator can do with tensors that have no memory, and says of all others what is wrong
    return operator(*arguments)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, torch.Tensor]) -> None:
    queries, keys, values, bias, lengths, allowed, windows, score, parameters, scale, softcap, dropout, seed = inputs
    ctx.save_for_backward(queries, keys, values, bias, *parameters, *lengths, *allowed, seed, *output)
    a = _OPERANDS + len(parameters)
    ctx.ends = a, a + len(lengths), a + len(lengths) + len(allowed)
    ctx.plain = windows, score, scale, softcap, dropout
    ctx.wanted = [x is not None and x.requires_grad for x in (queries, keys, values, bias, *parameters)]


def _differentiate(ctx: Any, grad_output: torch.Tensor, grad_lse: torch.Tensor) -> list[torch.Tensor | None]:
    """Gradients of queries, keys, values, bias and the score's parameters, where they are wanted."""
    saved, (a, b, c) = list(ctx.saved_tensors), ctx.ends
    operands, parameters, lengths, allowed = saved[:_OPERANDS], saved[_OPERANDS:a], saved[a:b], saved[b:c]
    seed, output, lse = saved[c:]
    windows, score, scale, softcap, dropout = ctx.plain
    arguments = (
        *operands, lengths, allowed, windows, score, parameters, scale, softcap, dropout, seed,
        output, lse, grad_output, grad_lse, ctx.wanted,
    )  # fmt: skip
    sources = (*operands, *parameters, *lengths, *allowed, output, lse, grad_output, grad_lse)
    # Under create_graph alone PyTorch records what happens here.
    grads = iter((_Gradients.apply if torch.is_grad_enabled() else _gradients)(arguments, *sources))
    return [next(grads) if wanted else None for wanted in ctx.wanted]


def _gradients(arguments: tuple[Any, ...], *sources: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
    if _watched(sources):
        return tuple(_backward(*arguments))
    return tuple(_unwatched(_backward, _run_backward, arguments, sources))


class _Gradients(torch.autograd.Function):
    """Gradients whose own derivatives are refused. Nobody would notice that they are missing, were they not recorded."""

    @staticmethod
    def forward(ctx: Any, arguments: tuple[Any, ...], *sources: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
        return _gradients(arguments, *sources)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> NoReturn:
        raise Error("attend: has no second derivatives, found a gradient of one that create_graph=True made")


def _differentiate_registered(ctx: Any, grad_output: torch.Tensor, grad_lse: torch.Tensor) -> tuple[Any, ...]:
    found = _differentiate(ctx, grad_output, grad_lse)
    a, b, c = ctx.ends
    # PyTorch takes a list of numbers for one value, unless it is empty.
    windows: list[int] | None = None if ctx.plain[0] else []
    plain = [None] * (b - a), [None] * (c - b), windows, None
    return (*found[:_OPERANDS], *plain, found[_OPERANDS:], None, None, None, None)


torch.library.register_autograd("heed::attend", _differentiate_registered, setup_context=_save)


def _entry(argument: Any, dim: Any, n: int) -> Any:
    """Call n of those that vmap makes one of."""
    if isinstance(argument, (list, tuple)):
        dims = dim if isinstance(dim, (list, tuple)) else [dim] * len(argument)
        return [_entry(x, d, n) for x, d in zip(argument, dims)]
    return argument if dim is None else argument.select(dim, n)


def _any_mapped(dims: Any) -> bool:
    return any(map(_any_mapped, dims)) if isinstance(dims, (list, tuple)) else dims is not None


def _map(info: Any, dims: tuple[Any, ...], *call: Any) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[int, int]]:
    """What torch.func.vmap takes for one call. Operands alone are folded into the batch; else one call follows another."""
    count, operands = info.batch_size, call[:3]
    plain = not _any_mapped(dims[3:]) and call[3] is None and not call[4] and not call[5] and not call[11]
    if not plain:
        calls = [_attend(*(_entry(x, d, n) for x, d in zip(call, dims))) for n in range(count)]
        return (torch.stack([out for out, _ in calls]), torch.stack([lse for _, lse in calls])), (0, 0)
    mapped = [x.movedim(d, 0) if d is not None else x.expand(count, *x.shape) for x, d in zip(operands, dims)]
    fold = mapped[0].dim() > 3
    out, lse = _attend(*(x.flatten(0, 1) if fold else x for x in mapped), *call[3:])
    if fold:
        out, lse = (x.unflatten(0, (count, -1)) for x in (out, lse))
    return (out, lse), (0, 0)


torch.library.register_vmap("heed::attend", _map)


class _Attend(torch.autograd.Function):
    """The same where nobody watches. What register_autograd makes of lists of tensors takes longer than small attention."""

    @staticmethod
    def forward(ctx: Any, call: tuple[Any, ...], *operands: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        output: tuple[torch.Tensor, torch.Tensor] = _unwatched(_attend, _run, call, (*operands, *call[4], *call[5]))
        _save(ctx, call, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: torch.Tensor, grad_lse: torch.Tensor) -> tuple[Any, ...]:
        return None, *_differentiate(ctx, grad_output, grad_lse)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> NoReturn:
        raise Error("attend: has derivatives in backward mode alone, found a tangent")


def _differentiated(x: torch.Tensor) -> bool:
    """Backward or forward."""
    return x.requires_grad and torch.is_grad_enabled() or forward_ad._current_level >= 0 and unpack_dual(x).tangent is not None


class _AttendPlain(torch.autograd.Function):
    """_Attend of queries, keys and values with nothing else said."""

    @staticmethod
    def forward(ctx: Any, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor
        out, ctx.lse = _attend_plain_forward(queries, keys, values)
        ctx.save_for_backward(queries, keys, values, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        q, k, v, out = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        if torch.is_grad_enabled() or type(grad) is not torch.Tensor or grad.is_neg() or _watched((grad,)):
            lse = torch.from_dlpack(ctx.lse)
            call = (q, k, v, None, [], [], [], "scaled_dot", [], None, None, 0.0, None)
            arguments = (*call, out, lse, grad, torch.zeros_like(lse), [*wanted, False])
            differentiate = _Gradients.apply if torch.is_grad_enabled() else _gradients
            grads = iter(differentiate(arguments, q, k, v, out, lse, grad))
            return tuple(next(grads) if one else None for one in wanted)
        return _attend_plain_backward(q, k, v, out, ctx.lse, grad, *wanted)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> NoReturn:
        raise Error("attend: has derivatives in backward mode alone, found a tangent")


# Without what Function.apply adds for torch.func, which is not active where these are called.
_apply = super(torch.autograd.Function, _Attend).apply
_apply_plain = super(torch.autograd.Function, _AttendPlain).apply


def _is_plain(queries: Any, keys: Any, values: Any) -> bool:
    """Three tensors of PyTorch's own that lie in memory as they are, and nobody watches."""
    return (
        type(queries) in _PLAIN_TENSORS
        and type(keys) in _PLAIN_TENSORS
        and type(values) in _PLAIN_TENSORS
        and not _watched((queries, keys, values))
        and not (queries.is_neg() or keys.is_neg() or values.is_neg())
        and forward_ad._current_level < 0
    )


_EVERYTHING = Mask()
_SCALED_DOT = ScaledDot()
_PLAIN_TENSORS = (torch.Tensor, torch.nn.Parameter)
_HALF = {torch.bfloat16, torch.float16}


def attend(
    queries: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    *,
    score: Score = _SCALED_DOT,
    mask: Mask | None = None,
    bias: torch.Tensor | None = None,
    softcap: float | None = None,
    dropout: float = 0.0,
    return_lse: bool = False,
) -> Any:
    """heed.attend as an operator of PyTorch: gradients are PyTorch's, torch.compile keeps its graph whole.

    Tensors are of the CPU, f32 or f64, of any strides; under torch.autocast those of half precision are computed in f32. Gradients reach queries, keys, values, bias and the tensors of the
    score, forward and backward in linear memory. dropout draws its seed from PyTorch's generator.

    >>> x = torch.ones(2, 3, 4, requires_grad=True)
    >>> heed.torch.attend(x, x, x, mask=heed.torch.valid_lens([2, 3])).shape
    torch.Size([2, 3, 4])
    """
    nothing_said = score is _SCALED_DOT and mask is None and bias is None and softcap is None and dropout == 0.0
    if nothing_said and not return_lse and _is_plain(queries, keys, values):
        try:
            if torch.is_grad_enabled() and (queries.requires_grad or keys.requires_grad or values.requires_grad):
                return _apply_plain(queries, keys, values)
            return _attend_plain(queries, keys, values)
        except (Error, RuntimeError):
            pass  # said better below
    check_tensor("attend: queries", queries)
    check_tensor("attend: keys", keys)
    check_tensor("attend: values", values)
    if bias is not None:
        check_tensor("attend: bias", bias)
    if _HALF.intersection((queries.dtype, keys.dtype, values.dtype)) and torch.is_autocast_enabled("cpu"):
        queries, keys, values = queries.float(), keys.float(), values.float()
        bias = bias.float() if bias is not None and bias.dtype in _HALF else bias
    chosen = _EVERYTHING if mask is None else mask
    check_mask("attend: mask", chosen)
    softcap = None if softcap is None else number("attend: softcap", softcap)
    dropout = float(number("attend: dropout", dropout))
    name, parameters, scale = flatten(score, queries)
    seed = torch.randint(0, 2**63 - 1, (), device="cpu") if dropout > 0 else None
    call = (
        queries, keys, values, bias, chosen.lengths, chosen.allowed, chosen.windows,
        name, parameters, scale, softcap, dropout, seed,
    )  # fmt: skip
    operands = (queries, keys, values, bias, *parameters)
    tensors = (*operands, *chosen.lengths, *chosen.allowed)
    if _watched(tensors):
        if functorch_is_active():
            _check_transforms()
        out, lse = _attend(*call)
    elif any(x is not None and _differentiated(x) for x in operands):
        out, lse = _apply(call, *operands)
    else:
        out, lse = _unwatched(_attend, _run, call, tensors)
    return (out, lse) if return_lse else out
