# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What arguments may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, Union

if TYPE_CHECKING:
    import numpy.typing

    NDArray = numpy.typing.NDArray[Any]
    from heed._core import Additive, Dot, Dtype, Gaussian, Mask, ScaledDot, Tensor


class SupportsDLPack(Protocol):
    """An array of NumPy, PyTorch, JAX, ..."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


Array = Union["Tensor", SupportsDLPack, memoryview]
ArrayLike = Union["Tensor", SupportsDLPack, memoryview, bool, int, float, Sequence[Any]]
ArrayT = TypeVar("ArrayT", bound=Array)
Score = Union["ScaledDot", "Dot", "Gaussian", "Additive"]
ScoreLike = Union[Score, Literal["scaled-dot", "scaled_dot", "dot", "gaussian"]]
MaskLike = Union["Mask", ArrayLike]  # booleans
DtypeLike = Union["Dtype", str, type[Any], Any]  # or NumPy's and PyTorch's own
