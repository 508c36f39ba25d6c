"""Run inside Label Studio's environment: prints for each cookie as JSON whether browsers send it over TLS only."""

import json

import django

if __name__ == "__main__":
    django.setup()
    from attune_access.pages import remember_way_back  # type: ignore[import-not-found]
    from django.conf import settings
    from django.http import HttpResponse

    answer = HttpResponse()
    remember_way_back(answer, "http://127.0.0.1:8000/work/")
    secure = {name: bool(cookie["secure"]) for name, cookie in answer.cookies.items()}
    secure[settings.SESSION_COOKIE_NAME] = settings.SESSION_COOKIE_SECURE
    secure[settings.CSRF_COOKIE_NAME] = settings.CSRF_COOKIE_SECURE
    print(json.dumps(secure))
