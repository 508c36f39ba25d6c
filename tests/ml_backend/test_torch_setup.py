"""Loading peft says nothing about a package that nobody asked for, and hides nothing else."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from ml_backend.torch_setup import LOGGER, silence_kernel_advice


def test_nothing_is_said_when_learners_are_loaded() -> None:
    code = (
        "import logging; logging.basicConfig(); import ml_backend.encoder.lora, ml_backend.generative.learner"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "kernels" not in done.stderr


def test_other_warnings_are_heard(caplog: pytest.LogCaptureFixture) -> None:
    silence_kernel_advice()
    silence_kernel_advice()
    log = logging.getLogger(LOGGER)
    log.warning("Failed to load CPU gemm_4bit_forward from kernels-community: %s", "no")
    log.warning("The processor is on fire")
    assert caplog.messages == ["The processor is on fire"]
