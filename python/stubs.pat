# What type stubs say where a signature of C++ cannot: attend gives back the kind of array that it gets.
^heed._core.attend$:
    \from typing import Any, Literal, overload
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.ArrayLike, values: heed._typing.ArrayLike, *, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[False] = False, return_lse: Literal[False] = False) -> heed._typing.ArrayT:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.ArrayLike, values: heed._typing.ArrayLike, *, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[True], return_lse: Literal[False] = False) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.ArrayLike, values: heed._typing.ArrayLike, *, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[False] = False, return_lse: Literal[True]) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.ArrayLike, values: heed._typing.ArrayLike, *, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[True], return_lse: Literal[True]) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc
    @overload
    def attend(queries: list[Any] | tuple[Any, ...], keys: heed._typing.ArrayLike, values: heed._typing.ArrayLike, *, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: bool = False, return_lse: bool = False) -> Any:
        \doc

^heed._core.Error$:
    class Error(ValueError):
        \doc

# Element by element, unlike any other object's.
^heed._core.Tensor.__eq__$:
    def __eq__(self, other: heed._typing.ArrayLike, /) -> Tensor: ...  # type: ignore[override]

^heed._core.Tensor.__ne__$:
    def __ne__(self, other: heed._typing.ArrayLike, /) -> Tensor: ...  # type: ignore[override]

# One sequence, where other attention takes three.
^heed._core._nn.SelfAttention.__call__$:
    def __call__(self, x: heed._typing.ArrayLike, mask: heed._typing.MaskLike | None = None) -> heed._core.Tensor: ...  # type: ignore[override]

# Nobody's business but pickle's and PyTorch's.
^heed._core.*__(reduce|getstate|setstate)__$:

^heed._core._attend_forward$:
    def _attend_forward(call: tuple[Any, ...]) -> tuple[Any, Any]: ...

^heed._core._attend_backward$:
    def _attend_backward(call: tuple[Any, ...], *rest: Any) -> list[Any]: ...

^heed._core._attend_plain$:
    def _attend_plain(*operands: Any) -> Any: ...

^heed._core._attend_plain_forward$:
    def _attend_plain_forward(*operands: Any) -> tuple[Any, Any]: ...

^heed._core._attend_plain_backward$:
    def _attend_plain_backward(*arguments: Any) -> tuple[Any, ...]: ...
