# What type stubs say where a signature of C++ cannot: attend gives back the kind of array that it gets.
^heed._core.attend$:
    \from typing import Literal, overload
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.Array, values: heed._typing.Array, *, score: heed._typing.Score | None = None, mask: Mask | None = None, bias: heed._typing.Array | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[False] = False, return_lse: Literal[False] = False) -> heed._typing.ArrayT:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.Array, values: heed._typing.Array, *, score: heed._typing.Score | None = None, mask: Mask | None = None, bias: heed._typing.Array | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[True], return_lse: Literal[False] = False) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.Array, values: heed._typing.Array, *, score: heed._typing.Score | None = None, mask: Mask | None = None, bias: heed._typing.Array | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[False] = False, return_lse: Literal[True]) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc
    @overload
    def attend(queries: heed._typing.ArrayT, keys: heed._typing.Array, values: heed._typing.Array, *, score: heed._typing.Score | None = None, mask: Mask | None = None, bias: heed._typing.Array | None = None, softcap: float | None = None, dropout: float = 0.0, seed: int | None = None, return_weights: Literal[True], return_lse: Literal[True]) -> tuple[heed._typing.ArrayT, heed._typing.ArrayT, heed._typing.ArrayT]:
        \doc

# Where pickle finds things.
^heed._core.*__(reduce|getstate|setstate)__$:

^heed._core._.*$:
