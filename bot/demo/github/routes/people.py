"""Who is asking, who is in a team, and how many requests are left."""

from typing import Any

from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.shapes import account_shape
from bot.demo.github.state import Account

_LIMIT = 5000


def get_me(call: Call) -> Answer:
    # A workflow's token stands for an installation, not for somebody.
    if call.account.type == "Bot" and call.token and call.token.permissions is not None:
        raise Refused(403, "Resource not accessible by integration")
    private = dict.fromkeys(
        ("private_gists", "total_private_repos", "owned_private_repos", "disk_usage", "collaborators"), 0
    )
    return Answer(body=_profile(call.account, call) | private | {"two_factor_authentication": True})


def get_user(call: Call) -> Answer:
    account = call.state.account(call.parts["login"])
    if account is None:
        raise Refused(404, "Not Found")
    return Answer(body=_profile(account, call))


def _profile(account: Account, call: Call) -> dict[str, Any]:
    return {
        **account_shape(account, call.urls),
        "name": account.login,
        **dict.fromkeys(("company", "location", "email", "hireable", "bio", "twitter_username")),
        "blog": "",
        **dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0),
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2020-01-01T00:00:00Z",
    }


def team_membership(call: Call) -> Answer:
    # A workflow's token cannot read the teams of an organisation at all.
    if call.token and call.token.permissions is not None and "members" not in call.token.permissions:
        raise Refused(403, "Resource not accessible by integration")
    org, team, login = (call.parts[name] for name in ("org", "team", "login"))
    members = call.state.teams.get((org.lower(), team.lower()), set())
    if call.account.login and login.lower() not in members:
        raise Refused(404, "Not Found")
    url = f"{call.urls.api}/organizations/1/team/1/memberships/{login}"
    return Answer(body={"url": url, "role": "member", "state": "active"})


def rate_limit(call: Call) -> Answer:
    reset = int(call.state.now().timestamp()) + 3600
    rate = {"limit": _LIMIT, "used": 0, "remaining": _LIMIT, "reset": reset}
    names = ("core", "search", "graphql", "integration_manifest")
    return Answer(body={"resources": {name: dict(rate) for name in names}, "rate": rate})


ROUTES = (
    Route("GET", "/user", get_me),
    Route("GET", "/users/{login}", get_user),
    Route("GET", "/orgs/{org}/teams/{team}/memberships/{login}", team_membership),
    Route("GET", "/rate_limit", rate_limit),
)
