"""Why a request is not let through, each reason with its own answer."""


class Refused(Exception):
    status = 403
    detail = "This is not part of your work."


class NotSignedIn(Refused):
    status = 401
    detail = "You are not signed in."


class WrongToken(Refused):
    status = 401
    detail = "This server accepts no tokens but its owner's."


class NothingHere(Refused):
    """The same for what belongs to somebody else and for what does not exist."""

    status = 404
    detail = "There is nothing here for you."


class SeatClosed(Refused):
    detail = "This batch is not open at the moment."

    def __init__(self, return_url: str) -> None:
        super().__init__()
        self.return_url = return_url


class BadBody(Refused):
    """Something in the body that labelling does not need, or that points to somebody else's work."""

    detail = "This request carries something that labelling does not need."
