"""Reads YAML into a tree with line numbers, and refuses what only an attacker would need."""

import yaml

from codebook.problems import CodebookError, Problem

MAX_BYTES = 512 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 16

# libyaml's parser is some ten times faster where PyYAML was built with it; both give the same tree.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_tree(text: str, *, source: str, max_bytes: int = MAX_BYTES) -> yaml.Node:
    """The one document of `text`. Raises CodebookError for anything else."""
    _check_size(text, source, max_bytes)
    try:
        _check_events(text, source)
        node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise CodebookError((_syntax_problem(error, source),)) from error
    if node is None:
        raise _refusal(source, 1, "the file is empty", "start with `name: my-codebook`")
    return node


def _check_size(text: str, source: str, max_bytes: int) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise _refusal(source, line, "the text holds half of a surrogate pair", "save it as UTF-8") from error
    if size > max_bytes:
        wrong = f"the file has {size} bytes"
        raise _refusal(source, 1, wrong, f"keep a codebook under {max_bytes} bytes")


def _check_events(text: str, source: str) -> None:
    """Looks at the flat event stream first, so that depth and size are known before a tree is built."""
    depth = nodes = documents = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _refusal(source, line, "a second document starts here", "keep one codebook per file")
        elif isinstance(event, yaml.NodeEvent):
            nodes += 1
            _refuse_extras(event, source, line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise _refusal(source, line, f"more than {MAX_DEPTH} levels of nesting", "follow the format")
        if nodes > MAX_NODES:
            raise _refusal(source, line, f"more than {MAX_NODES} entries", "split it into several codebooks")


def _refuse_extras(event: yaml.NodeEvent, source: str, line: int) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise _refusal(source, line, f"the alias *{event.anchor}", "write the text out; aliases are not read")
    if event.anchor is not None:
        raise _refusal(source, line, f"the anchor &{event.anchor}", "remove it; anchors are not read")
    tag = getattr(event, "tag", None)
    if tag is not None:
        raise _refusal(source, line, f"the tag {tag}", "remove it; put text that starts with ! in quotes")


def _syntax_problem(error: yaml.YAMLError, source: str) -> Problem:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark is not None else 1
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
    right = "check indentation, and put text that holds `: `, ` #` or starts with a sign in quotes"
    return Problem(source, line, "", f"this is not valid YAML ({reason})", right)


def _refusal(source: str, line: int, wrong: str, right: str) -> CodebookError:
    return CodebookError((Problem(source, line, "", wrong, right),))
