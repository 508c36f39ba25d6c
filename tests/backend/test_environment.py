"""A bad value stops the start with the variable's name and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.environment import BadSetting, Environment

Read = Callable[[Environment], object]


def integer(environment: Environment) -> object:
    return environment.integer("ATTUNE_N", 5, 1, 10)


def choice(environment: Environment) -> object:
    return environment.choice("ATTUNE_N", "red", ("red", "green"))


def url(environment: Environment) -> object:
    return environment.url("ATTUNE_N", "http://a", ("http", "https"))


def time_zone(environment: Environment) -> object:
    return environment.time_zone("ATTUNE_N", "UTC")


def words(environment: Environment) -> object:
    return environment.words("ATTUNE_N", ("a",))


def path(environment: Environment) -> object:
    return environment.path("ATTUNE_N", Path("/default"))


@pytest.mark.parametrize(
    ("read", "raw", "expected"),
    [
        (integer, "1", 1),
        (integer, "10", 10),
        (choice, "green", "green"),
        (url, "https://b/c", "https://b/c"),
        (time_zone, "Europe/London", "Europe/London"),
        (words, " a, b ,,c", ["a", "b", "c"]),
        (path, "/x/../y", Path("/y")),
    ],
)
def test_a_good_value_is_read(read: Read, raw: str, expected: object) -> None:
    assert read(Environment({"ATTUNE_N": raw})) == expected


@pytest.mark.parametrize(
    ("read", "default"),
    [
        (integer, 5),
        (choice, "red"),
        (url, "http://a"),
        (time_zone, "UTC"),
        (words, ["a"]),
        (path, Path("/default")),
    ],
)
@pytest.mark.parametrize("variables", [{}, {"ATTUNE_N": ""}], ids=["unset", "empty"])
def test_an_unset_or_empty_variable_means_the_default(
    read: Read, default: object, variables: dict[str, str]
) -> None:
    assert read(Environment(variables)) == default


@pytest.mark.parametrize(
    ("read", "raw", "allowed"),
    [
        (integer, "0", "a whole number from 1 to 10"),
        (integer, "11", "a whole number from 1 to 10"),
        (integer, "1.5", "a whole number from 1 to 10"),
        (integer, "many", "a whole number from 1 to 10"),
        (choice, "blue", "red or green"),
        (choice, "Red", "red or green"),
        (time_zone, "Mars/Olympus", "a time zone such as UTC or Europe/London"),
        (time_zone, "../etc/passwd", "a time zone such as UTC or Europe/London"),
        (time_zone, "Europe", "a time zone such as UTC or Europe/London"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_and_what_is_allowed(read: Read, raw: str, allowed: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read(Environment({"ATTUNE_N": raw}))
    assert str(refused.value) == f"ATTUNE_N={raw!r} is not allowed: it takes {allowed}."


@pytest.mark.parametrize(
    "raw", ["ftp://ann:hush@a", "http://", "http://[", "http://ann:hush@a:port/", "hush"]
)
def test_a_bad_address_is_refused_without_its_password(raw: str) -> None:
    with pytest.raises(BadSetting) as refused:
        url(Environment({"ATTUNE_N": raw}))
    assert str(refused.value).startswith("ATTUNE_N=")
    assert str(refused.value).endswith("it takes http://… or https://….")
    assert "ann" not in str(refused.value)


def test_a_path_must_not_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadSetting, match="a directory"):
        path(Environment({"ATTUNE_N": str(tmp_path / "file")}))


def test_words_without_a_default_have_to_be_given() -> None:
    with pytest.raises(BadSetting, match="ATTUNE_N is missing"):
        Environment({}).words("ATTUNE_N", ())


@pytest.mark.parametrize("raw", ["", "a" * 39, "g" * 40, "a" * 80])
def test_a_token_is_forty_hexadecimal_digits(raw: str) -> None:
    with pytest.raises(BadSetting, match="40 hexadecimal digits"):
        Environment({"ATTUNE_N": raw}).token("ATTUNE_N", "")
    assert Environment({"ATTUNE_N": "0a" * 20}).token("ATTUNE_N", "") == "0a" * 20


@pytest.mark.parametrize("variables", [{}, {"ATTUNE_KEY": "hush-hush"}], ids=["missing", "short"])
def test_a_bad_secret_is_refused_without_being_shown(variables: dict[str, str]) -> None:
    with pytest.raises(BadSetting) as refused:
        Environment(variables).secret("ATTUNE_KEY", "", 20)
    assert str(refused.value) == "ATTUNE_KEY is missing or too short: it needs at least 20 characters."


def test_a_good_secret_is_read() -> None:
    assert Environment({"ATTUNE_KEY": "k" * 20}).secret("ATTUNE_KEY", "", 20) == "k" * 20


def test_an_optional_secret_may_be_missing_but_not_bad() -> None:
    assert Environment({}).optional_secret("ATTUNE_KEY", "", 20) == ""
    assert Environment({}).optional_secret("ATTUNE_KEY", "d" * 20, 20) == "d" * 20
    with pytest.raises(BadSetting, match="at least 20 characters"):
        Environment({"ATTUNE_KEY": "short"}).optional_secret("ATTUNE_KEY", "", 20)


def test_a_misspelt_variable_is_refused_with_the_nearest_name() -> None:
    environment = Environment({"ATTUNE_WEB_PROT": "80"})
    environment.integer("ATTUNE_WEB_PORT", 8000, 1, 65535)
    with pytest.raises(
        BadSetting, match=r"^ATTUNE_WEB_PROT is not a setting .* Did you mean ATTUNE_WEB_PORT\?$"
    ):
        environment.refuse_unknown()


def test_a_variable_like_none_other_points_to_the_list() -> None:
    with pytest.raises(BadSetting, match=r"docs/settings\.md lists every setting"):
        Environment({"ATTUNE_XYZ": "1"}).refuse_unknown()


def test_variables_of_others_are_left_alone() -> None:
    environment = Environment({"HOME": "/root", "ATTUNE_N": "x"})
    environment.words("ATTUNE_N", ("y",))
    environment.refuse_unknown()
    assert environment.known == {"ATTUNE_N"}
