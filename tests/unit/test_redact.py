"""Secrets that must go, and text that must stay. No token here is real."""
# ruff: noqa: E501, SIM905 - tables: one case a line

import random
import string

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memoire.episodes.redact import MASK, redact, redact_command
from memoire.episodes.secret_shapes import kind_of_name

A36 = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
HEX32 = "0123456789abcdef0123456789abcdef"
# Put together here, so that no scanner of this repository takes them for real.
TOKENS = {
    "github": f"ghp_{A36}",
    "github oauth": f"gho_{A36}",
    "github app": f"ghs_{A36}",
    "github fine-grained": f"github_pat_11{A36}_{A36}",
    "gitlab": f"glpat-{A36[:20]}",
    "slack bot": f"xoxb-123456789012-123456789012-{A36[:24]}",
    "slack app": f"xapp-1-A012-345-{HEX32}",
    "stripe live": f"sk_live_{A36[:24]}",
    "stripe restricted": f"rk_test_{A36[:24]}",
    "stripe webhook": f"whsec_{A36}",
    "openai": f"sk-{A36}{A36[:12]}",
    "openai project": f"sk-proj-{A36}_{A36}",
    "anthropic": f"sk-ant-api03-{A36}-{A36}-AA",
    "aws key id": "AKIA" + "IOSFODNN7EXAMPLE",
    "google api": "AIza" + A36[:35],
    "google oauth": f"ya29.{A36}",
    "npm": f"npm_{A36}",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{A36}{A36}",
    "digitalocean": f"dop_v1_{HEX32}{HEX32}",
    "hugging face": f"hf_{A36}",
    "groq": f"gsk_{A36}{A36}",
    "sendgrid": f"SG.{A36[:22]}.{A36}",
    "pulumi": f"pul-{HEX32}01234567",
    "shopify": f"shpat_{HEX32}",
    "square": f"sq0atp-{A36[:22]}",
    "figma": f"figd_{A36}",
    "linear": f"lin_api_{A36}",
    "netlify": f"nfp_{A36}",
    "docker": f"dckr_pat_{A36[:27]}",
    "vault": f"hvs.{A36}",
    "grafana": f"glsa_{A36[:32]}_{HEX32[:8]}",
    "sentry": f"sntrys_{A36}{A36}",
    "atlassian": f"ATATT3xFf{A36}{A36}",
    "new relic": f"NRAK-{A36[:27].upper()}",
    "databricks": f"dapi{HEX32}",
    "postman": f"PMAK-{HEX32[:24]}-{HEX32}01",
    "mailgun": f"key-{HEX32}",
    "telegram": f"123456789:AA{A36[:33]}",
    "age": "AGE-SECRET-KEY-1" + "Q" * 58,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "slack webhook": "https://hooks.slack.com/services/" + f"T0000/B0000/{A36[:24]}",
    "discord webhook": "https://discord.com/api/webhooks/" + f"123456789012/{A36}{A36}",
    "bcrypt": "$2b$12$" + "abcdefghijklmnopqrstuu" + "A" * 31,
    "shadow": "$6$rounds=5000$salt$" + "a" * 86,
}

