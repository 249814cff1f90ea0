import random
import re

import pytest
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

from bot.words.redaction import secret_rules
from bot.words.secret_shape import Read, shapes

HEX, LETTERS, MIXED = "0a1b2c3d" * 8, "abcdefgh" * 8, "aB3_-xY9" * 8
# What ours find instead of detect-secrets' own patterns.
SAMPLES = {
    "AWS Access Key": (
        "AKIA" + "ABCD1234" * 2,
        f"aws_secret_key = '{HEX[:40]}'",
        f'AWS: my token of today "{"aB3/" * 10}"',
        f"aws {'x' * 19}password{'x' * 20}'{HEX[:40]}'",
    ),
    "Cloudant Credentials": (
        f"cl_apikey = {HEX}",
        f"CLOU-PW=>'{LETTERS[:24]}'",
        f"['cloudant_password']:= \"{HEX}\"",
        f"https://some-where:{HEX}@some-where.cloudant.com",
        f"HTTP://a:{LETTERS[:24]}@b.CLOUDANT.com",
    ),
    "Discord Bot Token": (
        f"M{MIXED[:23]}.{MIXED[:6]}.{MIXED[:27]}",
        f"O{MIXED[:25]}.{MIXED[:6]}.{MIXED[:27]}",
    ),
    "IBM COS HMAC Credentials": (
        f"ibm-cos_hmac_secret_access_key: {HEX[:48]}",
        f'["secretkey"]   "{HEX[:48]}"',
        f"cosSecretKey:={HEX[:48]}",
    ),
    "IBM Cloud IAM Key": (
        f"ibm_cloud_iam_api_key = '{MIXED[:44]}'",
        f"token {MIXED[:44]}",
        f"\nibm__pass::{MIXED[:44]}",
        f"cloud-iamAPI-password   =>   {MIXED[:44]}",
    ),
    "Mailchimp Access Key": (f"{HEX[:32]}-us1", f"{HEX[:32]}-us12"),
    "SoftLayer Credentials": (
        f"softlayer_api_token: '{HEX}'",
        f"SL-PWD={HEX}",
        f"http://api.softlayer.com/soap/v3/{HEX}",
        f"https://api.softlayer.com/soap/v3.1/{HEX}",
    ),
    "Telegram Bot Token": (f"12345678:{MIXED[:35]}", f"1234567890:{MIXED[:35]}"),
}
AROUND = (
    *("", " ", "\n", "x", "_", "-", '"', "'", "[", "]", "=", ":", "/", "é", "***", "key", "aws ", "token ="),
    *("\u0130", "\u0131", "\u017f", "\u212a", HEX, LETTERS, MIXED, "    "),
)


def _theirs(name: str, text: str) -> list[tuple[int, int]]:
    patterns = get_mapping_from_secret_type_to_class()[name].denylist  # type: ignore[attr-defined]
    return sorted({found.span() for pattern in patterns for found in pattern.finditer(text)})


def _ours(name: str, text: str) -> list[tuple[int, int]]:
    read = Read(text)
    return sorted({place for shape in shapes() if shape.name == name for place in shape.found_in(read)})


@pytest.mark.parametrize("name", SAMPLES)
def test_ours_are_where_those_of_detect_secrets_are(name: str) -> None:
    chance = random.Random(name)
    found = 0
    for sample in SAMPLES[name]:
        assert _ours(name, sample) == _theirs(name, sample) != []
        for _ in range(40):
            text = _bent(sample, chance)
            places = _theirs(name, text)
            assert _ours(name, text) == places, text
            found += bool(places)
    # Most are still what they were.
    assert found > 20 * len(SAMPLES[name])


def _bent(sample: str, chance: random.Random) -> str:
    """A sample with something around it, and now and then something in it or missing from it."""
    at = chance.randrange(len(sample))
    change = chance.randrange(8)
    if change == 0:
        sample = sample[:at] + sample[at + 1 :]
    elif change == 1:
        sample = sample[:at] + chance.choice(AROUND) + sample[at:]
    elif change == 2:
        sample = sample.swapcase()
    elif change == 3:
        sample = sample.replace("s", "\u017f", 1).replace("k", "\u212a", 1).replace("i", "\u0131", 1)
    pieces = [chance.choice(AROUND) for _ in range(4)]
    return "".join((*pieces[:2], sample, *pieces[2:], *chance.choice(((), (" ", sample)))))


def test_every_pattern_of_a_service_that_detect_secrets_knows_is_ours_too() -> None:
    guesses = {"Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword"}
    not_meant = {"Public IP (ipv4)", "Artifactory Credentials"}
    theirs = get_mapping_from_secret_type_to_class().keys() - guesses - not_meant
    assert theirs <= {shape.name for shape in shapes()}


def test_what_a_pattern_takes_for_a_letter_in_any_case_is_that_letter_in_small_letters() -> None:
    letters = re.compile("[a-z]", re.IGNORECASE)
    text = "".join(map(chr, range(0x1F000)))
    read = Read(text)
    assert len(read.small) == len(text)
    assert [read.small[found.start()] for found in letters.finditer(text)] == [
        letter for letter in read.small if "a" <= letter <= "z"
    ]


HOSTILE = {
    "a key and blanks": "key" + " " * 20_000 + "!",
    "keys with blanks": ("key" + " " * 100) * 200,
    "secrets with blanks": ("secret_key" + " " * 60) * 300,
    "nearly keys": ("ibm_cloud_iam_api_key = " + "a" * 43 + " ") * 300,
    "words near the name of a cloud": "aws key '" * 2_000,
    "quoted hashes": ("'" + "0" * 40 + "'") * 500,
    "capitals": "M" * 20_000,
    "dots": ".aaaaaa" * 3_000,
    "numbers": "1234567890:" * 2_000,
    "small letters": "a" * 20_000 + "-us",
    "runs of a region": "-us1" * 5_000,
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_costs_little(text: str) -> None:
    assert secret_rules(text) in {(), ("Mailchimp Access Key",)}
