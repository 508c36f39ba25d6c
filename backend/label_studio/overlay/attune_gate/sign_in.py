"""Lets an annotator in with a ticket from Attune."""

from django.contrib.auth import get_user_model
from django.http import HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from users.functions.common import login

from attune_gate.models import Seat
from attune_gate.owner import is_owner
from attune_gate.pages import remember_way_back, ticket_refused
from attune_gate.tickets import Ticket, TicketRefused, read_ticket, use_up

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_GET
def sign_in(request):
    try:
        ticket = read_ticket(request.GET.get("ticket", ""))
        account = _account(ticket)
        use_up(ticket, timezone.now())
    except TicketRefused:
        return ticket_refused(request)
    # Django's own login would be thrown out by Label Studio's session-age check
    login(request, account, backend=_BACKEND)
    response = HttpResponseRedirect(ticket.next_path)
    newest = Seat.objects.filter(user=account).order_by("-is_open", "-pk").first()
    if newest is not None:
        remember_way_back(response, newest.return_url)
    return response


def _account(ticket: Ticket):
    account = get_user_model().objects.filter(pk=ticket.account_id, is_active=True).first()
    if account is None or is_owner(account) or account.is_staff:
        raise TicketRefused
    return account
