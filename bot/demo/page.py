"""The conversation of a pull request as one HTML file, as a person would see it on GitHub.

Self-contained: no script, and a content policy under which nothing could run or load anyway.
"""

import html
import zlib
from importlib import resources

from bot.demo.github.commit_object import read_commit
from bot.demo.github.difference import ChangedFile, changed_files, unified_diff
from bot.demo.github.routes.pulls import fork_point
from bot.demo.github.shapes import association
from bot.demo.github.state import Account, Comment, Happening, Issue, Pull, Reaction, Repository, State
from bot.demo.markdown import as_shown, diff_lines

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_BANNER = "A page of the embedded GitHub of <b>dryrun-bot</b>: nothing here is on github.com."
_COLOURS = ("#0969da", "#1a7f37", "#8250df", "#bf3989", "#9a6700", "#bc4c00", "#57606a")
_REACTIONS = {
    "+1": "👍",
    "-1": "👎",
    "laugh": "😄",
    "hooray": "🎉",
    "confused": "😕",
    "heart": "❤️",
    "rocket": "🚀",
    "eyes": "👀",
}
_MARKS = {"success": ("✓", "good"), "failure": ("✕", "bad"), "error": ("✕", "bad")}


def page(state: State, repository: Repository, issue: Issue) -> str:
    """Conversation, checks, and everything the pull request changes by now, as one document."""
    pull = issue.pull
    if pull is None:
        raise ValueError(f"#{issue.number} is an issue, not a pull request")
    style = resources.files("bot.demo").joinpath("page.css").read_text("utf-8")
    title = f"{issue.title} · Pull Request #{issue.number} · {repository.full_name}"
    entries = [_description(repository, issue)]
    entries += [_happening(state, repository, one) for one in issue.timeline]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{_text(title)}</title>
<style>
{style}</style>
</head>
<body>
<div class="banner">{_BANNER}</div>
<main>
{_header(repository, issue, pull)}
{"".join(entries)}
{_checks(repository, pull)}
{_files(repository, pull)}
</main>
</body>
</html>
"""


def _header(repository: Repository, issue: Issue, pull: Pull) -> str:
    state = "draft" if pull.draft and issue.state == "open" else issue.state
    state = "merged" if pull.merged_at else state
    commits = sum(one.what == "commit" for one in issue.timeline)
    count = "1 commit" if commits == 1 else f"{commits} commits"
    head = pull.head_ref if pull.head_repository is repository else f"{pull.head_owner.login}:{pull.head_ref}"
    from_to = (
        f'<code class="branch">{_text(pull.base_ref)}</code> <span>from</span>'
        f' <code class="branch">{_text(head)}</code>'
    )
    return f"""<p class="path">{_text(repository.owner.login)} / <b>{_text(repository.name)}</b></p>
<h1>{_text(issue.title)} <span class="number">#{issue.number}</span></h1>
<div class="summary-line"><span class="state state-{state}">{state.title()}</span>
<span><b>{_text(issue.author.login)}</b> wants to merge {count} into</span>
{from_to}</div>
"""


def _description(repository: Repository, issue: Issue) -> str:
    body = as_shown(issue.body or "") or "<p><i>No description provided.</i></p>"
    return _box(repository, issue.author, "opened this", body, issue.reactions, is_author=False)


def _happening(state: State, repository: Repository, one: Happening) -> str:
    if one.what == "commit":
        return _commit(state, repository, one.name)
    if one.what == "forced":
        return f'<div class="line"><span>force-pushed away from <code>{one.name[:7]}</code></span></div>\n'
    comment = repository.comments.get(int(one.name))
    return _comment(repository, comment) if comment else ""


def _comment(repository: Repository, comment: Comment) -> str:
    said = "commented" if comment.editor is None else "commented · edited"
    is_author = comment.author.id == repository.issues[comment.number].author.id
    box = _box(
        repository, comment.author, said, as_shown(comment.body), comment.reactions, is_author=is_author
    )
    if comment.minimized is None:
        return box
    why = _text(comment.minimized.lower().replace("_", "-"))
    return f"""<div class="entry">{_avatar(comment.author)}<details class="box folded">
