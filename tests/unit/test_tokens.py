import threading

import pytest

from memoire import tokens
from memoire.tokens import body_terms, index_words, is_form, whole_of, whole_terms


def parts_of(name: str) -> tuple[str, ...]:
    """Return what a name alone adds to the words of a body, in order."""
    return tuple(index_words(name).partition("\n")[0].split())


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getURLPath2", ("get", "url", "path", "2")),
        ("HTTPServer", ("http", "server")),
        ("parseHTML", ("parse", "html")),
        ("read_timeout", ("read", "timeout")),
        ("READ_TIMEOUT", ("read", "timeout")),
        ("__init__", ("init",)),
        ("kebab-case-name", ("kebab", "case", "name")),
        ("pkg.mod.Class", ("pkg", "mod", "class")),
        ("userIDs", ("user", "ids")),
        ("getURLsFor", ("get", "urls", "for")),
        ("plain", ("plain",)),
        ("", ()),
        ("_", ()),
        ("->", ()),
    ],
)
def test_a_name_is_split_at_case_underscores_and_digits(name: str, parts: tuple[str, ...]) -> None:
    assert parts_of(name) == parts


@pytest.mark.parametrize(
    ("name", "attached"),
    [
        ("utf8", "utf8"),
        ("to_utf8", "utf8"),
        ("sha256", "sha256"),
        ("getSha256Sum", "sha256"),
        ("toBase64", "base64"),
        ("BASE64_CHARS", "base64"),
        ("i18n", "i18n"),
        ("x86_64", "x86"),
        ("PY311", "py311"),
    ],
)
def test_letters_and_digits_written_as_one_are_kept_as_one_too(name: str, attached: str) -> None:
    wholes = index_words(name).partition("\n")[2].split()
    assert wholes[-1] == attached
    assert attached not in parts_of(name)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ÜberKlasse", ("über", "klasse")),
        ("ПриветМир", ("привет", "мир")),
        ("naïveÉCOLENationale", ("naïve", "école", "nationale")),
        ("café_créé", ("café", "créé")),
        ("数据库", ("数据", "据库")),
        ("名前getUrl", ("名前", "get", "url")),
        ("ﬁnd", ("find",)),
    ],
)
def test_names_of_any_script_are_split(name: str, parts: tuple[str, ...]) -> None:
    assert parts_of(name) == parts


def test_a_hash_is_one_part_and_a_word_of_encoded_data_is_none() -> None:
    digest = "d41d8cd98f00b204e9800998ecf8427e"
    assert parts_of(digest) == (digest,)
    assert index_words(f"before {'QmFzZTY0' * 20} after") == "before after\n"


def test_the_body_has_all_parts_in_order_and_the_wholes_have_names_of_several_parts() -> None:
    assert index_words(b"def getUrl(self, read_timeout=404): return utf8") == (
        "def get url self read timeout 404 return utf 8\ngeturl readtimeout utf8"
    )


def test_the_wholes_have_a_name_as_often_as_the_text() -> None:
    assert (
        index_words("read_timeout readTimeout ReadTimeout").partition("\n")[2] == "readtimeout readtimeout readtimeout"
    )


def test_bytes_and_text_give_the_same_words() -> None:
    text = "naïve “quotes”—dash don\u2019t 数据库 plain getURL"
    assert index_words(text) == index_words(text.encode())
    assert body_terms(text) == ["naïve", "quotes", "dash", "don", "数据", "据库", "plain", "get", "url"]


def test_utf_16_with_its_mark_is_read() -> None:
    assert index_words("hello world".encode("utf-16")) == "hello world\n"


def test_any_bytes_are_read_and_nul_separates() -> None:
    assert index_words(b"one\x00two \xff\xfe three\x80four") == "one two three four\n"
    assert index_words("lone \ud800 surrogate") == "lone surrogate\n"


def test_text_past_the_limit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "TEXT_LIMIT", 8)
    assert index_words(b"one two three") == index_words("one two three") == "one two\n"


def test_secrets_are_out_before_words_are_made() -> None:
    def redact(text: str) -> str:
        return text.replace("hunter2", "")

    assert index_words("password hunter2", redact) == "password\n"
    assert index_words(b"password hunter2", redact) == "password\n"


def test_terms_of_a_query_are_those_of_the_text() -> None:
    assert body_terms("readTimeout of x") == ["read", "timeout", "of"]
    assert whole_terms("readTimeout") == ["readtimeout"]
    assert whole_terms("timeout") == []
    assert whole_of("read_timeout") == whole_of("ReadTimeout") == "readtimeout"
    assert whole_of("数据库") == "数据库"


def test_words_stay_right_when_more_words_have_been_seen_than_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "CACHE_LIMIT", 3)
    for _ in range(3):
        assert index_words("read_timeout connectTimeout poolSize maxRedirects") == (
            "read timeout connect timeout pool size max redirects\nreadtimeout connecttimeout poolsize maxredirects"
        )


def test_threads_that_make_words_at_once_all_get_whole_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "CACHE_LIMIT", 5)
    texts = [" ".join(f"name_{chr(97 + number)}{chr(97 + step)}x" for step in range(9)) for number in range(8)]
    expected = [index_words(text) for text in texts]
    wrong: list[str] = []

    def make() -> None:
        for _ in range(200):
            wrong.extend(text for text, words in zip(texts, expected, strict=True) if index_words(text) != words)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("retry", "retries"), ("parse", "parser"), ("configure", "configuration"), ("timeout", "timeouts")],
)
def test_forms_of_one_word_are_known(one: str, other: str) -> None:
    assert is_form(one, other)
    assert is_form(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("retry", "retrieve"), ("port", "portal"), ("as", "ass"), ("read", "write")]
)
def test_other_words_are_no_forms(one: str, other: str) -> None:
    assert is_form(one, other) is (one == "port")
