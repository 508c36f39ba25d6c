# ruff: noqa: E402, F403, F405
"""Label Studio's settings with the doors closed that its open-source edition leaves open."""

from label_studio.core.settings.base import *

# The next import asks for django.conf.settings while it loads, and then sees only what stands above it.
SENTRY_DSN = None
LATEST_VERSION_CHECK = False

from label_studio.core.settings.label_studio import *

from attune_access.environment import require
from attune_access.networks import BANNED_SUBNETS

# The access app: who is who, what labelling needs, and the addresses Attune itself uses
ATTUNE_OWNER_EMAIL = require("LABEL_STUDIO_USERNAME")
ATTUNE_OWNER_TOKEN = require("LABEL_STUDIO_USER_TOKEN")
INSTALLED_APPS += ["attune_access.apps.AccessConfig"]
ROOT_URLCONF = "attune_access.urls"
MIDDLEWARE.insert(
    MIDDLEWARE.index("jwt_auth.middleware.JWTAuthenticationMiddleware") + 1,
    "attune_access.middleware.AccessMiddleware",
)

# It talks to nobody about itself, shows no internals and serves no files of this machine
SENTRY_DSN = FRONTEND_SENTRY_DSN = None
COLLECT_ANALYTICS = LATEST_VERSION_CHECK = False
DEBUG = False
ENABLE_LOCAL_FILES_STORAGE = LOCAL_FILES_SERVING_ENABLED = False

# Writers wait for each other instead of failing with "database is locked"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;",
    }

# Who may come in
DISABLE_SIGNUP_WITHOUT_LINK = True
ALLOW_ORGANIZATION_CREATION = False
ALLOWED_HOSTS = get_env_list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CORS_ALLOW_ALL_ORIGINS = False
CORS_ALLOWED_ORIGINS = []

# A session ends for good when somebody signs out: Label Studio's own, a signed cookie, would go on
SESSION_ENGINE = "attune_access.sessions"

# Browsers share cookies between the ports of a host: names of its own keep this log-in apart from Attune's
_SERVED_OVER_TLS = HOSTNAME.startswith("https://")
SESSION_COOKIE_NAME = "label_studio_session"
CSRF_COOKIE_NAME = "label_studio_csrf"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SERVED_OVER_TLS
CSRF_TRUSTED_ORIGINS = [HOSTNAME] if HOSTNAME else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _SERVED_OVER_TLS else None

# Where the browser may load from: this server alone. Its pages need inline styles; its inline scripts carry
# nonces, except the one that picks the theme, which is let in by its hash.
_THEME_SCRIPT = "'sha256-fsZOebJJAnt3yfUgnelwRem8zqneW8EyLL123gBsTDY='"
CSP_REPORT_ONLY = False
CSP_DEFAULT_SRC = ("'self'",)
CSP_SCRIPT_SRC = ("'self'", "blob:", _THEME_SCRIPT)
CSP_STYLE_SRC = ("'self'", "'unsafe-inline'")
CSP_IMG_SRC = ("'self'", "data:", "blob:")
CSP_FONT_SRC = ("'self'", "data:")
CSP_CONNECT_SRC = ("'self'",)
CSP_WORKER_SRC = ("'self'", "blob:")
CSP_OBJECT_SRC = ("'none'",)
CSP_BASE_URI = ("'none'",)
CSP_FORM_ACTION = ("'self'",)
CSP_FRAME_ANCESTORS = ("'self'",)
CSP_INCLUDE_NONCE_IN = ["script-src"]

# Where this server may call: loopback (Attune itself) and public addresses, nothing else
SSRF_PROTECTION_ENABLED = True
USE_DEFAULT_BANNED_SUBNETS = False
USER_ADDITIONAL_BANNED_SUBNETS = list(BANNED_SUBNETS)

# Logs: warnings and errors only, and none of those that repeat what was sent
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s"}},
    "filters": {
        "without_texts": {"()": "attune_access.logs.WithoutTexts"},
        "lost_webhooks": {"()": "attune_access.logs.LostWebhooks"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_texts", "lost_webhooks"],
        },
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        # Says of itself, at every project, that Label Studio should call something else
        "core.label_config": {"level": "ERROR"},
    },
}
