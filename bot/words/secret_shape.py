"""What is shaped like a secret -> where it stands in a text.

No guessing by entropy: lock files and hashes would be taken for secrets. Shapes are detect-secrets' keyed
patterns and those of the services this bot itself is used with. Whoever wrote the text may want it to take
long: no shape may take more than a text's length times a constant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from bot.dataclass import dataclass


class Read:
    """A text, and the same with small letters, character for character: what ignores case looks there."""

    __slots__ = ("_has", "_starts", "small", "text")

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.small: Final = _small(text)
        self._has: Final[dict[tuple[str, ...], bool]] = {}
        self._starts: Final[dict[re.Pattern[str], list[int]]] = {}

    def has_one_of(self, words: tuple[str, ...]) -> bool:
        """Whether one of them is there in small letters; looked for once."""
        found = self._has.get(words)
        if found is not None:
            return found
        # Most texts are short: what is quicker to write down would take longer than all the rest.
        small, found = self.small, False
        for word in words:
            if word in small:
                found = True
                break
        self._has[words] = found
        return found

    def starts(self, clue: re.Pattern[str]) -> Sequence[int]:
        """Where the clue is, in small letters; looked for once."""
        if clue not in self._starts:
            self._starts[clue] = [found.start() for found in clue.finditer(self.small)]
        return self._starts[clue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`clue` is in whatever has this shape, at most `before` characters from its start, and looked for in
    small letters, as the pattern is where it `ignores_case`. Of `words`, one at least is in such a text, in
    small letters too; without any, nobody knows which.
    """

    name: str
    pattern: re.Pattern[str]
    clue: re.Pattern[str] | None = None
    before: int = 0
    ignores_case: bool = False
    words: tuple[str, ...] = ()

    def found_in(self, read: Read) -> Iterator[tuple[int, int]]:
        """Start and end of each place, from the left, none in another."""
        if self.words and not read.has_one_of(self.words):
            return
        text = read.small if self.ignores_case else read.text
        if self.clue is None:
            yield from (found.span() for found in self.pattern.finditer(text))
            return
        at = 0
        for start in read.starts(self.clue):
            at = max(at, start - self.before)
            while at <= start:
                found = self.pattern.match(text, at)
                if found is not None:
                    yield found.span()
                at = at + 1 if found is None else found.end()


@cache
def shapes() -> tuple[Shape, ...]:
    """All of them. Those of one name stand together, and those without an end of their own come last: they
    would take the beginning of another, and leave its end.
    """
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    plugins: Mapping[str, Any] = get_mapping_from_secret_type_to_class()
    found: dict[str, list[Shape]] = {name: [] for name in plugins if name not in _NOT_THEIRS}
    for name in found.keys() - _QUICKER:
        words = tuple(_WORDS.get(name, "").split())
        found[name] = [Shape(name=name, pattern=pattern, words=words) for pattern in plugins[name].denylist]
    for shape in _ours():
        found.setdefault(shape.name, []).append(shape)
    return tuple(shape for some in found.values() for shape in some)


def _ours() -> Iterator[Shape]:
    """A pattern that starts with plain characters is looked for a hundred times quicker: what must not stand
    before them is asked when they are found.
    """
    for name, words, spelled in _PLAIN:
        yield Shape(name=name, words=tuple(words.split()), pattern=re.compile(spelled))
    for name, words, spelled in _IN_SMALL:
        yield Shape(name=name, words=tuple(words.split()), pattern=re.compile(spelled), ignores_case=True)
    for name, words, called, secret in _KEYED:
        yield Shape(
            name=name,
            words=tuple(words.split()),
            pattern=re.compile(rf"(?<!\w)\[?[\"']?{called}[\"']?\]?{_IS}[\"']?{secret}[\"']?"),
            ignores_case=True,
            clue=_KEY,
            before=_LONGEST_NAME,
        )
    yield from _WITH_A_CLUE


def _small(text: str) -> str:
    """Letters that a pattern takes for the same, whatever their case, are the same here."""
    if text.isascii():
        return text.lower()
    # The first becomes two characters otherwise; the others are small letters of their own.
    return text.replace("\u0130", "i").lower().replace("\u0131", "i").replace("\u017f", "s")


