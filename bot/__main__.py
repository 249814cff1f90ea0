"""The front door: arguments and environment in, exit code out. The only catcher of Exception."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress


def main() -> int:
    """Exit codes: 0 done, 1 could not be done, 2 bad usage or config, 3 refused, 128 + N signal N came."""
    arguments = None
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_what_is_closed()
    try:
        if sys.argv[1:2] == ["event"] and _is_passed_over(os.environ, sys.argv[2:]):
            return 0
        _prepare()
        # Here, for whoever is interrupted while it is loaded wants no traceback either.
        from bot.cli.parser import parse
        from bot.interrupt import heeded

        with heeded():
            arguments = parse(sys.argv[1:])
            code: int = arguments.run(arguments)
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _drop_output()
        sys.stderr.close()
        return 0
    except Exception as error:
        _drop_output()
        code = _failed(error, environ=getattr(arguments, "environ", os.environ))
    finally:
        _drop_output()
    return code


def _interrupted() -> int:
    from bot import interrupt

    interrupt.no_more()
    _drop_output()
    _say([interrupt.told()], environ={})
    return interrupt.exit_code()


def _open_what_is_closed() -> None:
    """A file that we open would get the number of what is closed, and whatever is printed then."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _drop_output() -> None:
    """At exit Python would write what is left, and where it failed fail once more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare() -> None:
    """For what is loaded from here on."""
    import atexit
    import gc

    from bot import interrupt

    # A start makes a hundred thousand objects that stay: to look through them once for circles takes a tenth
    # of it. The end would look through them all again, a moment before the system takes them back, which is
    # a fifth of a short command. What is closed or written at exit still is.
    gc.set_threshold(*_SELDOM)
    atexit.register(gc.freeze)
    # Pydantic would load plugins of whatever is installed, which could look on at every validation.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    interrupt.note()


def _is_passed_over(environ: Mapping[str, str], options: Sequence[str]) -> bool:
    """Most events end here, and must cost nothing: no other part of the program is loaded for them."""
    from bot import glance

    # All that the action ever writes; whatever else there is, is for the parser to say.
    is_plain = not options or (len(options) == 2 and options[0] == "--phase" and options[1] in _PHASES)
    detail = glance.passed_over(environ) if is_plain else None
    if detail is None:
        return False
    print(f"Nothing to do: {detail}", file=sys.stderr)
    if file := environ.get("GITHUB_OUTPUT"):
        following = {"next-phase": "none"} if options[1:] in (["plan"], ["perform"]) else {}
        glance.write_outputs(file, {"decision": "ignored", "reason-code": "not-for-us"} | following)
    return True


def _failed(error: Exception, *, environ: Mapping[str, str]) -> int:
    import platform
    import traceback

    from bot import __version__
    from bot.errors import foreseen

    if told := foreseen(error):
        _say([told.what, f"  Next: {told.next_step}"], environ=environ)
        return told.exit_code
    trace = "".join(traceback.format_exception(error)).rstrip().split("\n")
    system = f"dryrun-bot {__version__}, Python {platform.python_version()}, {platform.platform()}"
    asked = "This is a fault in dryrun-bot, please report it with the lines between the rules:"
    # The issue form asks for this block: its rules and first line are how one is known.
    _say([asked, _RULE, system, *trace, _RULE], environ=environ)
    return 1


def _say(lines: Sequence[str], *, environ: Mapping[str, str]) -> None:
    """To the log, where no line is obeyed and no secret shown."""
    from bot.words.redaction import Redactor
    from bot.words.sanitise import for_log

    redact = Redactor(tuple(filter(None, map(environ.get, _SECRETS))))
    # Where even that can't be written, the exit code is left to tell.
    with suppress(OSError):
        for line in lines:
            print(redact(for_log(line)), file=sys.stderr)


# A copy of phase.Phase, which would cost a parser; a test compares them.
_PHASES = ("all", "plan", "report", "perform", "commit")
_SELDOM = (200_000, 20, 100)
_RULE = "----- dryrun-bot report -----"
_SECRETS = (
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "OPENAI_API_KEY",
    "INPUT_GITHUB_TOKEN",
    "INPUT_SIGNING_KEY",
    "INPUT_ORG_TOKEN",
)

if __name__ == "__main__":
    sys.exit(main())
