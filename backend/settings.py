"""Every setting of Attune, read from the environment once; docs/settings.md explains each."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import dj_database_url
from csp.constants import NONE, SELF

from backend.environment import Environment
from backend.secrets_file import load_or_create_secrets
from learning.suggestions.asking import LONGEST_PATIENCE

ROOT = Path(__file__).resolve().parent.parent
_env = Environment(os.environ)

# The instance
MODE = _env.choice("ATTUNE_MODE", "embedded", ("embedded", "production"))
PRODUCTION = MODE == "production"
DATA_DIR = _env.path("ATTUNE_DATA_DIR", ROOT / "var")
CORPORA_DIR = DATA_DIR / "corpora"
FILES_DIR = DATA_DIR / "files"
AGREEMENT_DIR = DATA_DIR / "agreement"
RELEASES_DIR = DATA_DIR / "releases"
ADAPTERS_DIR = DATA_DIR / "adapters"
LABELLED_DIR = DATA_DIR / "labelled"
REPORTS_DIR = DATA_DIR / "reports"
# Tasks of the ML backend, with what it needs while it works on them
ML_DIR = DATA_DIR / "ml"
# The documentation as a site, by `make docs`
DOCS_DIR = _env.path("ATTUNE_DOCS_DIR", ROOT / "site")
WEB_PORT = _env.integer("ATTUNE_WEB_PORT", 8000, 1, 65535)
LABEL_STUDIO_PORT = _env.integer("ATTUNE_LABEL_STUDIO_PORT", 8080, 1, 65535)
ML_SERVER_PORT = _env.integer("ATTUNE_ML_SERVER_PORT", 9090, 1, 65535)
PUBLIC_URL = _env.url("ATTUNE_PUBLIC_URL", f"http://127.0.0.1:{WEB_PORT}", ("http", "https"))
LABEL_STUDIO_URL = _env.url(
    "ATTUNE_LABEL_STUDIO_URL", f"http://127.0.0.1:{LABEL_STUDIO_PORT}", ("http", "https")
)
# How Attune itself reaches Label Studio, if it is not the way that annotators take
LABEL_STUDIO_INSIDE_URL = _env.optional_url("ATTUNE_LABEL_STUDIO_INSIDE_URL", ("http", "https"))

# The ML backend's server, for the model's word on a single text
ML_SERVER_URL = _env.url("ATTUNE_ML_SERVER_URL", f"http://127.0.0.1:{ML_SERVER_PORT}", ("http", "https"))
ML_SERVER_USER = "attune"
# How long a page waits for it: the first answer after a start loads the model
ML_SERVER_PATIENCE = timedelta(
    seconds=_env.integer("ATTUNE_ML_SERVER_PATIENCE_SECONDS", 30, 1, LONGEST_PATIENCE)
)

# E-mail: without a server nothing is sent, and links are shown to be copied
_mail = urlsplit(_env.optional_url("ATTUNE_SMTP_URL", ("smtp", "smtp+tls", "smtps")))
EMAIL_HOST = _mail.hostname or ""
EMAIL_PORT = _mail.port or {"smtp": 25, "smtp+tls": 587, "smtps": 465}.get(_mail.scheme, 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.scheme == "smtp+tls", _mail.scheme == "smtps"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = _env.text("ATTUNE_MAIL_FROM", "attune@localhost")

# Secrets: an embedded instance makes its own, a production instance is given them
if PRODUCTION:
    SECRET_KEY = _env.secret("ATTUNE_SECRET_KEY", "", 50)
    PSEUDONYM_KEY = _env.secret("ATTUNE_PSEUDONYM_KEY", "", 32)
    LABEL_STUDIO_TOKEN = _env.token("ATTUNE_LABEL_STUDIO_TOKEN", "")
    ML_SERVER_PASSWORD = _env.optional_secret("ATTUNE_ML_SERVER_PASSWORD", "", 16)
else:
    SECRETS_FILE = DATA_DIR / "secrets.json"
    _secrets = load_or_create_secrets(SECRETS_FILE)
    SECRET_KEY = _env.secret("ATTUNE_SECRET_KEY", _secrets.secret_key, 50)
    PSEUDONYM_KEY = _env.secret("ATTUNE_PSEUDONYM_KEY", _secrets.pseudonym_key, 32)
    LABEL_STUDIO_TOKEN = _env.token("ATTUNE_LABEL_STUDIO_TOKEN", _secrets.label_studio_token)
    ML_SERVER_PASSWORD = _env.optional_secret("ATTUNE_ML_SERVER_PASSWORD", _secrets.ml_server_password, 16)

# Django
DEBUG = False
ALLOWED_HOSTS = _env.words("ATTUNE_ALLOWED_HOSTS", () if PRODUCTION else ("127.0.0.1", "localhost"))
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
ROOT_URLCONF = "backend.urls"
WSGI_APPLICATION = "backend.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
    "axes",
    "csp",
    "django_celery_beat",
    "ninja",
    "backend.core.web",
    "backend.core.accounts",
    "backend.core.jobs",
    "backend.core.studies",
    "backend.core.notices",
    "backend.core.single_sign_on",
    "backend.design.codebooks",
    "backend.design.corpora",
    "backend.design.samples",
    "backend.annotate.batches",
    "backend.annotate.personal_data",
    "backend.annotate.practice",
    "backend.annotate.discussions",
    "backend.annotate.judgments",
    "backend.annotate.adaptive_overlap",
    "backend.annotate.sync",
    "backend.annotate.reminders",
    "backend.decide.agreement",
    "backend.decide.adjudication",
    "backend.decide.competence",
    "backend.decide.releases",
    "backend.learn.models",
    "backend.learn.error_analysis",
    "backend.learn.prelabels",
    "backend.learn.alternative_annotator",
    "backend.learn.transfer",
    "backend.publish.feedback",
    "backend.learn.retraining",
    "backend.learn.active_learning",
    "backend.publish.labelling",
    "backend.publish.preregistration",
    "backend.publish.reports",
    "backend.publish.planning",
    "backend.overview",
    "backend.operate.demo",
    "backend.operate.erasure",
    "backend.operate.lifecycle",
    "backend.operate.backups",
    "backend.operate.monitoring",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "backend.core.web.middleware.DropTrailingSlash",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "backend.overview.navigation.navigation",
                "backend.operate.demo.frame.demo_frame",
            ],
            "builtins": ["backend.core.web.templatetags.attune"],
        },
    },
]
FORM_RENDERER = "backend.core.web.forms.CalmRenderer"

# Data: SQLite needs WAL and IMMEDIATE so that writers wait for each other instead of failing
DATABASE_URL = _env.url(
    "DATABASE_URL", f"sqlite:///{DATA_DIR / 'attune.sqlite3'}", ("sqlite", "postgres", "postgresql")
)
_database: dict[str, Any] = dict(dj_database_url.parse(DATABASE_URL, conn_max_age=60))
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA foreign_keys=ON;",
    }
DATABASES = {"default": _database}
# Label Studio's own, which backups take along: a file beside ours, or a database on the same server
LABEL_STUDIO_DATABASE_URL = _env.url(
    "ATTUNE_LABEL_STUDIO_DATABASE_URL",
    urlunsplit(urlsplit(DATABASE_URL)._replace(path="/label_studio"))
    if PRODUCTION
    else f"sqlite:///{DATA_DIR / 'label-studio' / 'label_studio.sqlite3'}",
    ("sqlite", "postgres", "postgresql"),
)

# What the first start shows: a study that was worked through by a script, a small one, or nothing
DEMO = _env.choice("ATTUNE_DEMO", "story", ("story", "small", "none"))

# Jobs: the rows are the truth, Celery's messages only wake a worker up
BROKER_URL = _env.url("BROKER_URL", "filesystem://", ("filesystem", "redis", "rediss"))
BROKER_DIR = DATA_DIR / "broker"
JOB_QUEUE, SYNC_QUEUE, ML_QUEUE = "celery", "sync", "ml"
# How long a job waits for the ML backend before it goes back to the queue and looks again later
ML_PATIENCE = timedelta(seconds=3)
# So many texts are labelled at a time, and labelled again if their process is killed in the middle
SHARD_TEXTS = _env.integer("ATTUNE_SHARD_TEXTS", 512, 1, 100_000)
JOB_LEASE = timedelta(seconds=_env.integer("ATTUNE_JOB_LEASE_SECONDS", 60, 2, 3600))

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Log-in with an account from elsewhere (OpenID Connect): off without an issuer
OIDC_ISSUER = _env.optional_url("ATTUNE_OIDC_ISSUER", ("https", "http"))
OIDC_CLIENT_ID = _env.text("ATTUNE_OIDC_CLIENT_ID", "attune")
OIDC_CLIENT_SECRET = _env.secret("ATTUNE_OIDC_CLIENT_SECRET", "", 16 if OIDC_ISSUER else 0)
OIDC_NAME = _env.text("ATTUNE_OIDC_NAME", "your university’s account")
OIDC_CREATE_ACCOUNTS = _env.choice("ATTUNE_OIDC_CREATE_ACCOUNTS", "no", ("no", "yes")) == "yes"
LOGIN_URL = "accounts:log_in"
LOGIN_REDIRECT_URL = "batches:landing"
LOGOUT_REDIRECT_URL = "accounts:log_in"
AXES_FAILURE_LIMIT = _env.integer("ATTUNE_LOGIN_ATTEMPTS", 5, 1, 100)
LOGIN_ATTEMPTS_PER_ADDRESS = _env.integer("ATTUNE_LOGIN_ATTEMPTS_PER_ADDRESS", 30, 1, 10_000)
AXES_HANDLER = "backend.core.accounts.login_limits.LoginLimits"
AXES_COOLOFF_TIME = timedelta(minutes=_env.integer("ATTUNE_LOGIN_COOLOFF_MINUTES", 15, 1, 1440))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "backend.core.accounts.login_limits.client_address"
TRUSTED_PROXIES = _env.integer("ATTUNE_TRUSTED_PROXIES", 1 if PRODUCTION else 0, 0, 10)
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "accounts/locked_out.html"
AXES_VERBOSE = False

# The browser
# Cookies are shared by all ports of a host, so each of our two servers names its own
SESSION_COOKIE_NAME = "attune_session"
CSRF_COOKIE_NAME = "attune_csrf"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^health$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
_OIDC_ORIGIN = [urlunsplit((*urlsplit(OIDC_ISSUER)[:2], "", "", ""))] if OIDC_ISSUER else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # The button that takes annotators to Label Studio is a form that redirects there; so is log-out to a provider
        "form-action": [SELF, LABEL_STUDIO_URL, *_OIDC_ORIGIN],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static" if PRODUCTION else None
WHITENOISE_USE_FINDERS = not PRODUCTION
# Collected at each start of production, so that it has to be quick: pages name files by their hash alone
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Language and time
LANGUAGE_CODE = "en-gb"
TIME_ZONE = _env.time_zone("ATTUNE_TIME_ZONE", "UTC")
USE_TZ = True

# Logs: one line an event on standard error; never a post's or a reply's text
LOG_LEVEL = _env.choice("ATTUNE_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s"}},
    "filters": {"refusals": {"()": "backend.core.web.middleware.OneLineForRefusals"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    # They would write down each of the many calls to Label Studio, and each table of each font in a figure
    "loggers": {
        "httpx": {"level": "WARNING"},
        "fontTools": {"level": "WARNING"},
        "django.request": {"filters": ["refusals"]},
    },
}

# What the outside may send
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
UPLOAD_MAX_BYTES = 1024 * 1024 * _env.integer("ATTUNE_UPLOAD_MAX_MB", 512, 1, 100_000)
FILE_UPLOAD_TEMP_DIR = DATA_DIR / "incoming"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # Django refuses to start without it
FILE_UPLOAD_HANDLERS = [
    "backend.design.corpora.uploads.LimitedUpload",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

SETTING_NAMES = frozenset(_env.known)
_env.refuse_unknown()
