"""What a run in a terminal stands on."""

from pathlib import Path

import pytest
from own_home import FILES, opened, secrets_of

SECRETS = {".env": b"A=1\n", "deep/prod.env": b"B\n", "deep/id_rsa": b"C\n", ".env.example": b"A=\n"}


@pytest.mark.parametrize("config", ["", "policy: {paths: {secret: ['docs/**']}}\n"])
def test_a_secret_is_what_one_of_the_policies_says(tmp_path: Path, config: str) -> None:
    home = opened(tmp_path, config=config, files={**FILES, **SECRETS}).home
    expected = [".env", "deep/id_rsa", "deep/prod.env"]
    assert secrets_of(home) == sorted([*expected, *(["docs/guide.md"] if config else [])])