SECRETS = [
    # (text, what must go, what the whole becomes)
    ("export GITHUB_TOKEN=abcdef", "abcdef", "export GITHUB_TOKEN=***"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY aws s3 ls", "wJalr", "AWS_SECRET_ACCESS_KEY=*** aws s3 ls"),
    ("DB_PASSWORD='two words' make", "two words", "DB_PASSWORD='***' make"),
    ('export API_KEY="hunter2!"', "hunter2", 'export API_KEY="***"'),
    ("PGPASSWORD=letmein psql -h db", "letmein", "PGPASSWORD=*** psql -h db"),
    ("MYSQL_PWD=letmein;echo", "letmein", "MYSQL_PWD=***;echo"),
    ("docker run -e STRIPE_SECRET=shh img", "shh", "docker run -e STRIPE_SECRET=*** img"),
    ("SECRET_KEY_BASE=0f0f0f0f0f", "0f0f", "SECRET_KEY_BASE=***"),
    ("$env:AZURE_CLIENT_SECRET=q~1abc", "q~1abc", "$env:AZURE_CLIENT_SECRET=***"),
    ("myapp --password hunter2 --verbose", "hunter2", "myapp --password *** --verbose"),
    ("myapp --password=hunter2", "hunter2", "myapp --password=***"),
    ("myapp --db-password 'p w'", "p w", "myapp --db-password '***'"),
    ("tool --api-key abcdefg", "abcdefg", "tool --api-key ***"),
    ("tool --client-secret=abc~def", "abc~def", "tool --client-secret=***"),
    ("gpg --passphrase hunter2 -d f", "hunter2", "gpg --passphrase *** -d f"),
    ("curl -u admin:hunter2 https://x.io", "hunter2", "curl -u admin:*** https://x.io"),
    ("curl --user 'admin:hunter2' https://x.io", "hunter2", "curl --user 'admin:***' https://x.io"),
    ("curl -H 'Authorization: Bearer abcDEF123' x", "abcDEF123", "curl -H 'Authorization: Bearer ***' x"),
    ("Authorization: Basic dXNlcjpwYXNz", "dXNl", "Authorization: Basic ***"),
    ("authorization: token 0a1b2c3d4e5f", "0a1b", "authorization: token ***"),
    ('{"Authorization": "Bearer s3cr3tvalue"}', "s3cr3t", '{"Authorization": "Bearer ***"}'),
    ("curl -H 'X-Api-Key: lettersonly' x", "lettersonly", "curl -H 'X-Api-Key: ***' x"),
    ("X-Auth-Token: abcdefgh", "abcdefgh", "X-Auth-Token: ***"),
    ("Cookie: session=abc123; theme=dark", "abc123", "Cookie: ***"),
    ("Set-Cookie: sid=31d4d96e407aad42; Path=/", "31d4", "Set-Cookie: ***"),
    ("sends Bearer 0123456789abcdef01 along", "0123456789", "sends Bearer *** along"),
    ("git clone https://user:hunter2@example.com/r.git", "hunter2", "git clone https://user:***@example.com/r.git"),
    ("postgres://app:s3cret@db:5432/app", "s3cret", "postgres://app:***@db:5432/app"),
    ("redis://:hunter2@cache:6379", "hunter2", "redis://:***@cache:6379"),
    ("https://0123456789abcdef0123@o1.ingest.sentry.io/1", "0123456789abc", "https://***@o1.ingest.sentry.io/1"),
    ("GET /cb?token=abc&x=1", "abc", "GET /cb?token=***&x=1"),
    ("GET /cb?x=1&access_token=abcdef#f", "abcdef", "GET /cb?x=1&access_token=***#f"),
    ("https://b.blob.core/x?sv=1&sig=aB%2Bc%3D", "aB%2B", "https://b.blob.core/x?sv=1&sig=***"),
    ("mysql -u root -phunter2 db", "hunter2", "mysql -u root -p*** db"),
    ("sshpass -p hunter2 ssh h", "hunter2", "sshpass -p *** ssh h"),
    ("docker login -u me -p hunter2 r.io", "hunter2", "docker login -u me -p *** r.io"),
    ("redis-cli -h c -a hunter2 ping", "hunter2", "redis-cli -h c -a *** ping"),
    ("openssl enc -passin pass:hunter2", "hunter2", "openssl enc -passin pass:***"),
    ("htpasswd -bc .htpasswd joe hunter2", "hunter2", "htpasswd -bc .htpasswd joe ***"),
    ("machine h login me password hunter2", "hunter2", "machine h login me password ***"),
    ("echo root:hunter2 | sudo chpasswd", "hunter2", "echo root:*** | sudo chpasswd"),
    ("CREATE USER a IDENTIFIED BY 'hunter2'", "hunter2", "CREATE USER a IDENTIFIED BY ***"),
    ("kubectl create secret generic s --from-literal=pw=hunter2", "hunter2", "kubectl create secret generic s --from-literal=pw=***"),
    ("Server=db;User Id=sa;Password=hunter2;", "hunter2", "Server=db;User Id=sa;Password=***;"),
    ("AccountName=a;AccountKey=abc0DEF1ghi2==;", "abc0", "AccountName=a;AccountKey=***;"),
    ('password = "hunter2"', "hunter2", 'password = "***"'),
    ("config['api_key'] = 'abc123def456'", "abc123", "config['api_key'] = '***'"),
    ('{"clientSecret": "abc123def456"}', "abc123", '{"clientSecret": "***"}'),
    ('"{\\"password\\": \\"hunter2\\"}"', "hunter2", '"{\\"password\\": \\"***\\"}"'),
    ("const apiKey: string = `abc123def456`", "abc123", "const apiKey: string = `***`"),
    ('if password == "hunter2":', "hunter2", 'if password == "***":'),
    ("password: hunter2", "hunter2", "password: ***"),
    ("  db_password:   hunter2!\n", "hunter2", "  db_password:   ***\n"),
    ("password = hunter2", "hunter2", "password = ***"),
    ("secret_key: 8f3a9c2b1d\n", "8f3a", "secret_key: ***\n"),
    ("//registry.npmjs.org/:_authToken=abcdef1234", "abcdef1234", "//registry.npmjs.org/:_authToken=***"),
    ("my password is hunter2, keep it", "hunter2", "my password is ***, keep it"),
    ("the API key is 0a1b2c3d4e", "0a1b", "the API key is ***"),
    ("auth_token: 7d0c5ae0-2d4b-4c57-9d3b-3b1b7d7a0c11", "7d0c", "auth_token: ***"),
    (":password => 'hunter2'", "hunter2", ":password => '***'"),
    ("'password' => 'hunter2',", "hunter2", "'password' => '***',"),
    ('<add key="x" password="hunter2" />', "hunter2", '<add key="x" password="***" />'),
    ("Digest auth: Authorization: Digest username=\"u\"", "nothing", "Digest auth: Authorization: Digest ***\"u\""),
]  # fmt: skip

HARMLESS = """pytest -k token_refresh
grep -rn password src/
grep "secret" *.py | head
git log --oneline 0123456789abcdef0123456789abcdef01234567
def test_password_is_hashed(user):
password: str
password: Optional[str] = None
def login(username: str, password: str) -> Token:
token = get_token()
token = self.token
token: Token = tokens[0]
self.password = password
password = os.environ["DB_PASSWORD"]
password=os.environ.get("PASSWORD")
apiKey: process.env.API_KEY,
const token = await auth.refresh(oldToken);
client = Client(token=token, secret=secret)
if token == expected_token:
token_type = "Bearer"
"type": "password",
<input type="password" name="password">
placeholder="Enter your password"
"password": "Password is required",
"token": "string",
password: "********"
password: <your-password>
export TOKEN=$OTHER_TOKEN
export TOKEN=$(cat token.txt)
TOKEN="${GITHUB_TOKEN}"
MAX_TOKENS=4096
max_tokens: 4096
TOKENIZERS_PARALLELISM=false
SSH_AUTH_SOCK=/tmp/agent.123
DEFAULT_KEY=sort
sort_key = lambda item: item[0]
primary_key=True
for key, value in data.items():
key = "some.translation.key.with.a.long.name"
public_key: ssh-ed25519
parser.add_argument("--password", help="the password")
parser.add_argument("--token", required=True)
@click.option("--api-key", envvar="API_KEY")
tool --password-stdin < file
tool --token-file /run/secrets/token
usage: tool [--token TOKEN] [--password PASSWORD]
docker login --username me --password-stdin
psql postgres://localhost:5432/app
http://localhost:8080/@scope/package@1.2.3
git clone git@github.com:me/repo.git
https://user@example.com/path
postgres://user:password@localhost/db
postgres://$USER:$PASS@localhost/db
https://user:{password}@host/
Authorization: Bearer <token>
headers["Authorization"] = f"Bearer {token}"
Authorization required
"Authorization": "required"
Bearer authentication is described below
Cookie policy: we use cookies
document.cookie = value
mysql -u root -p db
mysql -u root -p"$PASS" db
redis-cli -h cache ping
curl -u "$USER:$PASS" https://x
pass: true
password_hash = bcrypt.hash(password)
SECRET_NAME=projects
secret: true
secrets: inherit
secretName: my-tls-cert
token: ${{ secrets.GITHUB_TOKEN }}
key: value
api_key = settings.api_key
tokens = tokenizer.encode(text)
access_token_expired
error: invalid_token
throw new Error("token expired")
eyJ is how a JWT starts
-----BEGIN CERTIFICATE-----
a PEM file starts with -----BEGIN RSA PRIVATE KEY----- and ends so
sk-learn and sk_learn are names
import hf_transfer
ghp_ is the prefix of a token
npm_config_registry=https://registry.npmjs.org
pypi-attestations
AKIA is a prefix
passwd: files sss
the password is stored hashed
password must have 8 characters
token = sha256
secret: bytes32
let signature = sign(data, privateKey);
"signature": "def f(x)",
print(f"token={token}")
--------------------------------------------
abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ
src/auth/password.py:12: password_reset_token_generator
password=db_password
newPassword: oldPassword
const { password } = req.body
tokenUrl: "https://auth.example.com/oauth/token"
secret: /run/secrets/db_password
path: projects/1/secrets/api-key/versions/2
key-value store
private key""".split("\n")


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("frame", ["{}", "x = '{}'", '"k": "{}",', "say {}, then", "({})", "echo {}\n", "--t={}"])
def test_a_token_is_known_by_its_shape(name: str, frame: str) -> None:
    token = TOKENS[name]
    masked = redact(frame.format(token))
    assert token[-20:] not in masked
    assert MASK in masked
    assert redact(masked) == masked


@pytest.mark.parametrize(("text", "secret", "expected"), SECRETS)
def test_a_secret_is_known_by_its_name_or_its_command(text: str, secret: str, expected: str) -> None:
    masked = redact(text)
    assert masked == expected
    assert secret not in masked
    assert redact(masked) == masked


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_stays(text: str) -> None:
    assert redact(text) == text


def test_there_are_as_many_harmless_cases_as_secrets() -> None:
    assert len(SECRETS) >= 60
    assert len(HARMLESS) >= len(SECRETS)


def test_a_private_key_goes_and_its_frame_stays() -> None:
    body = "\n".join([A36 + A36[:28]] * 20)
    whole = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    assert redact(f"a\n{whole}\nb") == "a\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nb"
    cut = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{body}"
    assert redact(f"{cut}\nprose goes on here") == "-----BEGIN OPENSSH PRIVATE KEY-----***\nprose goes on here"
    escaped = whole.replace("\n", "\\n")
    assert redact(f'"key": "{escaped}"') == '"key": "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"'


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat > .env <<EOF\nA=1\nB=2\nEOF\nls", "cat > .env <<EOF\n***\nEOF\nls"),
        ("psql <<'SQL'\nselect 1;\nSQL", "psql <<'SQL'\n***\nSQL"),
        ("cat <<-X | sh\n\thunter2\n\tX", "cat <<-X | sh\n***\n\tX"),
        ("cat <<EOF\nunfinished", "cat <<EOF\n***"),
        ("cat <<EOF\nEOF\nls", "cat <<EOF\nEOF\nls"),
        ("cat <<A <<B\n1\nA\n2\nB\nls", "cat <<A <<B\n***\nA\n2\nB\nls"),
        ("vault kv put secret/x pw=hunter2", "vault kv put ***"),
        ("cd x && aws configure set aws_secret_access_key abc", "cd x && aws configure set ***"),
        ("sudo gh auth login --with-token abc | cat", "sudo gh auth login ***| cat"),
        ("ssh-keygen -t ed25519 -N hunter2", "ssh-keygen ***"),
        ("heroku config:set A=b; ls", "heroku config:set ***; ls"),
        ("pytest -k token_refresh && git diff", "pytest -k token_refresh && git diff"),
        ("export TOKEN=abc && make", "export TOKEN=*** && make"),
        ("vaulted --help", "vaulted --help"),
    ],
)
def test_a_command_loses_its_documents_and_what_it_hands_to_a_store(command: str, expected: str) -> None:
    assert redact_command(command) == expected
    assert redact_command(expected) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("db_password", "password"),
        ("newPassword", "password"),
        ("PGPASSWORD", "password"),
        ("DB_PASS", "password"),
        ("pwd", "password"),
        ("pass", ""),
        ("password_label", ""),
        ("passwords", ""),
        ("token", "secret"),
        ("accessToken", "secret"),
        ("GH_TOKEN2", "secret"),
        ("max_tokens", ""),
        ("token_type", ""),
        ("apikey", "secret"),
        ("X-Api-Key", "secret"),
        ("private.key", "secret"),
        ("primary_key", ""),
        ("key", ""),
        ("monkey", ""),
        ("_auth", "secret"),
        ("", ""),
        ("123", ""),
    ],
)
def test_the_last_word_of_a_name_tells_what_it_holds(name: str, kind: str) -> None:
    assert kind_of_name(name) == kind


