"""(A workflow's file, inputs) -> why GitHub would not start it by hand, or None. The file may be anything."""

from collections.abc import Mapping
from typing import Any, Final

_MOST_CHARACTERS: Final = 65_535


def why_not_dispatchable(file: bytes, inputs: Mapping[str, str]) -> str | None:
    """Completes "the workflow ...". Only names and presence are looked at: GitHub looks at values itself."""
    import yaml

    try:
        # All scalars stay text, so that `on` is no truth value.
        workflow: Any = yaml.load(file, Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but text
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        return "is no valid YAML"
    on = workflow.get("on") if isinstance(workflow, dict) else None
    if isinstance(on, str | list):
        known: Any = {} if "workflow_dispatch" in ([on] if isinstance(on, str) else on) else None
    else:
        known = _known_inputs(on)
    if known is None:
        return "has no workflow_dispatch, so nobody can start it by hand"
    for name in inputs:
        if name not in known:
            return f"knows no input {name!r}"
    for name, about in known.items():
        is_required = isinstance(about, dict) and str(about.get("required")) in {"true", "True", "TRUE"}
        needed = is_required and "default" not in about
        if needed and not inputs.get(name):
            return f"needs the input {name!r}"
    if sum(len(name) + len(value) for name, value in inputs.items()) > _MOST_CHARACTERS:
        return f"takes no more than {_MOST_CHARACTERS:,} characters of inputs"
    return None


def _known_inputs(on: object) -> dict[str, Any] | None:
    if not isinstance(on, dict) or "workflow_dispatch" not in on:
        return None
    dispatch = on["workflow_dispatch"]
    inputs = dispatch.get("inputs") if isinstance(dispatch, dict) else None
    return inputs if isinstance(inputs, dict) else {}
