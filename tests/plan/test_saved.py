from pathlib import Path

import pytest

from bot.errors import BadPlan, BadUsage
from bot.plan.saved import plan_in


def test_only_a_record_is_a_plan(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="can't be read"):
        plan_in(tmp_path / "nowhere")
    (tmp_path / "x").write_text("{}")
    with pytest.raises(BadPlan):
        plan_in(tmp_path / "x")
