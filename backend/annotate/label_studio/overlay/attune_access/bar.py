"""Puts a slim bar over Label Studio's own menu on annotators' pages: the way back, and what this is. With it comes the
script that keeps boxes and highlights together."""

from django.http import HttpResponse
from django.utils.html import format_html

from attune_access.models import Seat
from attune_access.rewriting import replace_content

_PAGE = "data_manager:project-data"
_HEAD = (
    b'<link rel="stylesheet" href="/attune/assets/access.css">'
    b'<script src="/attune/assets/labelling.js" defer></script>'
)
_BAR = """
<header class="attune-bar">
<a class="attune-bar__back" href="{return_url}"><span aria-hidden="true">←</span> Back to Attune</a>
<span class="attune-bar__heading">{heading}</span>
<span class="attune-bar__person">{person}</span>
</header>
"""


def add_bar(request, response: HttpResponse, seat: Seat) -> None:
    if request.resolver_match.view_name != _PAGE or response.status_code != 200:
        return
    person = request.user.get_full_name() or request.user.username
    bar = format_html(_BAR, return_url=seat.return_url, heading=seat.heading, person=person).encode()
    html = response.content.replace(b"</head>", _HEAD + b"</head>", 1)
    replace_content(response, html.replace(b"<body>", b'<body class="attune-labelling">' + bar, 1))
