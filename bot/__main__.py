"""The front door: arguments and environment in, exit code out. The only catcher of Exception."""

import sys


def main() -> int:
    """Exit codes: 0 done, 1 could not be done, 2 bad usage or config, 3 refused, 130 interrupted."""
    from bot.cli.parser import parse

    try:
        arguments = parse(sys.argv[1:])
        code: int = arguments.run(arguments)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more at exit.
        sys.stderr.close()
        return 0
    except Exception as error:
        return _failed(error)
    return code


def _failed(error: Exception) -> int:
    from bot.errors import BotError
    from bot.sanitise import for_log

    if isinstance(error, BotError):
        print(f"{for_log(error.what)}\n  Next: {for_log(error.next_step)}", file=sys.stderr)
        return error.exit_code
    import traceback

    print("This is a fault in dryrun-bot, please report it:", file=sys.stderr)
    for line in traceback.format_exception(error):
        print("\n".join(for_log(part) for part in line.rstrip().split("\n")), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
