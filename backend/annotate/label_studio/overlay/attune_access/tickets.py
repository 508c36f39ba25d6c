"""Tickets: signed by Attune, good for one sign-in within a minute."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import signing
from django.utils.http import url_has_allowed_host_and_scheme

from attune_access.models import UsedTicket
from attune_access.owner import access_key

SALT = "attune.sign-in"
MAX_AGE = timedelta(seconds=60)
# By how much the clock of the machine that signs may be ahead
MOST_AHEAD = timedelta(seconds=5)
# Longer than any ticket is good for, which is MAX_AGE and MOST_AHEAD together
KEPT = timedelta(minutes=10)


class TicketRefused(Exception):
    """Forged, expired, used, or leading away from here."""


@dataclass(frozen=True)
class Ticket:
    """Without an account it is the owner's."""

    account_id: int | None
    next_path: str
    nonce: str


def read_ticket(signed: str, now: datetime) -> Ticket:
    try:
        content = signing.loads(signed, key=access_key(), salt=SALT, max_age=MAX_AGE, fallback_keys=())
    except signing.BadSignature:
        raise TicketRefused from None
    if _signed_at(signed) > (now + MOST_AHEAD).timestamp():
        raise TicketRefused
    match content:
        case {"account": int() | None as account_id, "next": str(next_path), "nonce": str(nonce)} if (
            16 <= len(nonce) <= 64
        ):
            ticket = Ticket(account_id, next_path, nonce)
        case _:
            raise TicketRefused
    if not is_local_path(ticket.next_path):
        raise TicketRefused
    return ticket


def _signed_at(signed: str) -> int:
    """Seconds, out of a signature that holds. Django asks whether it is too old, never whether it is too young."""
    return signing.b62_decode(signed.rsplit(":", 2)[1])


def use_up(ticket: Ticket, now: datetime) -> None:
    """The unique nonce decides between two browsers that come with the same ticket."""
    UsedTicket.objects.filter(used_at__lt=now - KEPT).delete()
    _, first_time = UsedTicket.objects.get_or_create(nonce=ticket.nonce, defaults={"used_at": now})
    if not first_time:
        raise TicketRefused


def is_local_path(path: str) -> bool:
    return path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
