"""Published shares, χ² and V of a study of six communities, as facts to be met: by platform and by topic.

Shares and deviations from the mean of groups are in percent with two digits. Posts: 3,572 from each community.
"""

from dataclasses import dataclass

from codebook.schema import Part

PLATFORMS = {
    Part.POST: {"Reddit": 10_716, "Stack Exchange": 10_716},
    Part.REPLY: {"Reddit": 62_151, "Stack Exchange": 34_920},
}
TOPICS = {
    Part.POST: {"Parenting": 7_144, "Social skills": 7_144, "Work": 7_144},
    Part.REPLY: {"Parenting": 49_371, "Social skills": 28_140, "Work": 19_560},
}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    part: Part
    code: str
    mean: float
    deviations: tuple[float, ...]
    v: float
    chi_square: float


P, R = Part.POST, Part.REPLY
BY_PLATFORM = (
    PublishedRow(P, "asking advice", 84.96, (-13.01, 13.01), 0.364, 2838.58),
    PublishedRow(P, "seeking similarity", 4.59, (3.30, -3.30), 0.158, 532.42),
    PublishedRow(P, "circumstance calibration", 7.67, (-1.40, 1.40), 0.053, 59.33),
    PublishedRow(P, "personal information", 17.33, (1.46, -1.46), 0.038, 31.70),
    PublishedRow(P, "emotions", 36.04, (9.22, -9.22), 0.192, 789.55),
    PublishedRow(R, "emotional resonance", 4.44, (3.31, -3.31), 0.141, 1923.28),
    PublishedRow(R, "recalling feelings", 4.71, (3.70, -3.70), 0.152, 2253.70),
    PublishedRow(R, "validation", 10.13, (0.32, -0.32), 0.010, 9.74),
    PublishedRow(R, "shared experiences", 21.56, (1.99, -1.99), 0.046, 206.30),
    PublishedRow(R, "reassurance", 19.23, (6.54, -6.54), 0.154, 2299.58),
    PublishedRow(R, "interest", 3.56, (-0.08, 0.08), 0.004, 1.46),
    PublishedRow(R, "personalised advice", 76.33, (-17.00, 17.00), 0.362, 12701.58),
)
BY_TOPIC = (
    PublishedRow(P, "asking advice", 84.96, (0.83, 6.95, -7.78), 0.169, 612.02),
    PublishedRow(P, "seeking similarity", 4.59, (2.93, -1.26, -1.67), 0.099, 210.72),
    PublishedRow(P, "circumstance calibration", 7.67, (-1.14, -1.89, 3.03), 0.081, 141.60),
    PublishedRow(P, "personal information", 17.33, (-8.28, 5.03, 3.24), 0.156, 520.38),
    PublishedRow(P, "emotions", 36.04, (-5.92, 11.92, -6.00), 0.176, 660.18),
    PublishedRow(R, "emotional resonance", 4.29, (3.74, -0.78, -2.95), 0.124, 1504.02),
    PublishedRow(R, "recalling feelings", 4.95, (2.51, 0.37, -2.89), 0.089, 767.41),
    PublishedRow(R, "validation", 9.49, (1.60, 2.60, -4.21), 0.083, 668.31),
    PublishedRow(R, "shared experiences", 19.80, (7.32, 0.78, -8.11), 0.143, 1989.75),
    PublishedRow(R, "reassurance", 18.38, (8.97, -0.89, -8.08), 0.168, 2752.57),
    PublishedRow(R, "interest", 3.46, (0.22, 0.20, -0.42), 0.014, 18.39),
    PublishedRow(R, "personalised advice", 72.48, (-2.81, -0.71, 3.52), 0.053, 276.92),
)
