"""An OpenID provider as a process of its own: `python tests/oidc_provider.py PORT`.

Whoever comes to /authorize is sent back at once as the person that was last posted to /person, whose `flaw` says
what is wrong with the answer: nothing, its signature, nonce, audience, issuer, or that its time is over.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "attune", "a-secret-of-the-client"
KEY, FORGED = (RSAKey.generate_key(2048, parameters={"kid": "one"}) for _ in range(2))
person: dict[str, Any] = {}
codes: dict[str, dict[str, str]] = {}


class Provider(BaseHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Quiet."""

    @property
    def issuer(self) -> str:
        return f"http://{self.headers['Host']}"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/openid-configuration":
            self._answer(
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/keys",
                    "end_session_endpoint": f"{self.issuer}/end",
                    "id_token_signing_alg_values_supported": ["RS256"],
                }
            )
        elif parts.path == "/keys":
            self._answer({"keys": [KEY.as_dict(private=False)]})
        elif parts.path == "/authorize":
            code = f"code-{len(codes)}"
            codes[code] = asked
            back = urlencode({"code": code, "state": asked["state"]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/person":
            person.clear()
            person.update(json.loads(body))
            self._answer({})
            return
        given = {name: values[0] for name, values in parse_qs(body).items()}
        asked = codes.pop(given.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        verifier = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        is_sound = (
            asked is not None
            and self.headers.get("Authorization") == f"Basic {basic}"
            and asked["code_challenge_method"] == "S256"
            and asked["code_challenge"] == challenge
        )
        if asked is None or not is_sound:
            self._answer({"error": "invalid_grant"}, status=400)
            return
        self._answer({"access_token": "x", "token_type": "Bearer", "id_token": self._id_token(asked)})

    def _id_token(self, asked: dict[str, str]) -> str:
        now, flaw = int(time.time()), person.get("flaw", "")
        claims = {
            "iss": "https://elsewhere.example" if flaw == "issuer" else self.issuer,
            "aud": "another-client" if flaw == "audience" else CLIENT,
            "nonce": "of-another-visit" if flaw == "nonce" else asked["nonce"],
            "iat": now - 7200,
            "exp": now - 3600 if flaw == "time" else now + 600,
            **{name: value for name, value in person.items() if name != "flaw"},
        }
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, FORGED if flaw == "signature" else KEY)

    def _answer(self, found: object, status: int = 200) -> None:
        body = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Provider).serve_forever()
