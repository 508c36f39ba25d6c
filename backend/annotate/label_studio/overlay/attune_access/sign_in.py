"""Lets an annotator, or an admin as the owner, in with a ticket from Attune: there is no other way in."""

from django.contrib.auth import get_user_model
from django.http import HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from users.functions.common import login

from attune_access.owner import is_owner, owner_account
from attune_access.pages import remember_way_back, ticket_refused
from attune_access.place import newest_seat
from attune_access.tickets import Ticket, TicketRefused, read_ticket, use_up

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_GET
def sign_in(request):
    now = timezone.now()
    try:
        ticket = read_ticket(request.GET.get("ticket", ""), now)
        account = _account(ticket)
        use_up(ticket, now)
    except TicketRefused:
        return ticket_refused(request)
    # Django would empty somebody else's session by itself, but after Label Studio has noted the time of the log-in
    # in it; and a session without that time is thrown out at the next request. Hence its login, and this before it.
    request.session.flush()
    login(request, account, backend=_BACKEND)
    response = HttpResponseRedirect(ticket.next_path)
    newest = newest_seat(account.pk)
    if newest is not None:
        remember_way_back(response, newest.return_url)
    return response


def _account(ticket: Ticket):
    """An annotator's ticket never opens the owner's account, whatever number it names."""
    if ticket.account_id is None:
        return owner_account()
    account = get_user_model().objects.filter(pk=ticket.account_id, is_active=True).first()
    if account is None or is_owner(account) or account.is_staff:
        raise TicketRefused
    return account
