"""What a worker does for a transfer study: it loads the backbone once, and trains one cell after another."""

from __future__ import annotations

import copy
from collections import OrderedDict
from dataclasses import dataclass, field, replace

import msgspec
import torch
from torch import Tensor

from annotation.release.rows import SplitPart
from learning.transfer.cells import CellAnswer, CellRequest, Description
from learning.transfer.splitting import Task, TaskItem
from learning.transfer.study import TrainingChoices
from ml_backend.encoder.backbone import Backbone, load_backbone
from ml_backend.encoder.layers import Halves, check_layers
from ml_backend.encoder.lora import merge_lora
from ml_backend.encoder.windows import Cutter, Tokens, Window
from ml_backend.transfer.network import TaskNetwork, adapter_bytes, put_on_adapters
from ml_backend.transfer.training import ReadItem, TaskTraining, items_read

# Of so many tasks a worker remembers what the frozen layers made of their texts: cells come by target.
REMEMBERED = 2
# Fisher information is a mean over items, and a few of them tell it.
FISHER_ITEMS = 100
TRAINED = (".bias", "LayerNorm.weight")


class SharedStudy(msgspec.Struct, frozen=True):
    """All that a worker is given before its first cell."""

    training: TrainingChoices
    tasks: tuple[Task, ...]


@dataclass
class Bench:
    """`seen` has by task what the frozen layers made of its windows."""

    training: TrainingChoices
    tasks: dict[str, Task]
    backbone: Backbone
    seen: OrderedDict[str, dict[Window, Tensor]] = field(default_factory=OrderedDict)

    def fresh_backbone(self) -> Backbone:
        return replace_model(self.backbone)

    @property
    def pad(self) -> int:
        return int(self.backbone.tokenizer.pad_token_id or 0)

    @property
    def takes_types(self) -> bool:
        return "token_type_ids" in self.backbone.tokenizer.model_input_names

    def items(self, task: Task, part: SplitPart) -> list[ReadItem]:
        rows = task.part(part)
        return items_read(rows, self._windows(rows))

    def _windows(self, rows: tuple[TaskItem, ...]) -> list[Window]:
        """Of each text as much as `max_tokens` hold, after at most half as much of what it answers."""
        cutter = Cutter(
            start=self.backbone.tokenizer.cls_token_id,
            separator=self.backbone.tokenizer.sep_token_id,
            max_tokens=min(self.training.max_tokens, self.backbone.length),
            overlap=0,
        )
        texts, contexts = (
            self._tokens([row.text for row in rows]),
            self._tokens([row.context for row in rows]),
        )
        return [
            cutter.windows(text, context if context.ids else None).windows[0]
            for text, context in zip(texts, contexts, strict=True)
        ]

    def _tokens(self, texts: list[str]) -> list[Tokens]:
        tokenizer = self.backbone.tokenizer.backend_tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        found = tokenizer.encode_batch(texts, add_special_tokens=False)
        return [Tokens(tuple(each.ids), tuple(each.offsets)) for each in found]

    def halves(self, model: object, task: Task) -> Halves | None:
        """With the lower layers' states of all texts of the task, which are the same in every cell."""
        if not self.training.frozen_layers:
            return None
        found = Halves.of(model, self.training.frozen_layers)
        if task.name not in self.seen:
            while len(self.seen) >= REMEMBERED:
                self.seen.popitem(last=False)
            windows = [item.window for part in SplitPart for item in self.items(task, part)]
            found.remember(windows, self.pad, self.takes_types)
            self.seen[task.name] = found.seen
        self.seen.move_to_end(task.name)
        return replace(found, seen=self.seen[task.name])

    def network(self, encoder: object, model: object, task: Task) -> TaskNetwork:
        return TaskNetwork(
            encoder,
            self.halves(model, task),
            pad=self.pad,
            takes_types=self.takes_types,
            n_outputs=max(1, len(task.classes)),
            dropout=self.training.dropout,
        )


def replace_model(backbone: Backbone) -> Backbone:
    return replace(backbone, model=copy.deepcopy(backbone.model))


def set_up(shared: bytes) -> Bench:
    study = msgspec.msgpack.decode(shared, type=SharedStudy)
    backbone = load_backbone(study.training.backbone, lambda line: None)
    check_layers(backbone, study.training.frozen_layers)
    return Bench(study.training, {task.name: task for task in study.tasks}, backbone)


def run_cell(bench: Bench, payload: bytes) -> bytes:
    request = msgspec.msgpack.decode(payload, type=CellRequest)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(request.seed)
        return msgspec.msgpack.encode(_train(bench, request))


def _train(bench: Bench, request: CellRequest) -> CellAnswer:
    task = bench.tasks[request.target]
    backbone = bench.fresh_backbone()
    encoder, model = put_on_adapters(backbone, bench.training, request.adapter)
    network = bench.network(encoder, model, task)
    train = bench.items(task, SplitPart.TRAIN)
    if request.source:
        train = train[: max(1, round(bench.training.target_share * len(train)))]
    validation, test = bench.items(task, SplitPart.VALIDATION), bench.items(task, SplitPart.TEST)
    training = TaskTraining(network, task, bench.training, train, validation)
    dev_score = training.run(request.seed)
    return CellAnswer(
        target=request.target,
        seed=request.seed,
        source=request.source,
        predictions=tuple(training.predict(test).tolist()),
        dev_score=dev_score,
        adapter=b"" if request.source else adapter_bytes(encoder),
        description=_describe(bench, training) if request.describes else None,
    )


def _describe(bench: Bench, training: TaskTraining) -> Description:
    untrained = bench.fresh_backbone().model
    network = bench.network(untrained, untrained, training.task)
    embedding = network.embedding([item.window for item in training.train])
    return Description(tuple(embedding.tolist()), _fisher(bench, training))


def _fisher(bench: Bench, training: TaskTraining) -> dict[str, tuple[float, ...]]:
    """The mean square of the loss's gradient, by component; the trained adapter is merged for it."""
    model = merge_lora(training.network.encoder)
    network = bench.network(model, model, training.task)
    network.head.load_state_dict(training.network.head.state_dict())
    network.eval()
    watched = {
        name: parameter
        for name, parameter in model.named_parameters()
        if name.endswith(TRAINED) and _layer(name) >= bench.training.frozen_layers
    }
    model.requires_grad_(False)
    for parameter in watched.values():
        parameter.requires_grad_(True)
    of_merged = replace(training, network=network)
    squares = {name: torch.zeros_like(parameter) for name, parameter in watched.items()}
    items = training.train[:FISHER_ITEMS]
    for item in items:
        network.zero_grad()
        of_merged.loss([item]).backward()  # type: ignore[no-untyped-call]
        for name, parameter in watched.items():
            if parameter.grad is not None:
                squares[name] += parameter.grad**2
    return {name: tuple((total / len(items)).tolist()) for name, total in squares.items()}


def _layer(name: str) -> int:
    """
    >>> _layer("encoder.layer.4.output.dense.bias"), _layer("embeddings.LayerNorm.weight")
    (4, -1)
    """
    return next((int(piece) for piece in name.split(".") if piece.isdigit()), -1)
