"""GitHub, for one repository: what `world.Repository` asks for, over PyGithub."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from bot.dataclass import dataclass
from bot.errors import BadUsage, GitHubFailed
from bot.outside import artifact
from bot.outside.answers import (
    ChangedFileAnswer,
    FolderAnswer,
    ListedCommitAnswer,
    MeAnswer,
    MembershipAnswer,
    PullRequestAnswer,
    RepositoryAnswer,
    StandingAnswer,
    UserAnswer,
    ViewerAnswer,
)
from bot.outside.blob_text import texts
from bot.outside.delivery import Delivery
from bot.outside.discussion import Discussion
from bot.outside.fault import Fault, Kind
from bot.outside.git_data import READ, GitData
from bot.outside.opening import opening
from bot.outside.patience import Patience
from bot.outside.rest import Request, Rest, github_failed, path_of, rest
from bot.outside.tips import tips
from bot.outside.transcripts import transcripts
from bot.permission import Permission
from bot.pull_request import Account, Comment, Commit, Opening, PullRequest, Standing, Tip
from bot.sentence import Sentence
from bot.settings import Settings, is_repository_name
from bot.workspace import Change, Entry
from bot.world import Conclusion, Courtesy


def connect(settings: Settings, *, patience: Patience | None = None) -> "GitHubRepository":
    """The repository that the run is about. Nothing is asked of GitHub yet."""
    door = rest(settings.token, api_url=settings.api_url, patience=patience)
    org_token = settings.inputs.org_token
    org_door = rest(org_token, api_url=settings.api_url, patience=patience) if org_token else door

    def deliver(name: str) -> Delivery:
        url = f"{settings.server_url}/{name}.git"
        return Delivery(url=url, token=settings.token, patience=door.patience)

    return repository(settings.repository, door=door, org_door=org_door, deliver=deliver)


def repository(
    name: str, *, door: Rest, org_door: Rest, deliver: Callable[[str], Delivery] | None = None
) -> "GitHubRepository":
    """`deliver` opens the way for many files at once. Raises BadUsage for what is not `owner/name`."""
    if not is_repository_name(name):
        raise BadUsage(
            "%(name)s is no repository's name", name=repr(name), next_step="write it as owner/name"
        )
    root = path_of("repos", name)
    git = GitData(rest=door, root=root, name=name, delivery=deliver(name) if deliver else None)
    return GitHubRepository(name=name, root=root, door=door, org_door=org_door, git=git, deliver=deliver)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubRepository:
    """`org_door` has the input org-token, where there is one: teams and an organisation's policy may need it.

    `root` is the repository's path in the API. `own` holds the bot's own account once it was asked for.
    """

    name: str
    root: str
    door: Rest
    org_door: Rest
    git: GitData
    own: list[Account] = field(default_factory=list)
    deliver: Callable[[str], Delivery] | None = None

    def other(self, name: str) -> "GitHubRepository":
        """The same door to another repository: a fork's, with the token that we push with."""
        return repository(name, door=self.door, org_door=self.org_door, deliver=self.deliver)

    def organisations(self, name: str) -> "GitHubRepository":
        """The door to a repository of the organisation, with the org-token where there is one."""
        return repository(name, door=self.org_door, org_door=self.org_door)

    def me(self) -> Account:
        """The token's own account. A job's token can't ask `GET /user`, so GraphQL is asked.

        It never counts as a person, even where a person lent the bot their token.
        """
        if not self.own:
            request = self.door.graphql(
                Sentence("tell whose token this is"), _VIEWER, {}, permission="metadata: read"
            )
            viewer = self.door.ask(request, MeAnswer).viewer
            account_id = viewer.database_id
            if account_id is None:
                request = Request(
                    what=Sentence("read the account %(login)s", login=repr(viewer.login)),
                    permission="metadata: read",
                    path=path_of("users", viewer.login),
                )
                account_id = self.door.ask(request, UserAnswer).id
            self.own.append(Account(login=viewer.login, id=account_id, is_person=False))
        return self.own[0]

    def standing(self, login: str, *, teams: Sequence[str] = ()) -> Standing:
        """An account that GitHub doesn't know has no permission and is no person."""
        request = Request(
            what=Sentence("read the permission of %(login)s", login=repr(login)),
            permission="metadata: read",
            path=self.root + path_of("collaborators", login, "permission"),
        )
        answer = self.door.settle(request, StandingAnswer)
        if isinstance(answer, Fault):
            if answer.kind is Kind.MISSING:
                return _nobody(login)
            raise github_failed(request, answer)
        if answer.user is None:
            return _nobody(login)
        return Standing(
            account=answer.user.account(),
            permission=answer.level(),
            teams=frozenset(team for team in teams if self._is_member(team, answer.user.login)),
        )

    def _is_member(self, team: str, login: str) -> bool:
        """GitHub says 404 of a stranger, and of a team that the token may not see: both are a no."""
        organisation, _, slug = team.removeprefix("@").rpartition("/")
        owner = organisation or self.name.partition("/")[0]
        request = Request(
            what=Sentence(
                "tell whether %(login)s is in the team %(team)s", login=repr(login), team=repr(team)
            ),
            permission="members: read",
            path=path_of("orgs", owner, "teams", slug, "memberships", login),
        )
        answer = self.org_door.settle(request, MembershipAnswer)
        if isinstance(answer, Fault):
            if answer.kind is Kind.MISSING:
                return False
            failed = github_failed(request, answer)
            raise GitHubFailed(
                failed.what,
                next_step="give the action the input org-token: a token that may read the members of teams",
            )
        return answer.state == "active"

    def opening(self, number: int, *, path: str) -> Opening:
        """What a run begins with, in one request; it also tells whose token this is."""
        told = opening(self.door, self.name, number, path=path, blob=self.git.blob)
        self._is_viewed_by(told.viewer)
        self.git.node_ids.update(told.node_ids)
        self.git.trees.update(told.trees)
        return told.opening

    def pull_request(self, number: int) -> PullRequest:
        request = Request(
            what=Sentence("read pull request %(number)s", number=number),
            permission="pull-requests: read",
            path=self.root + path_of("pulls", number),
            # The event that told of it can be faster than the machine that answers.
            is_new=True,
        )
        answer = self.door.ask(request, PullRequestAnswer)
        for side in (answer.head.repo, answer.base.repo):
            if side is not None:
                self.git.node_ids[side.full_name] = side.node_id
        return answer.pull_request()

    def changed_paths(self, number: int) -> Sequence[str]:
        """What the pull request touches, under old names and new; GitHub tells of 3,000 files at most."""
        request = Request(
            what=Sentence("list the files of pull request %(number)s", number=number),
            permission="pull-requests: read",
            path=self.root + path_of("pulls", number, "files"),
            is_new=True,
        )
        files = self.door.pages(request, ChangedFileAnswer, most=3_000)
        names = {name for file in files for name in (file.filename, file.previous_filename) if name}
        return sorted(names)

    def default_branch(self) -> str:
        request = Request(
            what=Sentence("read the repository %(name)s", name=self.name),
            permission="metadata: read",
            path=self.root,
        )
        return self.door.ask(request, RepositoryAnswer).default_branch

    def tips(self, branches: Sequence[str], *, path: str) -> Mapping[str, Tip]:
        """One request for all; it also tells whose token this is, which is asked sooner or later."""
        viewer, found = tips(self.door, self.name, branches, path, blob=self.git.blob)
        self._is_viewed_by(viewer)
        return found

    def _is_viewed_by(self, viewer: ViewerAnswer) -> None:
        if viewer.database_id is not None and not self.own:
            self.own.append(Account(login=viewer.login, id=viewer.database_id, is_person=False))

    def tip(self, branch: str) -> str:
        tip = self.git.tip(branch)
        if tip is None:
            raise GitHubFailed(
                "%(name)s has no branch %(branch)s",
                name=self.name,
                branch=repr(branch),
                next_step="check that the branch still exists, and that the token may read the repository",
            )
        return tip

    def file(self, path: str, *, at: str) -> bytes | None:
        """None where `at` has no plain file there; a symbolic link, which GitHub would follow, is none.

        So the folder is listed first: what protects the policy file must not be undone by a link to another.
        """
        folder, _, name = path.rpartition("/")
        request = Request(
            what=Sentence("read %(path)s", path=repr(path)),
            permission=READ,
            path=self.root + (path_of("contents", folder) if folder else "/contents/"),
            query={"ref": at},
        )
        answer = self.door.settle(request, FolderAnswer)
        if isinstance(answer, Fault):
            if answer.kind is Kind.MISSING:
                return None
            raise github_failed(request, answer)
        blob = answer.file(name)
        return None if blob is None else self.git.blob(blob)

    def tree(self, commit: str) -> Mapping[str, Entry]:
        return self.git.tree(commit)

    def blob(self, sha: str) -> bytes:
        return self.git.blob(sha)

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        return texts(self.door, self.name, shas)

    def commit(self, sha: str) -> Commit:
        return self.git.commit(sha)

    def commits(self, branch: str, *, most: int) -> Sequence[Commit]:
        """The newest ones, newest first. A commit's name may stand for the branch."""
        request = Request(
            what=Sentence("list the commits of %(branch)s", branch=repr(branch)),
            permission=READ,
            path=self.root + path_of("commits"),
            query={"sha": branch},
        )
        pages = self.door.pages(request, ListedCommitAnswer, most=most)
        return [answer.as_commit() for answer in pages]

    def comments(self, number: int) -> Iterable[Comment]:
        return self._discussion.comments(number)

    def comment(self, number: int, body: str) -> Comment:
        return self._discussion.comment(number, body)

    def edit_comment(self, comment_id: int, body: str) -> Comment:
        return self._discussion.edit_comment(comment_id, body)

    def editor(self, comment: Comment) -> Account | None:
        return self._discussion.editor(comment)

    def be_courteous(self, courtesies: Sequence[Courtesy]) -> Sequence[bool]:
        return self._discussion.be_courteous(courtesies)

    def check(self, sha: str, conclusion: Conclusion, *, title: str, summary: str, url: str) -> bool:
        return self._discussion.check(sha, conclusion, title=title, summary=summary, url=url)

    def artifacts(self, name: str) -> Iterable[bytes]:
        return artifact.artifacts(self.door, self.root, name)

    def transcripts(self, *, most: int) -> Iterable[tuple[str, bytes]]:
        return transcripts(self.door, self.root, most=most)

    def make_tree(self, *, base_commit: str, changes: Sequence[Change], before: Mapping[str, Entry]) -> str:
        return self.git.make_tree(base_commit=base_commit, changes=changes, before=before)

    def make_commit(self, *, tree: str, parent: str, message: str) -> Commit:
        return self.git.make_commit(tree=tree, parent=parent, message=message)

    def move_branch(self, branch: str, *, before: str, after: str) -> bool:
        return self.git.move_branch(branch, before=before, after=after)

    @property
    def _discussion(self) -> Discussion:
        return Discussion(rest=self.door, root=self.root, me=self.me)


_VIEWER = """
query Viewer { viewer { login databaseId } }
"""


def _nobody(login: str) -> Standing:
    account = Account(login=login, id=0, is_person=False)
    return Standing(account=account, permission=Permission.NONE)
