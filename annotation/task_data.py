"""What Label Studio is told about an item: the data keys that the labelling config refers to."""

from annotation.answers import ItemText
from annotation.label_config.control_names import (
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
