import pytest
from pydantic import ValidationError

from bot.event import payload

ACCOUNT = {"login": "maya", "id": 7, "type": "User"}


def test_a_key_that_github_adds_next_year_is_no_mistake() -> None:
    account = payload.Account.model_validate(ACCOUNT | {"shoe_size": 42})
    assert account == payload.Account(login="maya", id=7, type="User")


def test_a_payload_is_not_changed_after_it_was_read() -> None:
    account = payload.Account.model_validate(ACCOUNT)
    with pytest.raises(ValidationError):
        account.login = "mallory"


WRONG = {
    "a number written as text": ACCOUNT | {"id": "7"},
    "a number that is a truth value": ACCOUNT | {"id": True},
    "a number with a fraction": ACCOUNT | {"id": 7.5},
    "no login": ACCOUNT | {"login": ""},
    "a login as long as a page": ACCOUNT | {"login": "m" * 101},
    "no type": {"login": "maya", "id": 7},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG)
def test_a_wrong_shape_is_no_account(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        payload.Account.model_validate(fields)
