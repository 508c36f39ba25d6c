"""The access app itself: stands between Label Studio's log-in and its views."""

import json

from django.http import HttpResponse
from django.utils.html import format_html

from attune_access.admission import admit
from attune_access.models import Seat
from attune_access.pages import refusal
from attune_access.progress import add_progress, progress
from attune_access.refusals import Refused
from attune_access.trimming import replace_content, trim


class AccessMiddleware:
    """Decides in process_view, because only there it is certain which view will answer."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        seat = getattr(request, "attune_seat", None)
        if seat is not None:
            trim(request, response, seat)
            add_bar(request, response, seat)
            add_progress(request, response, seat)
        return response

    def process_view(self, request, view, args, kwargs):
        request.attune_seat = None
        try:
            return admit(request)
        except Refused as reason:
            request.attune_seat = None
            return refusal(request, reason)


# Puts a slim bar over Label Studio's own menu on annotators' pages: the way back, what this is, and how far it has
# come. With it come the scripts that follow the system's colours and keep boxes and highlights together.
_PAGE = "data_manager:project-data"
_FIRST = b'<script src="/attune/assets/scheme.js"></script>'
_HEAD = (
    b'<link rel="stylesheet" href="/attune/assets/access.css">'
    b'<script src="/attune/assets/labelling.js" defer></script>'
    b'<script src="/attune/assets/progress.js" defer></script>'
)
_BAR = """<body class="attune-labelling" data-attune-progress="{progress}">
<header class="attune-bar">
<a class="attune-bar__back" href="{return_url}"><span aria-hidden="true">←</span> Back to Attune</a>
<span class="attune-bar__heading">{heading}</span>
<span class="attune-bar__progress">
<span class="attune-bar__count" role="status"></span>
<progress class="attune-bar__meter" aria-hidden="true"></progress>
</span>
<span class="attune-bar__person">{person}</span>
</header>
<section class="attune-end attune-page" hidden>
<main>
<h1 tabindex="-1">Batch done</h1>
<p class="attune-end__count"></p>
<p><a class="attune-button" href="{return_url}">Back to Attune</a></p>
</main>
</section>
"""


def add_bar(request, response: HttpResponse, seat: Seat) -> None:
    if request.resolver_match.view_name != _PAGE or response.status_code != 200:
        return
    bar = format_html(
        _BAR,
        return_url=seat.return_url,
        heading=seat.heading,
        person=request.user.get_full_name() or request.user.username,
        progress=json.dumps(progress(seat)),
    )
    html = response.content.replace(b"<head>", b"<head>" + _FIRST, 1).replace(
        b"</head>", _HEAD + b"</head>", 1
    )
    replace_content(response, html.replace(b"<body>", bar.encode(), 1))
