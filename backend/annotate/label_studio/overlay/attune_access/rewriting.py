"""Changes an answer on its way out; its length was set further in."""

from django.http import HttpResponse


def replace_content(response: HttpResponse, content: bytes) -> None:
    response.content = content
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(content))
