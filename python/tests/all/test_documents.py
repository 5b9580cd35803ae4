"""The documents once more, with the libraries that ./test does without."""

from test_docs import can_run, documents, test_document  # noqa: F401


def test_nothing_is_left_out():
    assert all(can_run(block) for document in documents() for block in document.values[0])
