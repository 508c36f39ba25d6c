"""What Label Studio is told about an item: the data keys that the labelling config refers to."""

from collections.abc import Mapping

from annotation.answers import ItemText
from annotation.label_studio.config.control_names import (
    ITEM_KEY,
    POST_KEY,
    REPLIES_KEY,
    REPLY_TEXT_KEY,
    TITLE_KEY,
)


def task_data(item: ItemText) -> dict[str, object]:
    """An item without a reply has an empty list of replies, so that nothing of the reply is shown.

    >>> task_data(ItemText("i1", "Tired", "So tired.", None))
    {'item': 'i1', 'title': 'Tired', 'post': 'So tired.', 'replies': []}
    """
    replies = [] if item.reply is None else [{REPLY_TEXT_KEY: item.reply}]
    return {ITEM_KEY: item.item_id, TITLE_KEY: item.title, POST_KEY: item.post, REPLIES_KEY: replies}


class NotOurTask(ValueError):
    def __init__(self, lacks: str) -> None:
        super().__init__(
            f"A task has no {lacks} as Attune's tasks have it: use a project that Attune made, or tasks like its own."
        )


def item_of(data: Mapping[str, object]) -> ItemText:
    """The item that a task shows. Raises NotOurTask.

    >>> item_of({"item": "i1", "title": "Tired", "post": "So tired.", "replies": [{"text": "Oh."}]})
    ItemText(item_id='i1', title='Tired', post='So tired.', reply='Oh.', features=None)
    """
    item, title, post = (data.get(key, "") for key in (ITEM_KEY, TITLE_KEY, POST_KEY))
    if not (isinstance(item, str) and item):
        raise NotOurTask(ITEM_KEY)
    if not (isinstance(post, str) and isinstance(title, str)):
        raise NotOurTask(f"{TITLE_KEY} and {POST_KEY}")
    return ItemText(item, title, post, _reply(data.get(REPLIES_KEY, [])))


def _reply(replies: object) -> str | None:
    if replies == []:
        return None
    match replies:
        case [{"text": str(text)}]:
            return text
    raise NotOurTask(f"list of {REPLIES_KEY} with one reply or none")
