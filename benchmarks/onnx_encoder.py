"""An encoder run by the ONNX runtime in the place of torch, to be timed against it.

Needs packages that nothing else here needs: `pip install onnx==1.23.2 onnxscript==0.7.2 onnxruntime==1.31.1`.
"""

from __future__ import annotations

import copy
import warnings
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from ml_backend.encoder.network import Network

# Two names for like tensors must be two tensors: given one for both, the export silently joins them.
LARGEST_GAP = 1e-3


class _States(nn.Module):
    """What the exporter takes: inputs by name, one tensor out."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> Tensor:
        types = {} if token_type_ids is None else {"token_type_ids": token_type_ids}
        states: Tensor = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, **types
        ).last_hidden_state
        return states


class OnnxEncoder(nn.Module):
    def __init__(self, encoder: Any, names: tuple[str, ...], threads: int) -> None:
        super().__init__()
        onnxruntime = import_module("onnxruntime")
        self.config = encoder.config
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        with TemporaryDirectory() as folder:
            path = Path(folder) / "encoder.onnx"
            _export(encoder, names, path)
            self.session = onnxruntime.InferenceSession(str(path), options)
        self._check(encoder, names)

    def forward(self, **inputs: Tensor) -> Any:
        found = self.session.run(None, {name: tensor.numpy() for name, tensor in inputs.items()})
        return SimpleNamespace(last_hidden_state=torch.from_numpy(found[0]))

    def _check(self, encoder: Any, names: tuple[str, ...]) -> None:
        inputs = _invent(names, rows=5, length=41)
        with torch.inference_mode():
            gap = (self(**inputs).last_hidden_state - encoder(**inputs).last_hidden_state).abs().max()
        if gap > LARGEST_GAP:
            raise RuntimeError(f"The exported encoder differs from its original by {gap:.2g}.")


def _invent(names: tuple[str, ...], *, rows: int, length: int) -> dict[str, Tensor]:
    made = {name: torch.zeros(rows, length, dtype=torch.long) for name in names}
    made["input_ids"] = torch.randint(5, 1000, (rows, length), generator=torch.Generator().manual_seed(1))
    made["attention_mask"] = torch.ones(rows, length, dtype=torch.long)
    return made


def _export(encoder: Any, names: tuple[str, ...], path: Path) -> None:
    rows, length = torch.export.Dim("rows", min=1), torch.export.Dim("length", min=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            _States(encoder).eval(),
            tuple(_invent(names, rows=3, length=17).values()),
            dynamo=True,
            dynamic_shapes={name: {0: rows, 1: length} for name in names},
            input_names=list(names),
            verbose=False,
        )
    if program is None:
        raise RuntimeError("The encoder could not be exported.")
    program.save(str(path))


def with_onnx(network: Network, *, threads: int) -> Network:
    names = ("input_ids", "attention_mask", *(("token_type_ids",) if network.takes_types else ()))
    found = copy.deepcopy(network)
    found.encoder = OnnxEncoder(network.encoder, names, threads)
    return found
