"""What is known of single programs: which run others or write through their own arguments, and which files steer them.

A command that `why_ask` speaks of is never allowed by a list, whoever wrote the list: an argv pattern says
which words a command may have, not what its program makes of them. For programs with such arguments the
harmless ones are listed, so that an argument nobody thought of asks. Sources: the programs' manuals,
GTFOBins, and advisories.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final


def name_of(word: str) -> str:
    """`/usr/bin/Python3.11.exe` is python:

    folder, case, version and ending say nothing about what it does.
    """
    name = word.rsplit("/", 1)[-1].casefold().removesuffix(".exe")
    return name if name in _NAMES_WITH_DIGITS else _VERSION.sub("", name) or name


def why_ask(argv: Sequence[str]) -> str | None:
    """Completes "`program` ..."; None: its words are what an argv pattern can judge."""
    name = name_of(argv[0])
    if name in _ALWAYS:
        return _ALWAYS[name]
    if name in _CHECKED:
        return _CHECKED[name](argv[1:])
    return None


def inner_commands(argv: Sequence[str | None]) -> Iterable[tuple[str | None, ...]]:
    """The command itself, by its bare name too, and every one that it may hand on:

    `env git push` is git push.
    """
    yield tuple(argv)
    if not argv or argv[0] is None:
        return
    name = name_of(argv[0])
    if name != argv[0]:
        yield (name, *argv[1:])
        yield (argv[0].rsplit("/", 1)[-1], *argv[1:])
    if _ALWAYS.get(name) == _RUNS_ITS_ARGUMENTS or name == "find":
        for at in range(1, len(argv)):
            yield tuple(argv[at:])
            if (word := argv[at]) is not None and "/" in word:
                yield (word.rsplit("/", 1)[-1], *argv[at + 1 :])


def script_in(argv: Sequence[str | None]) -> Iterable[str]:
    """The command lines that a shell is handed as one word: `sh -c "git push"`."""
    if argv and argv[0] is not None and name_of(argv[0]) in _SHELLS:
        yield from (word for word in argv[1:] if word is not None and not word.startswith("-"))


def writes_its_arguments(word: str) -> bool:
    """Whether a program's arguments are files that it makes, changes or removes."""
    return name_of(word) in _WRITERS