def test_letters_that_change_their_length_in_lower_case_do_not_shift_the_mask() -> None:
    assert redact('\u0130\u0130\u0130 password = "hunter2" \u0130') == '\u0130\u0130\u0130 password = "***" \u0130'


PIECES = st.lists(
    st.sampled_from(
        [*[text for text, _, _ in SECRETS], *TOKENS.values(), *HARMLESS, " ", "\n", "=", '"', "'", ":", "\\", "-", "@", "://",
         "password", "token", "Bearer ", "<<EOF\n", "-----BEGIN PRIVATE KEY-----", "***", "x" * 30, "\u0130"]
    ),
    max_size=6,
).map("".join)  # fmt: skip


@given(PIECES)
@example("password='***'token=\\")
def test_masking_twice_is_masking_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    redact(text)
    redact_command(text)


FRAMES = ["{name}={value}", "{name}: {value}", '{name} = "{value}"', '{{"{name}": "{value}"}}', "--{name} {value}"]
TELLING = ["password", "api_key", "client_secret", "access_token", "DB_PASSWORD", "GITHUB_TOKEN"]


@given(st.sampled_from(FRAMES), st.sampled_from(TELLING), st.integers(), st.integers(32, 60))
def test_a_random_value_under_a_telling_name_never_stays(frame: str, name: str, seed: int, length: int) -> None:
    value = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=length))
    assume(any(map(str.isdigit, value)))
    assert value not in redact(frame.format(name=name, value=value))


@pytest.mark.parametrize(
    "text",
    [
        "password" * 120_000,
        "password=" * 110_000,
        "a" * 1_000_000,
        "-" * 1_000_000,
        "token " * 160_000,
        "://" * 330_000,
        "://a:" * 200_000,
        "-----BEGIN PRIVATE KEY-----" * 37_000,
        "mysql -" * 140_000,
        "curl -u " * 120_000,
        "authorization: " * 66_000,
        "bearer " * 140_000,
        "eyJ" * 330_000,
        "eyJaaaaaaaa." * 83_000,
        '"password": "' * 76_000,
        "password\\" * 110_000,
        "docker login " * 76_000,
        'password=\\"' * 90_000,
        "<<A\n" * 2_000,
        "secret_key_" * 90_000,
        "123456789:AA" * 83_000,
        "SG." * 330_000,
    ],
    ids=lambda text: text[:20],
)
def test_no_text_takes_long(text: str) -> None:
    # A megabyte each: what backtracks would not end.
    redact_command(text)
