# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What was found, in the text of an error."""

from __future__ import annotations


def shortened(text: str, most: int = 60) -> str:
    """What fits into a line: an argument may be as long as a file."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def shown(value: int) -> str:
    return str(value) if value.bit_length() < 200 else f"one of {value.bit_length()} bits"
