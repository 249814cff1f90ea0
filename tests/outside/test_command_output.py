"""Of a stream the beginning and the end are kept, and what is left out is counted."""

import pytest

from bot.outside.command_output import CommandOutput

STREAMS = {
    "short": ([b"ab", b"cd"], "abcd"),
    "just so long": ([b"0123456789"], "0123456789"),
    "too long": ([b"0123456789ab"], "01234\n[2 bytes left out here]\n789ab"),
    "too long, in pieces": ([b"012", b"34567", b"89ab"], "01234\n[2 bytes left out here]\n789ab"),
    "no text": ([b"\xff\xfe"], "\ufffd\ufffd"),
}


@pytest.mark.parametrize(("chunks", "text"), STREAMS.values(), ids=STREAMS)
def test_the_middle_is_left_out(chunks: list[bytes], text: str) -> None:
    output = CommandOutput(most=10)
    for chunk in chunks:
        output.add(chunk)
    assert output.text() == text
    assert output.seen == sum(map(len, chunks))
