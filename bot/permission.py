"""What a person may do to a repository, as GitHub has it."""

from enum import StrEnum


class Permission(StrEnum):
    """A collaborator's role on a repository, weakest first.

    Source: GET /repos/{owner}/{repo}/collaborators/{login}/permission.
    """

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    def reaches(self, needed: "Permission") -> bool:
        order = list(Permission)
        return order.index(self) >= order.index(needed)
