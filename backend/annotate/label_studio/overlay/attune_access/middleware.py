"""The access app itself: stands between Label Studio's log-in and its views."""

from attune_access.admission import admit
from attune_access.bar import add_bar
from attune_access.pages import refusal
from attune_access.refusals import Refused
from attune_access.trimming import trim


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
        return response

    def process_view(self, request, view, args, kwargs):
        request.attune_seat = None
        try:
            return admit(request)
        except Refused as reason:
            request.attune_seat = None
            return refusal(request, reason)
