"""A commit's objects over git's own protocol: one exchange brings every file, however many are missing.

It runs in this process, by libgit2: a git subprocess would have to be told the token. The objects go into a
scratch repository that is gone with the object; the checkout is left as it is.
"""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Final

from bot.errors import CheckoutFailed
from bot.settings import Secret


class Fetched:
    """The objects of the commits that were asked for. `url` is the repository's, over http or https."""

    def __init__(self, url: str, token: Secret) -> None:
        import pygit2

        # Nothing of the machine's own configuration may send the token elsewhere (url.*.insteadOf).
        for level in (
            pygit2.enums.ConfigLevel.SYSTEM,
            pygit2.enums.ConfigLevel.XDG,
            pygit2.enums.ConfigLevel.GLOBAL,
        ):
            pygit2.settings.search_path[level] = ""
        folder = Path(tempfile.mkdtemp(prefix="dryrun-fetch-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._repository: Final = pygit2.init_repository(str(folder), bare=True)
        self._url: Final = url
        self._token: Final = token

    def bring(self, commit: str) -> None:
        """This one commit and all its files, without its history."""
        import pygit2

        token = self._token

        class Credentials(pygit2.RemoteCallbacks):
            def credentials(self, *_: object) -> pygit2.UserPass:
                return pygit2.UserPass("x-access-token", token.reveal())

        remote = self._repository.remotes.create_anonymous(self._url)
        try:
            remote.fetch([commit], depth=1, callbacks=Credentials())
        except (pygit2.GitError, ValueError) as error:
            raise CheckoutFailed(
                "The files of commit %(commit)s could not be fetched: %(error)s",
                commit=commit,
                error=error,
                next_step="run the job again, or check the commit out with actions/checkout's `ref`",
            ) from error

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob; None if no commit that was brought has it."""
        import pygit2

        found = self._repository.get(name)
        return found.data if isinstance(found, pygit2.Blob) else None
