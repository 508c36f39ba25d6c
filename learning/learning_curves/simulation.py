"""What a simulation of active learning leaves: for each strategy and seed, how the score rose with the labels."""

import msgspec

FORMAT = 1


class CurvePoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`minutes` is what the labels so far are expected to have cost."""

    n_labels: int
    minutes: float
    score: float


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strategy: str
    seed: int
    points: tuple[CurvePoint, ...]


class SimulationSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`most` labels are bought, `step` at a time after the first `start`; all strategies begin with the same."""

    release: str
    release_hash: str
    learner: str
    strategies: tuple[str, ...]
    start: int
    step: int
    most: int
    random_share: float
    per_cost: bool
    seeds: tuple[int, ...]


class Simulation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`full_score` is that of the same learner on all labels of the pool; `n_suggested` items of the test part measure
    nothing, because somebody judged them with a model's suggestion in view."""

    format: int = FORMAT
    settings: SimulationSettings
    codes: tuple[str, ...]
    n_pool: int
    n_test: int
    full_score: float
    runs: tuple[Run, ...]
    n_suggested: int = 0

    def runs_of(self, strategy: str) -> tuple[Run, ...]:
        """By seed."""
        return tuple(sorted((run for run in self.runs if run.strategy == strategy), key=lambda run: run.seed))


class SimulationUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"These are no curves that this version reads ({problem}). Simulate again.")


def encode_simulation(simulation: Simulation) -> bytes:
    return msgspec.json.format(msgspec.json.encode(simulation), indent=1) + b"\n"


def decode_simulation(content: bytes) -> Simulation:
    try:
        return msgspec.json.decode(content, type=Simulation)
    except msgspec.DecodeError as error:
        raise SimulationUnreadable(error) from error
