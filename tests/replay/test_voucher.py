"""A key that is made once, read by every process, and by nobody else."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bot.replay.voucher import Voucher


def test_a_key_is_made_once_and_is_its_owner_s(tmp_path: Path) -> None:
    first = Voucher.kept_in(tmp_path / "state")
    assert first is not None
    assert Voucher.kept_in(tmp_path / "state") == first
    assert Voucher.kept_in(tmp_path / "other") != first
    (key,) = (tmp_path / "state").iterdir()
    assert key.stat().st_mode & 0o777 == 0o600
    assert first.key.hex() not in repr(first)


def test_processes_that_begin_at_once_come_to_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = set(pool.map(lambda _: Voucher.kept_in(tmp_path), range(64)))
    assert len(made) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_where_no_key_can_be_kept_nobody_is_vouched_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert Voucher.kept_in(tmp_path / "file" / "folder") is None
    (tmp_path / "index.key").write_bytes(b"short")
    assert Voucher.kept_in(tmp_path) is None


def test_a_mark_is_of_one_key_and_of_every_byte() -> None:
    mine, theirs = Voucher(key=b"a" * 32), Voucher(key=b"b" * 32)
    mark = mine.mark(b"content")
    assert mine.made(mark, b"content")
    assert not mine.made(mark, b"Content")
    assert not theirs.made(mark, b"content")
    assert not mine.made(b"", b"content")
