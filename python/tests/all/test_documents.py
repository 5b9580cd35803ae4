# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The examples once more, with the libraries that ./test does without."""

import inspect

from test_docs import can_run, documented, documents, test_docstring, test_document  # noqa: F401


def test_nothing_is_left_out():
    assert all(can_run(block) for document in documents() for block in document.values[0])
    assert all(can_run(inspect.getdoc(value)) for _, value in documented())
