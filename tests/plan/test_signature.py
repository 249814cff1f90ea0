from bot.plan.signature import is_signed, sign
from bot.settings import Secret

KEY = Secret("correct horse battery staple")


def test_a_signature_holds_for_its_digest_and_key_alone() -> None:
    signature = sign("a" * 64, KEY)
    assert is_signed("a" * 64, signature, KEY)
    assert not is_signed("b" * 64, signature, KEY)
    assert not is_signed("a" * 64, signature, Secret("another key"))
    assert not is_signed("a" * 64, None, KEY)
    assert not is_signed("a" * 64, "", KEY)
