"""People, repositories, issues, comments and pull requests as GitHub's REST API spells them."""

from datetime import datetime
from typing import Any

from bot.demo.github.call import Urls
from bot.demo.github.state import Account, Comment, Issue, Pull, Reaction, Repository, node_id

Shape = dict[str, Any]

_USER_LINKS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}
_REPOSITORY_LINKS = {
    "forks_url": "/forks",
    "keys_url": "/keys{/key_id}",
    "collaborators_url": "/collaborators{/collaborator}",
    "teams_url": "/teams",
    "hooks_url": "/hooks",
    "issue_events_url": "/issues/events{/number}",
    "events_url": "/events",
    "assignees_url": "/assignees{/user}",
    "branches_url": "/branches{/branch}",
    "tags_url": "/tags",
    "blobs_url": "/git/blobs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "trees_url": "/git/trees{/sha}",
    "statuses_url": "/statuses/{sha}",
    "languages_url": "/languages",
    "stargazers_url": "/stargazers",
    "contributors_url": "/contributors",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "commits_url": "/commits{/sha}",
    "git_commits_url": "/git/commits{/sha}",
    "comments_url": "/comments{/number}",
    "issue_comment_url": "/issues/comments{/number}",
    "contents_url": "/contents/{+path}",
    "compare_url": "/compare/{base}...{head}",
    "merges_url": "/merges",
    "archive_url": "/{archive_format}{/ref}",
    "downloads_url": "/downloads",
    "issues_url": "/issues{/number}",
    "pulls_url": "/pulls{/number}",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "labels_url": "/labels{/name}",
    "releases_url": "/releases{/id}",
    "deployments_url": "/deployments",
}


def moment(at: datetime | None) -> str | None:
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")


def account_shape(account: Account, urls: Urls) -> Shape:
    # A bot's login has brackets, and GitHub quotes them in addresses.
    name = account.login.replace("[", "%5B").replace("]", "%5D")
    url = f"{urls.api}/users/{name}"
    page = account.login.removesuffix("[bot]")
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("U" if account.type == "User" else account.type[:3].upper(), account.id),
        "avatar_url": f"{urls.html}/avatars/{account.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{urls.html}/apps/{page}" if account.type == "Bot" else f"{urls.html}/{page}",
        **{name: url + path for name, path in _USER_LINKS.items()},
        "type": account.type,
        "site_admin": False,
    }


def repository_shape(repository: Repository, urls: Urls, *, reader: Account | None = None) -> Shape:
    """The whole of it; `permissions` are the reader's."""
    url, page = urls.repository(repository), urls.page(repository)
    is_open = sum(issue.state == "open" for issue in repository.issues.values())
    return {
        "id": repository.id,
        "node_id": node_id("R", repository.id),
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.private,
        "owner": account_shape(repository.owner, urls),
        "html_url": page,
        "description": repository.description,
        "fork": repository.parent is not None,
        "url": url,
        **{name: url + path for name, path in _REPOSITORY_LINKS.items()},
        "created_at": moment(repository.created_at),
        "updated_at": moment(repository.pushed_at),
        "pushed_at": moment(repository.pushed_at),
        "git_url": page.replace("http:", "git:", 1) + ".git",
        "ssh_url": f"git@127.0.0.1:{repository.full_name}.git",
        "clone_url": f"{page}.git",
        "svn_url": page,
        **dict.fromkeys(("homepage", "language", "mirror_url", "license")),
        **dict.fromkeys(
            ("size", "stargazers_count", "watchers_count", "watchers", "forks_count", "forks"), 0
        ),
        **dict.fromkeys(("has_projects", "has_downloads", "has_wiki"), True),
        "has_issues": repository.has_issues,
        **dict.fromkeys(("has_pages", "has_discussions", "archived", "disabled"), False),
        **dict.fromkeys(("is_template", "web_commit_signoff_required"), False),
        "allow_forking": True,
        "open_issues_count": is_open,
        "open_issues": is_open,
        "topics": [],
        "visibility": "private" if repository.private else "public",
        "default_branch": repository.default_branch,
        "permissions": permissions_shape(repository, reader),
    }


def permissions_shape(repository: Repository, account: Account | None) -> dict[str, bool]:
    roles = {"admin": "admin", "maintain": "maintain", "push": "write", "triage": "triage", "pull": "read"}
    return {name: account is not None and repository.reaches(account, role) for name, role in roles.items()}


def association(repository: Repository, account: Account) -> str:
    """What GitHub prints beside a name. It says little, which is why nothing may be decided by it."""
    if account.id == repository.owner.id:
        return "OWNER"
    return "COLLABORATOR" if account.login.lower() in repository.roles else "NONE"


def reactions_shape(reactions: list[Reaction], url: str) -> Shape:
    names = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    counts = {name: sum(reaction.content == name for reaction in reactions) for name in names}
    return {"url": f"{url}/reactions", "total_count": len(reactions), **counts}


