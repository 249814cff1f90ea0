from pathlib import Path

from bot.outside.plain_folder import PlainFolder
from bot.workspace import Mode


def test_every_file_and_link_counts_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("x")
    (tmp_path / "a" / "link").symlink_to("b")
    (tmp_path / "broken").symlink_to("nothing")
    (tmp_path / "away").symlink_to("/etc")
    entries = PlainFolder(tmp_path).entries
    assert {path: entry.mode for path, entry in entries.items()} == {
        "a/b/file": Mode.FILE,
        "a/link": Mode.LINK,
        "away": Mode.LINK,
        "broken": Mode.LINK,
    }


def test_its_files_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x\r\n")
    assert PlainFolder(tmp_path).read("a") == b"x\r\n"
