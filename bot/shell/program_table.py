"""The table that `program` asks. Sources: the programs' manuals, GTFOBins, and public advisories."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.shell.program_option import Harmful, Harmless


def _named(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


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
    while at < len(arguments) and arguments[at] in _PYTHON_FLAGS:
        at += 1
    match list(arguments[at:]):
        case ["-m", module, *rest] if module.split(".")[0].casefold() not in _MODULES_THAT_RUN:
            # `python -m pytest -p evil` is no better than `pytest -p evil`.
            return ALWAYS.get(module) or (CHECKED[module](rest) if module in CHECKED else None)
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


RUNS_ITS_ARGUMENTS: Final = "runs the command in its arguments"
_ALWAYS_BECAUSE: Final[Mapping[str, frozenset[str]]] = {
    RUNS_ITS_ARGUMENTS: _named(
        "arch ash bash builtin busybox chroot chrt command coproc cpulimit csh dash doas entr env eval exec",
        "fakeroot firejail fish flatpak flock gdb ionice ksh ltrace mksh nice nohup nsenter numactl",
        "parallel perf proot rlwrap runuser script setarch setpriv setsid sh sshpass stdbuf strace su",
        "sudo systemd-run taskset tcsh time timeout toybox trap unbuffer unshare valgrind watch wine",
        "xargs xvfb-run zsh",
    ),
    "has a language of its own, in which programs can be run and files written": _named(
        "awk bc cmd dc ed emacs ex expect ftp gawk gnuplot info jshell less lldb m4 man mawk more most",
        "mysql nano nawk nvim octave osascript pager pico powershell psql pwsh r rscript scala screen sed",
        "sqlite swipl tclsh tmux vi view vim vimdiff wish",
    ),
    "changes the shell itself, and with it what later commands mean": _named(
        ". alias at batch bind caller compgen complete compopt crontab declare enable exit export fc",
        "getopts hash history kill let local logout mapfile popd pushd read readarray readonly return set",
        "shift shopt source suspend times typeset ulimit umask unalias unset wait",
    ),
    "runs whatever the repository's files tell it to": _named(
        "ant bazel bun bundle cmake composer deno gmake gradle gradlew grunt gulp hatch invoke just make",
        "meson mvn mvnw ninja nmake nox npm npx nx pdm pnpm pnpx poetry pre-commit rake sbt task tox",
        "turbo yarn",
    ),
    "installs programs, and runs what they bring": _named(
        "apk apt apt-get brew conda dnf dpkg easy_install gem mamba nix pip pipenv pipx rpm rustup snap",
        "uv uvx yum",
    ),
    "reaches other machines": _named(
        "aws az curl docker gcloud gh helm kubectl nc ncat netcat nmap podman rclone rsync scp sftp socat",
        "ssh telnet terraform vagrant wget",
    ),
    "writes files, or runs programs, that its words need not name": _named(
        "7z 7za ar bsdtar bunzip2 bzip2 cpio csplit dd gunzip gzip jar patch split tar unxz unzip xz zip",
        "zstd",
    ),
    "makes, changes or removes files": _named(
        "chattr chgrp chmod chown cp install ln mkdir mkfifo mknod mktemp mv rename rm rmdir setfacl",
        "shred sponge tee touch truncate unlink",
    ),
}
ALWAYS: Final[Mapping[str, str]] = {name: why for why, names in _ALWAYS_BECAUSE.items() for name in names}
NAMES_WITH_DIGITS: Final = _named(
    "7z 7za b2sum base32 base64 bunzip2 bzip2 md5sum sha1sum sha256sum sha512sum",
)
SHELLS: Final = _named("ash bash csh dash eval fish ksh mksh script sh su tcsh watch zsh")

_PYTHON_FLAGS: Final = _named("-B -E -I -O -OO -S -b -q -s -u -v")
_MODULES_THAT_RUN: Final = _named(
    "antigravity asyncio bdb code codeop coverage cprofile ensurepip http idlelib nox pdb pip pipx",
    "profile pydoc runpy site sqlite3 tarfile this timeit tox trace venv virtualenv webbrowser zipapp",
    "zipfile",
)
_PATCH: Final = _named(
    "abbrev abbrev-commit after all author before branches cached check cherry-pick color date date-order",
    "decorate diff-filter exit-code first-parent follow format full-history graph grep ignore-all-space",
    "ignore-case ignore-space-change left-right max-count merge-base merges minimal name-only name-status",
    "no-color no-ext-diff no-merges no-patch no-renames no-textconv numstat oneline patch pretty quiet",
    "raw remotes reverse shortstat since skip staged stat summary tags topo-order unified until word-diff",
)
_GIT_READS: Final[Mapping[str, Callable[[Sequence[str]], str | None]]] = {
    "blame": Harmless(
        short="bceflL:MnpstwC", long=_named("date line-porcelain porcelain root show-email show-name")
    ),
    "branch": Harmless(
        short="alrv",
        long=_named(
            "all contains format list merged no-color no-merged remotes show-current sort verbose",
        ),
        most_operands=0,
    ),
    "describe": Harmless(long=_named("abbrev all always candidates contains dirty exclude long match tags")),
    "diff": Harmless(short="bpqrRuU:wz", long=_PATCH),
    "grep": Harmless(
        short="aA:B:C:cEe:FGHhIiLlnPqrvWw",
        long=_named(
            "all-match and basic-regexp break cached color column count extended-regexp",
            "files-with-matches files-without-match fixed-strings full-name heading ignore-case",
            "invert-match line-number max-depth name-only no-color not null only-matching or perl-regexp",
            "quiet recursive text word-regexp",
        ),
    ),
    "log": Harmless(short="cgin:pqrstuU:wzEG:S:L:", long=_PATCH),
    "ls-files": Harmless(
        short="cdikmostuvz",
        long=_named("cached deleted exclude-standard full-name modified others stage unmerged"),
    ),
    "ls-tree": Harmless(
        short="dlrtz", long=_named("full-name full-tree long name-only name-status object-only")
    ),
    "merge-base": Harmless(short="a", long=_named("all fork-point independent is-ancestor octopus")),
    "rev-list": Harmless(short="n:", long=_PATCH | {"count", "objects"}),
    "rev-parse": Harmless(
        short="q",
        long=_named(
            "abbrev-ref git-dir is-inside-work-tree short show-prefix show-toplevel symbolic verify",
        ),
    ),
    "shortlog": Harmless(short="cens", long=_named("committer email no-merges numbered since summary until")),
    "show": Harmless(short="cin:pqrstuU:wz", long=_PATCH),
    "status": Harmless(
        short="bsuvz",
        long=_named(
            "ahead-behind branch ignored long porcelain short show-stash untracked-files verbose",
        ),
    ),
}
CHECKED: Final[Mapping[str, Callable[[Sequence[str]], str | None]]] = {
    **dict.fromkeys(_named("pypy python pythonw"), _python),
    **dict.fromkeys(
        _named(
            "clisp groovy guile irb java julia lua luajit node nodejs perl php racket ruby ts-node tsx",
            "elixir",
        ),
        _interpreter,
    ),
    **dict.fromkeys(
        _named("c++ cc clang clang++ g++ gcc ld"),
        Harmful(options=("-o", "-B", "-fplugin", "-wrapper", "-specs", "-Xlinker", "-Wl", "--output", "-T")),
    ),
    "cargo": Harmful(
        options=("--config", "--manifest-path", "--target-dir", "-Z"),
        first_words=_named("add fix init install login new publish remove run update"),
    ),
    "base64": Harmless(short="diw:", long=_named("decode ignore-garbage wrap")),
    "cd": _cd,
    "date": Harmless(
        short="d:Iu", long=_named("date iso-8601 rfc-3339 rfc-email universal utc"), most_operands=1
    ),
    "file": Harmless(short="bikLNhz0", long=_named("brief mime mime-type mime-encoding dereference")),
    "hostname": Harmless(short="fisdI", most_operands=0),
    "fd": Harmless(
        short="aHIsigpd:t:e:E:FLl0", long=_named("exclude extension glob hidden max-depth no-ignore type")
    ),
    "find": Harmless(
        words=_named(
            "-H -L -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -daystart -depth -empty",
            "-executable -false -follow -gid -group -ilname -iname -inum -ipath -iregex -links -lname -ls",
            "-maxdepth -mindepth -mmin -mount -mtime -name -newer -nogroup -not -nouser -o -or -path",
            "-perm -print -print0 -printf -prune -quit -readable -regex -regextype -samefile -size -true",
            "-type -uid -user -wholename -writable -xdev -xtype",
        )
    ),
    "git": _git,
    "go": Harmful(
        options=("-exec", "-toolexec", "-vettool", "-o", "-modfile", "-overlay", "-c"),
        first_words=_named("env generate get install mod run tool work"),
    ),
    "printf": _printf,
    "pytest": Harmful(
        options=(
            *("-p", "-c", "-o", "--config-file", "--override-ini", "--rootdir", "--confcutdir", "--pyargs"),
            *("--basetemp", "--junitxml", "--junit-xml", "--log-file", "--debug", "--pastebin", "--pdb"),
            *("--pdbcls", "--trace", "--import-mode", "--cov-config", "--cov-report", "--ignore-conftest"),
        )
    ),
    "rg": Harmless(
        short="0aA:B:C:cE:e:Ff:g:HhIiLlM:m:NnoPpqr:SsTt:UuVvwx",
        long=_named(
            "after-context before-context case-sensitive color context count files files-with-matches",
            "files-without-match fixed-strings follow glob heading hidden iglob ignore-case invert-match",
            "json line-number max-columns max-count max-depth multiline no-filename no-heading no-ignore",
            "no-line-number null only-matching pcre2 quiet regexp smart-case sort stats text trim type",
            "type-not vimgrep with-filename word-regexp",
        ),
    ),
    "shuf": Harmless(short="ei:n:rz", long=_named("echo head-count input-range repeat zero-terminated")),
    "sort": Harmless(
        short="bCcdfgGhik:MmnRrS:st:uVz",
        long=_named(
            "buffer-size check dictionary-order field-separator general-numeric-sort human-numeric-sort",
            "ignore-case ignore-leading-blanks key merge month-sort numeric-sort random-sort reverse",
            "stable unique version-sort zero-terminated",
        ),
    ),
    "test": Harmless(
        words=_named(
            "-S -a -b -c -d -e -ef -eq -f -g -ge -gt -h -k -L -le -lt -n -ne -nt -o -ot -p -r -s -u -w -x",
            "-z",
        )
    ),
    "tree": Harmless(
        short="adfhiI:L:nP:sCDFpqrtuv", long=_named("dirsfirst filelimit gitignore matchdirs noreport prune")
    ),
    "xxd": Harmless(short="abceEil:o:s:ug:p", most_operands=1),
    "uniq": Harmless(
        short="cdDf:is:uw:z", long=_named("all-repeated count ignore-case repeated unique"), most_operands=1
    ),
}
READERS: Final = _named(
    "b2sum base32 base64 basename cat cd cksum cmp column comm cut date df diff dirname du echo",
    "egrep expr false fd fgrep file find fmt fold grep head hexdump hostname id join ls md5sum nl nproc",
    "od paste printf pwd readlink realpath rev rg seq sha1sum sha256sum sha512sum shuf sleep sort stat",
    "strings sum tac tail test tr tree true tsort uname uniq wc which whoami xxd yes",
)
_OF_PYTHON: Final = tuple(
    sorted(
        _named(
            "*.cfg *.egg-link *.env *.ini *.pth *.py *.pyc *.pyd *.pyi *.pyx *.so *.toml *.whl *.zip .env*",
            "pytest*",
        )
    )
)
STEERED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        _named(
            "bandit black coverage flake8 isort mypy pylint pypy pyright pytest python pythonw",
        ),
        _OF_PYTHON,
    ),
    "git": (".git*", ".mailmap"),
    "ruff": ("*.toml", ".ruff*", "ruff*"),
}