def reaction_shape(reaction: Reaction, urls: Urls) -> Shape:
    return {
        "id": reaction.id,
        "node_id": node_id("REA", reaction.id),
        "user": account_shape(reaction.author, urls),
        "content": reaction.content,
        "created_at": moment(reaction.at),
    }


def label_shape(repository: Repository, name: str, urls: Urls) -> Shape:
    number = sorted({*repository.labels, name}).index(name) + 1
    return {
        "id": repository.id * 1000 + number,
        "node_id": node_id("LA", repository.id * 1000 + number),
        "url": f"{urls.repository(repository)}/labels/{name}",
        "name": name,
        "color": repository.labels.get(name, "ededed"),
        "default": False,
        "description": "",
    }


def comment_shape(repository: Repository, comment: Comment, urls: Urls) -> Shape:
    url = f"{urls.repository(repository)}/issues"
    where = "pull" if repository.issues[comment.number].pull else "issues"
    return {
        "url": f"{url}/comments/{comment.id}",
        "html_url": f"{urls.page(repository)}/{where}/{comment.number}#issuecomment-{comment.id}",
        "issue_url": f"{url}/{comment.number}",
        "id": comment.id,
        "node_id": comment.node_id,
        "user": account_shape(comment.author, urls),
        "created_at": moment(comment.created_at),
        "updated_at": moment(comment.updated_at),
        "body": comment.body,
        "author_association": association(repository, comment.author),
        "reactions": reactions_shape(comment.reactions, f"{url}/comments/{comment.id}"),
        "performed_via_github_app": None,
    }


def issue_shape(repository: Repository, issue: Issue, urls: Urls) -> Shape:
    url, where = f"{urls.repository(repository)}/issues/{issue.number}", "pull" if issue.pull else "issues"
    shape = {
        "url": url,
        "repository_url": urls.repository(repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": f"{urls.page(repository)}/{where}/{issue.number}",
        "node_id": node_id("PR" if issue.pull else "I", issue.id),
        "comments": len(repository.comments_on(issue.number)),
        **_said(repository, issue, urls),
        "reactions": reactions_shape(issue.reactions, url),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": None,
        "state_reason": None,
        "closed_by": account_shape(issue.closed_by, urls) if issue.closed_by else None,
    }
    if issue.pull:
        page = f"{urls.page(repository)}/pull/{issue.number}"
        shape["draft"] = issue.pull.draft
        shape["pull_request"] = {
            "url": f"{urls.repository(repository)}/pulls/{issue.number}",
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": moment(issue.pull.merged_at),
        }
    return shape


def _said(repository: Repository, issue: Issue, urls: Urls) -> Shape:
    """What issues and pull requests have in common."""
    return {
        "id": issue.id,
        "number": issue.number,
        "title": issue.title,
        "user": account_shape(issue.author, urls),
        "labels": [label_shape(repository, name, urls) for name in issue.labels],
        "state": issue.state,
        "locked": issue.locked,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "created_at": moment(issue.created_at),
        "updated_at": moment(issue.updated_at),
        "closed_at": moment(issue.closed_at),
        "author_association": association(repository, issue.author),
        "active_lock_reason": None,
        "body": issue.body,
    }


def pull_shape(repository: Repository, issue: Issue, pull: Pull, urls: Urls) -> Shape:
    """As it stands in lists and payloads; the single GET has more (see `pull_details`)."""
    here, page = urls.repository(repository), f"{urls.page(repository)}/pull/{issue.number}"
    url, talk = f"{here}/pulls/{issue.number}", f"{here}/issues/{issue.number}"
    links = {
        "self": url,
        "html": page,
        "issue": talk,
        "comments": f"{talk}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{here}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{here}/statuses/{pull.head_sha}",
    }
    return {
        "url": url,
        "node_id": node_id("PR", issue.id),
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": talk,
        **_said(repository, issue, urls),
        "merged_at": moment(pull.merged_at),
        "merge_commit_sha": pull.merge_commit_sha,
        "requested_reviewers": [account_shape(account, urls) for account in pull.reviewers],
        "requested_teams": [],
        "draft": pull.draft,
        **{
            f"{name}_url": links[name]
            for name in ("commits", "review_comments", "review_comment", "comments", "statuses")
        },
        "head": _side(pull.head_repository, pull.head_owner, pull.head_ref, pull.head_sha, urls),
        "base": _side(repository, repository.owner, pull.base_ref, pull.base_sha, urls),
        "_links": {name: {"href": href} for name, href in links.items()},
        "auto_merge": None,
    }


def _side(repository: Repository | None, owner: Account, ref: str, sha: str, urls: Urls) -> Shape:
    return {
        "label": f"{owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": account_shape(owner, urls),
        "repo": repository_shape(repository, urls) if repository else None,
    }