_NOT_THEIRS: Final = frozenset(
    {
        # Guesses, by entropy or by a word that stands near.
        "Base64 High Entropy String",
        "Hex High Entropy String",
        "Secret Keyword",
        # No secret.
        "Public IP (ipv4)",
        # Any word in capitals that starts with AP may be one.
        "Artifactory Credentials",
        # Quadratic on hostile text, or they leave the end of the secret standing: see ours.
        "JSON Web Token",
        "NPM tokens",
        "OpenAI Token",
        "Private Key",
    }
)
# Theirs take the square or the cube of a hostile text's length, or ten times as long as others: ours find
# the same.
_QUICKER: Final = frozenset(
    {
        "AWS Access Key",
        "Cloudant Credentials",
        "Discord Bot Token",
        "IBM COS HMAC Credentials",
        "IBM Cloud IAM Key",
        "Mailchimp Access Key",
        "SoftLayer Credentials",
        "Telegram Bot Token",
    }
)
# Of theirs. A name that is missing here is looked for in every text.
_WORDS: Final = {
    "Azure Storage Account access key": "accountkey=",
    "Basic Auth Credentials": "://",
    "GitHub Token": "ghp_ gho_ ghu_ ghs_ ghr_",
    "GitLab Token": "glpat- gldt- glft- glsoat- glrt- gr1348941 glcbt- glimt- glptt- glagent- gloas-",
    "PyPI Token": "pypi-ag",
    "SendGrid API Key": "sg.",
    "Slack Token": "xox hooks.slack.com/services/",
    "Square OAuth Secret": "sq0csp-",
    "Stripe Access Key": "k_live_",
    "Twilio API Key": "ac sk",
}
_PLAIN: Final = (
    ("AWS Access Key", "a3t abia acca akia asia", r"A(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[0-9A-Z]{16}"),
    ("Anthropic Key", "sk-ant-", r"sk-ant-(?<![\w-]sk-ant-)[\w-]{20,}"),
    ("GitHub Token", "github_pat_", r"github_pat_(?<!\wgithub_pat_)\w{22,}"),
    ("Google API Key", "aiza", r"AIza(?<![\w-]AIza)[\w-]{35}"),
    ("JSON Web Token", "eyj", r"eyJ(?<![\w-]eyJ)[\w-]{8,}={0,2}\.eyJ[\w-]{8,}={0,2}\.[\w-]*"),
    ("NPM tokens", "npm_", r"npm_(?<!\wnpm_)[A-Za-z0-9]{36}"),
    ("NPM tokens", ":_authtoken", r":_authToken[ \t]*=[ \t]*[^\s$]\S*"),
    (
        "OpenAI Token",
        "sk-",
        r"sk-(?<![\w-]sk-)(?:(?:proj|svcacct|admin)-[\w-]{20,}|[A-Za-z0-9]{32,})",
    ),
    (
        "Private Key",
        "-----begin",
        (
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----)[\s\S])*(?:-----END [A-Z0-9 ]{0,40}-----)?"
        ),
    ),
    ("Private Key", "putty-user-key-file-", r"PuTTY-User-Key-File-\d"),
)
_IN_SMALL: Final = (
    (
        "Cloudant Credentials",
        ".cloudant.com",
        r"https?://[\w-]+:(?:[0-9a-f]{64}|[a-z]{24})@[\w-]+\.cloudant\.com",
    ),
    ("SoftLayer Credentials", "softlayer", r"https?://api.softlayer.com/soap/v3(?:.1)?/[a-z0-9]{64}"),
)
# What the value is called, and what it looks like.
_IS: Final = r"(?: *+(?:=>?|:[:=]?) *+| ++)"
_KEYED: Final = (
    (
        "IBM Cloud IAM Key",
        "key pwd pass token",
        (
            r"(?:ibm(?:[_-]?cloud)?(?:[_-]?iam)?|cloud(?:[_-]?iam)?|iam)?[_-]?(?:api)?[_-]?"
            r"(?:key|pwd|pass(?:word)?|token)"
        ),
        r"[a-z0-9_-]{44}(?![a-z0-9_-])",
    ),
    (
        "IBM COS HMAC Credentials",
        "secret",
        r"(?:(?:ibm)?[_-]?cos[_-]?(?:hmac)?)?[_-]?secret[_-]?(?:access)?[_-]?key",
        r"[0-9a-f]{48}(?![0-9a-f])",
    ),
    (
        "Cloudant Credentials",
        "cl",
        r"cl(?:ou(?:dant)?)?[_-]?(?:api)?(?:key|pwd?|pass(?:word)?|token)",
        r"(?:[0-9a-f]{64}|[a-z]{24})",
    ),
    (
        "SoftLayer Credentials",
        "sl softlayer",
        r"(?:softlayer|sl)[_-]?(?:api)?[_-]?(?:key|pwd|pass(?:word)?|token)",
        r"[a-z0-9]{64}",
    ),
)
_KEY: Final = re.compile(rf"(?:key|pwd?|pass(?:word)?|token)(?=[\"']?\]?{_IS}[\"']?[0-9a-z_-]{{24}})")
_LONGEST_NAME: Final = 32
_WITH_A_CLUE: Final = (
    Shape(
        name="AWS Access Key",
        words=("aws",),
        pattern=re.compile(r"aws.{0,20}?(?:key|pwd?|pass(?:word)?|token).{0,20}?[\"'][0-9a-z/+]{40}[\"']"),
        ignores_case=True,
        clue=re.compile(r"[\"'](?=[0-9a-z/+]{40}[\"'])"),
        before=51,
    ),
    Shape(
        name="Discord Bot Token",
        words=(".",),
        pattern=re.compile(r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}"),
        clue=re.compile(r"\.(?=[a-z\d_-]{6}\.[a-z\d_-]{27})"),
        before=26,
    ),
    Shape(
        name="Mailchimp Access Key",
        words=("-us",),
        pattern=re.compile(r"[0-9a-z]{32}-us[0-9]{1,2}"),
        clue=re.compile(r"-us[0-9]"),
        before=32,
    ),
    Shape(
        name="Telegram Bot Token",
        words=(":",),
        pattern=re.compile(r"\d{8,10}:[0-9A-Za-z_-]{35}"),
        clue=re.compile(r":(?=[0-9a-z_-]{35})"),
        before=10,
    ),
)
