# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""How pickled tensors and modules are made again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heed._core import Tensor, tensor


def rebuild_tensor(array: Any, requires_grad: bool) -> Tensor:
    return tensor(array).requires_grad_(requires_grad)


def rebuild_module(
    cls: type[Any], options: dict[str, Any], state: dict[str, Tensor], frozen: Iterable[str], training: bool
) -> Any:
    module = cls(**options)
    module.load_state(state)
    parameters = dict(module.named_parameters())
    for name in frozen:
        parameters[name].requires_grad_(False)
    module.train(training)
    return module
