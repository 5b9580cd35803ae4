# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Modules: parameters with names, a training switch, and a printed tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from heed import _functions
from heed._core._nn import *  # noqa: F403
from heed._core._nn import Module

_functions.present(__name__, globals())


class ModuleList(Module):
    """Modules in a row, with the names "0", "1", ...

    >>> layers = heed.nn.ModuleList(heed.nn.Linear(2, 2) for _ in range(3))
    >>> layers
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> None:
        """Adds one at the end."""
        setattr(self, str(len(self)), module)

    def prints_runs(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.__dict__)

    def __getitem__(self, index: int) -> Any:
        return list(self.__dict__.values())[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.__dict__.values())

