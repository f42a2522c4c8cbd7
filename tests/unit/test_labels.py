"""What the name of a file tells."""

import pytest

from memoire.labels import is_secret, label

# ruff: noqa: SIM905 - one name a line is harder to read

SECRETS = """.env .env.local .env.production app/.env prod.env .envrc config/.env.test.local id_rsa .ssh/id_ed25519
a/server.pem tls.key store.p12 app.jks ~/.netrc .npmrc .pypirc .git-credentials .aws/credentials aws/.aws/config
.kube/config .docker/config.json credentials.json config/credentials.yml.enc config/master.key secrets.yaml
secrets.prod.json client_secret_123.apps.json service-account.json gcp/service_account_key.json prod.tfvars
terraform.tfstate .htpasswd .pgpass .bash_history vault.kdbx ID_RSA Server.PEM local.settings.json""".split()

ORDINARY = """.env.example .env.sample .env.template .env.dist env.py environment.ts .environment.md id_rsa.pub
src/credentials.py secrets.py secret_santa.py tokens.ts keys.go keyboard.py config.json kube/config monkey.rs
test_secrets.py docs/secrets.md Makefile environ envoy.yaml my.key.md lock.py locks/a.py minify.js generated.py
map.ts bundle.ts vendors.py vendor.py ui.html""".split()


@pytest.mark.parametrize("path", SECRETS)
def test_a_file_of_secrets_is_known_by_its_name(path: str) -> None:
    assert is_secret(path)
    assert label(path) == "secret"


@pytest.mark.parametrize("path", ORDINARY)
def test_an_ordinary_file_has_no_label(path: str) -> None:
    assert not is_secret(path)
    assert label(path) == ""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("package-lock.json", "lock"),
        ("a/Cargo.lock", "lock"),
        ("go.sum", "lock"),
        ("web/jquery.min.js", "minified"),
        ("app.js.map", "minified"),
        ("api/user_pb2.py", "generated"),
        ("api/user.pb.go", "generated"),
        ("zz_generated.deepcopy.go", "generated"),
        ("a/types.generated.ts", "generated"),
        ("schema_generated.py", "generated"),
        ("ui_main.h", "generated"),
        ("third_party/zlib/inflate.c", "vendored"),
        ("pip/_vendor/rich/text.py", "vendored"),
        ("vendor/x.min.js", "minified"),
        ("vendor/.env", "secret"),
    ],
)
def test_other_labels_follow_the_name(path: str, expected: str) -> None:
    assert label(path) == expected