def may_run(word: str, path: str) -> bool:
    """Whether a program may run, load or be steered by a file that the same plan changed, unasked.

    Of a program that is not known everything is thought; of one that only reads, nothing.
    """
    name = name_of(word)
    if name in _READERS:
        return False
    steered_by = _STEERED_BY.get(name)
    if steered_by is None:
        return True
    base = path.rsplit("/", 1)[-1].casefold()
    return any(fnmatchcase(base, pattern) for pattern in steered_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """Harmless options of one program.

    `short` as for getopt: a letter with `:` takes the rest, or the next word.
    """

    short: str = ""
    long: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    most_operands: int | None = None

    def __call__(self, arguments: Sequence[str]) -> str | None:
        operands = 0
        for argument in arguments:
            if not argument.startswith("-") or argument == "-":
                operands += 1
            elif not self._is_harmless(argument):
                return f"has the option {argument!r}, which may run a program or write a file"
        if self.most_operands is not None and operands > self.most_operands:
            return "has an argument that it may write to"
        return None

    def _is_harmless(self, option: str) -> bool:
        if option in self.words or option == "--" or _NUMBER.fullmatch(option):
            return True
        if option.startswith("--"):
            return option[2:].split("=", 1)[0] in self.long
        if not self.short:
            return False
        for letter in option[1:]:
            at = self.short.find(letter)
            if at < 0 or letter == ":":
                return False
            if self.short[at + 1 : at + 2] == ":":
                return True
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Suspects:
    """Options that load or write something, for programs whose other options are too many to list."""

    options: tuple[str, ...]
    first_words: frozenset[str] = frozenset()

    def __call__(self, arguments: Sequence[str]) -> str | None:
        if arguments and arguments[0] in self.first_words:
            return f"{arguments[0]} runs or installs other programs"
        for argument in arguments:
            if any(self._is(argument, option) for option in self.options):
                return f"has the option {argument!r}, which may run a program or write a file"
        return None

    def _is(self, argument: str, option: str) -> bool:
        if option.startswith("--"):
            # Many programs take any beginning of a long option for the whole.
            name = argument.split("=", 1)[0]
            return len(name) > 3 and option.startswith(name)
        if len(option) > 2:
            return argument.split("=", 1)[0].lstrip("-") == option.lstrip("-") and argument.startswith("-")
        return argument.startswith("-") and not argument.startswith("--") and option[1] in argument


def _git(arguments: Sequence[str]) -> str | None:
    rest = list(arguments)
    while rest and rest[0] in {"--no-pager", "--no-optional-locks", "--literal-pathspecs"}:
        del rest[0]
    if not rest or rest[0].startswith("-"):
        return "has options before its subcommand, which may run a program"
    options = _GIT_READS.get(rest[0])
    if options is None:
        return f"{rest[0]} changes the repository, asks a server or runs programs"
    return options(rest[1:])


def _interpreter(arguments: Sequence[str]) -> str | None:
    if not arguments or arguments[0].startswith("-"):
        return "runs code from its arguments or its input"
    return None


def _python(arguments: Sequence[str]) -> str | None:
    at = 0
    while at < len(arguments) and arguments[at] in {
        "-B",
        "-E",
        "-I",
        "-s",
        "-S",
        "-u",
        "-O",
        "-OO",
        "-q",
        "-v",
        "-b",
    }:
        at += 1
    match list(arguments[at:]):
        case ["-m", module, *_] if module.split(".")[0] not in _MODULES_THAT_RUN:
            return None
        case [script, *_] if not script.startswith("-"):
            return None
        case _:
            return "runs code from its arguments, its input or another program"


def _printf(arguments: Sequence[str]) -> str | None:
    if arguments and arguments[0].startswith("-"):
        return "has an option, which a shell may take for an expression to evaluate"
    return None


def _cd(arguments: Sequence[str]) -> str | None:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        return "goes somewhere that its words don't say"
    return None


def _named(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VERSION: Final = re.compile(r"[-.0-9]+$")
_NUMBER: Final = re.compile(r"-[0-9]+")
_NAMES_WITH_DIGITS: Final = _named("base64 base32 md5sum sha1sum sha256sum sha512sum b2sum 7z bzip2")
_RUNS_ITS_ARGUMENTS: Final = "runs the command in its arguments"
_SHELLS: Final = _named("sh bash dash zsh ksh mksh ash fish csh tcsh eval su script watch")
_ALWAYS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        "builtin busybox chroot chrt command coproc cpulimit doas env entr eval exec fakeroot firejail flatpak "
        "flock gdb ionice ltrace nice nohup nsenter numactl parallel perf proot rlwrap runuser script setarch "
        "setpriv setsid sshpass stdbuf strace su sudo systemd-run taskset time timeout toybox trap unbuffer "
        "unshare valgrind watch wine xargs xvfb-run ash bash csh dash fish ksh mksh sh tcsh zsh".split(),
        _RUNS_ITS_ARGUMENTS,
    ),
    **dict.fromkeys(
        "awk gawk mawk nawk bc dc ed emacs ex expect ftp gnuplot info jshell less lldb m4 man more most nano "
        "octave osascript pager pico powershell psql pwsh r rscript scala screen sed sqlite sqlite3 swipl tclsh "
        "tmux vi view vim nvim vimdiff wish mysql cmd".split(),
        "has a language of its own, in which programs can be run and files written",
    ),
    **dict.fromkeys(
        ". alias at batch bind caller compgen complete compopt crontab declare enable exit export fc getopts hash "
        "history kill let local logout mapfile popd pushd read readarray readonly return set shift shopt source "
        "suspend times typeset ulimit umask unalias unset wait".split(),
        "changes the shell itself, and with it what later commands mean",
    ),
    **dict.fromkeys(
        "ant bazel bun bundle cmake composer deno gmake gradle gradlew grunt gulp hatch invoke just make meson "
        "mvn mvnw ninja nmake nox npm npx nx pdm pnpm pnpx poetry pre-commit rake sbt task tox turbo yarn".split(),
        "runs whatever the repository's files tell it to",
    ),
    **dict.fromkeys(
        "apk apt apt-get brew conda dnf dpkg easy_install gem mamba nix pip pipenv pipx rpm rustup snap uv uvx "
        "yum".split(),
        "installs programs, and runs what they bring",
    ),
    **dict.fromkeys(
        "aws az curl docker gcloud gh helm kubectl nc ncat netcat nmap podman rclone rsync scp sftp socat ssh "
        "telnet terraform vagrant wget".split(),
        "reaches other machines",
    ),
    **dict.fromkeys(
        "7z 7za ar bsdtar cpio dd gunzip gzip bunzip2 bzip2 jar patch split csplit tar unxz unzip xz zip "
        "zstd".split(),
        "writes files, or runs programs, that its words need not name",
    ),
    **dict.fromkeys(
        "chattr chgrp chmod chown cp install ln mkdir mkfifo mknod mktemp mv rename rm rmdir setfacl shred sponge "
        "tee touch truncate unlink".split(),
        "makes, changes or removes files",
    ),
}
_WRITERS: Final = _named(
    "chattr chgrp chmod chown cp dd install ln mkdir mkfifo mknod mv patch rename rm rmdir rsync setfacl shred "
    "sponge tee touch truncate unlink"
)
_MODULES_THAT_RUN: Final = _named(
    "ast bdb cProfile code codeop coverage cprofile ensurepip http idlelib pdb pip pipx profile pydoc runpy site "
    "sqlite3 timeit tox trace venv virtualenv webbrowser zipapp zipfile tarfile nox asyncio this antigravity"
)
_PATCH_OPTIONS: Final = _named(
    "all author color date decorate diff-filter first-parent follow format graph grep ignore-all-space "
    "ignore-case ignore-space-change max-count merges minimal name-only name-status no-color no-ext-diff "
    "no-merges no-patch no-renames no-textconv numstat oneline patch pretty raw reverse shortstat since stat "
    "summary unified until word-diff cached staged merge-base exit-code quiet check abbrev abbrev-commit "
    "branches tags remotes topo-order date-order full-history left-right cherry-pick after before skip"
)
_PATCH: Final = _Options(short="bcinpqrsuU:wzE", long=_PATCH_OPTIONS)
_GIT_READS: Final[Mapping[str, Callable[[Sequence[str]], str | None]]] = {
    "status": _Options(
        short="bsvuz",
        long=_named("short branch porcelain long untracked-files ignored verbose ahead-behind show-stash"),
    ),
    "log": _Options(short="cgin:pqrstuU:wzE", long=_PATCH_OPTIONS, words=_named("-G -S -L")),
    "show": _Options(short="cin:pqrstuU:wz", long=_PATCH_OPTIONS),
    "diff": _Options(short="bpqrRuU:wz", long=_PATCH_OPTIONS),
    "shortlog": _Options(short="nsec", long=_named("numbered summary email committer no-merges since until")),
    "blame": _Options(
        short="bceflL:MnpstwC", long=_named("line-porcelain porcelain show-email show-name root date")
    ),
    "grep": _Options(
        short="aA:B:C:cEe:FGHhIiLlnPqrvWw",
        long=_named(
            "and all-match basic-regexp break cached color column count extended-regexp files-with-matches "
            "files-without-match fixed-strings full-name heading ignore-case invert-match line-number max-depth "
            "name-only no-color not null only-matching or perl-regexp quiet recursive text untracked word-regexp"
        ),
    ),
    "ls-files": _Options(
        short="cdikmostuvz",
        long=_named("cached deleted modified others stage unmerged full-name exclude-standard"),
    ),
    "ls-tree": _Options(
        short="dlrtz", long=_named("long name-only name-status full-name full-tree object-only")
    ),
    "rev-parse": _Options(
        short="q",
        long=_named("verify short abbrev-ref symbolic show-toplevel show-prefix git-dir is-inside-work-tree"),
    ),
    "rev-list": _Options(short="n:", long=_PATCH_OPTIONS | _named("count objects")),
    "merge-base": _Options(short="a", long=_named("all is-ancestor octopus independent fork-point")),
    "describe": _Options(long=_named("all tags long always dirty abbrev contains match exclude candidates")),
    "branch": _Options(
        short="alrv",
        long=_named("all list remotes show-current verbose no-color contains merged no-merged sort format"),
        most_operands=0,
    ),
    "version": _Options(),
}
_CHECKED: Final[Mapping[str, Callable[[Sequence[str]], str | None]]] = {
    "git": _git,
    "python": _python,
    "pythonw": _python,
    "pypy": _python,
    **dict.fromkeys(
        "lua luajit node nodejs perl php ruby irb guile racket groovy julia java tsx ts-node".split(),
        _interpreter,
    ),
    "printf": _printf,
    "cd": _cd,
    "find": _Options(
        words=_named(
            "-H -L -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -daystart -depth -empty -false -follow -gid "
            "-group -ilname -iname -inum -ipath -iregex -links -lname -ls -maxdepth -mindepth -mmin -mount -mtime "
            "-name -newer -nogroup -not -nouser -o -or -path -perm -print -print0 -printf -prune -quit -readable "
            "-regex -regextype -samefile -size -true -type -uid -user -wholename -writable -xdev -xtype -executable"
        )
    ),
    "sort": _Options(
        short="bCcdfgGhik:MmnRrS:st:uVz",
        long=_named(
            "check dictionary-order field-separator general-numeric-sort human-numeric-sort ignore-case "
            "ignore-leading-blanks key merge month-sort numeric-sort random-sort reverse stable unique version-sort "
            "zero-terminated buffer-size"
        ),
    ),
    "rg": _Options(
        short="0aA:B:C:cE:e:Ff:g:HhIiLlM:m:NnoPpqr:SsTt:UuVvwx",
        long=_named(
            "after-context before-context context count files files-with-matches files-without-match fixed-strings "
            "glob iglob hidden ignore-case invert-match json line-number max-columns max-count max-depth multiline "
            "no-filename no-heading no-ignore no-line-number only-matching pcre2 quiet regexp smart-case sort stats "
            "text trim type type-not vimgrep with-filename word-regexp case-sensitive color heading null follow"
        ),
    ),
    "uniq": _Options(
        short="cdDf:is:uw:z", long=_named("count repeated all-repeated ignore-case unique"), most_operands=1
    ),
    "tree": _Options(
        short="adfhiI:L:nP:sCDFpqrtuv", long=_named("noreport dirsfirst filelimit matchdirs prune gitignore")
    ),
    "date": _Options(
        short="d:Iu", long=_named("date iso-8601 rfc-3339 rfc-email utc universal"), most_operands=1
    ),
    "shuf": _Options(short="ei:n:rz", long=_named("echo input-range head-count repeat zero-terminated")),
    "fd": _Options(
        short="aHIsigpd:t:e:E:FLl0", long=_named("hidden no-ignore glob type extension exclude max-depth")
    ),
    "test": _Options(
        words=_named(
            "-a -b -c -d -e -ef -eq -f -g -ge -gt -h -k -L -le -lt -n -ne -nt -o -ot -p -r -s -S -u -w -x -z"
        )
    ),
    "pytest": _Suspects(
        options=(
            *("-p", "-c", "-o", "--config-file", "--override-ini", "--rootdir", "--confcutdir", "--pyargs"),
            *(
                "--basetemp",
                "--junitxml",
                "--junit-xml",
                "--log-file",
                "--debug",
                "--pastebin",
                "--pdb",
                "--pdbcls",
            ),
            *("--trace", "--import-mode", "--cov-config", "--cov-report", "--ignore-conftest"),
        )
    ),
    "go": _Suspects(
        options=("-exec", "-toolexec", "-vettool", "-o", "-modfile", "-overlay"),
        first_words=_named("run generate get install tool env work mod"),
    ),
    "cargo": _Suspects(
        options=("--config", "--manifest-path", "--target-dir", "-Z"),
        first_words=_named("run install add remove update publish login new init fix"),
    ),
    **dict.fromkeys(
        ("gcc", "cc", "g++", "c++", "clang", "clang++"),
        _Suspects(options=("-o", "-B", "-fplugin", "-wrapper", "-specs", "-Xlinker")),
    ),
}
_READERS: Final = _named(
    "basename b2sum base32 base64 cat cd cksum cmp comm cut date diff dirname du echo egrep expr false fd fgrep file "
    "find fmt fold grep head hexdump join ls md5sum nl od paste printf pwd readlink realpath rg rev seq sha1sum "
    "sha256sum sha512sum shuf sort stat strings sum tac tail test tr tree true tsort uname uniq wc which whoami xxd yes "
    "column df id hostname arch nproc sleep tsort"
)
_OF_PYTHON: Final = tuple(
    "*.py *.pyi *.pyc *.pyd *.so *.pth *.cfg *.ini *.toml *.egg-link *.pyx *.env .env* pytest* *.whl *.zip".split()
)
_STEERED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        "python pypy pytest mypy pylint flake8 coverage black isort pyright bandit sphinx-build".split(),
        _OF_PYTHON,
    ),
    "ruff": ("*.toml", ".ruff*", "ruff*", "*.py", "*.pyi"),
    "git": (".git*", ".mailmap"),
}