<summary><b>{_text(comment.author.login)}</b>: this comment was marked as {why}.</summary>
{box}</details></div>
"""


def _box(
    repository: Repository,
    author: Account,
    said: str,
    body: str,
    reactions: list[Reaction],
    *,
    is_author: bool,
) -> str:
    name = _text(author.login.removesuffix("[bot]"))
    bot = '<span class="label">bot</span>' if author.type == "Bot" else ""
    role = association(repository, author)
    labels = [role.title()] if role in ("OWNER", "COLLABORATOR") else []
    labels += ["Author"] if is_author else []
    marks = "".join(f'<span class="label">{label}</span>' for label in labels)
    return f"""<div class="entry">{_avatar(author)}<div class="box">
<div class="head"><b>{name}</b>{bot} <span>{said}</span>{marks}</div>
<div class="body">{body}</div>{_reactions(reactions)}</div></div>
"""


def _reactions(reactions: list[Reaction]) -> str:
    counts = {name: sum(one.content == name for one in reactions) for name in _REACTIONS}
    shown = [
        f'<span class="reaction">{_REACTIONS[name]} {count}</span>' for name, count in counts.items() if count
    ]
    return f'<div class="reactions">{"".join(shown)}</div>' if shown else ""


def _commit(state: State, repository: Repository, sha: str) -> str:
    found = repository.bare.object(sha)
    if found is None:
        return ""
    parts = read_commit(found.content)
    title, _, rest = parts.message.strip().partition("\n")
    before = parts.parents[0] if parts.parents else repository.bare.write("tree", b"")
    diff = diff_lines(unified_diff(repository.bare, before=before, after=sha))
    author = next((one for one in state.accounts.values() if one.email == parts.author.email), None)
    avatar = _avatar(author or Account(id=0, login=parts.author.name), small=True)
    is_open = " open" if author and author.type == "Bot" else ""
    words = f'<span class="title">{_text(title)}</span>'
    said = f'<pre class="message">{_text(rest.strip())}</pre>'
    words = f"<details{is_open}><summary>{words}</summary>{said}{diff}</details>"
    verified = '<span class="verified">Verified</span>' if sha in repository.verified else ""
    return f'<div class="line">{avatar}{words}{verified}<span class="sha">{sha[:7]}</span></div>\n'


def _checks(repository: Repository, pull: Pull) -> str:
    rows = [
        _check(check.name, check.conclusion or check.status, check.output.get("title"))
        for check in repository.checks.values()
        if check.head_sha == pull.head_sha
    ]
    latest = {one.context: one for one in repository.statuses if one.sha == pull.head_sha}
    rows += [_check(one.context, one.state, one.description) for one in latest.values()]
    return f'<div class="checks box">{"".join(rows)}</div>' if rows else ""


def _check(name: str, result: str, words: str | None) -> str:
    mark, kind = _MARKS.get(result, ("•", "other"))
    more = f" — {_text(words)}" if words else ""
    said = f"<b>{_text(name)}</b><span>{_text(result)}{more}</span>"
    return f'<div class="row"><span class="{kind}">{mark}</span>{said}</div>'


def _files(repository: Repository, pull: Pull) -> str:
    bare = repository.bare
    files = changed_files(bare, before=fork_point(bare, pull), after=pull.head_sha)
    shown = "".join(_file(file) for file in files)
    return f'<h2 class="section">Files changed: {len(files)}</h2>\n{shown}'


def _file(file: ChangedFile) -> str:
    name = _text(file.path if file.previous_path is None else f"{file.previous_path} → {file.path}")
    diff = diff_lines(file.patch) if file.patch else '<p class="folded">Not shown: no text.</p>'
    counts = f'<span class="good">+{file.additions}</span> <span class="bad">-{file.deletions}</span>'
    return f'<div class="changed box"><div class="file-head"><code>{name}</code> {counts}</div>{diff}</div>\n'


def _avatar(account: Account, *, small: bool = False) -> str:
    colour = _COLOURS[zlib.crc32(account.login.encode()) % len(_COLOURS)]
    kinds = "avatar" + (" avatar-small" if small else "") + (" avatar-bot" if account.type == "Bot" else "")
    return f'<div class="{kinds}" style="background:{colour}">{_text(account.login[:1].upper())}</div>'


def _text(words: str) -> str:
    return html.escape(words)
