"""Which codes go together: within posts, within replies, and from a post to its replies, community by community."""

from collections.abc import Mapping, Sequence
from functools import partial

from analysis.co_occurrence import CorrelationMatrix, across_parts, co_occurrence, pair_replies_with_posts
from analysis.report.cells import NO_CELL, cell_of, notes_of
from analysis.report.charts import HeatmapChart, HeatmapPanel, Mark, colour_limit, drawn_ways, mark_of
from analysis.report.content import Column, ReportTable, Row, Section
from analysis.report.correctable import keep_correctable
from analysis.report.headlines import tell_clearest
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import UNCLEAR, in_order, of_labels, stars_say
from analysis.values import Way
from codebook.schema import Part

Matrices = Mapping[Way, Sequence[CorrelationMatrix]]


def within(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    found: dict[Way, Sequence[CorrelationMatrix]] = {}
    part = next(each for each in material.parts if each.corpus.part is kind.part)
    if len(part.corpus.codes) < 2:
        missing.say(f"There is one code in {part.things}, which has nothing to go together with.")
    else:
        for way, corpus in part.values.items():
            made = missing.attempt(f"{kind.title} ({way.value})", partial(co_occurrence, corpus, way=way))
            if made:
                found[way] = _order(material, made)
    return _section(
        material,
        kind,
        found,
        missing,
        what=f"codes in the same {part.corpus.part.value}",
        things=part.things,
    )


def post_to_reply(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    found: dict[Way, Sequence[CorrelationMatrix]] = {}
    posts, replies = material.posts, material.replies
    if posts and replies:
        for way in material.ways:
            if way in posts.values and way in replies.values:
                made = missing.attempt(
                    f"{kind.title} ({way.value})", partial(_across, posts, replies, way, missing)
                )
                if made:
                    found[way] = _order(material, made)
    else:
        missing.say(
            "Posts and replies are not both labelled: label both to see what goes from one to the other."
        )
    return _section(
        material,
        kind,
        found,
        missing,
        what="each code of posts and each of their replies",
        things="replies",
        axes=("Post", "Reply"),
    )


def _order(material: Material, matrices: Sequence[CorrelationMatrix]) -> list[CorrelationMatrix]:
    at = {matrix.where: matrix for matrix in matrices}
    return [at[name] for name in material.ordered(at)]


def _across(
    posts: PartMaterial, replies: PartMaterial, way: Way, missing: Missing
) -> Sequence[CorrelationMatrix]:
    """With a correction, of the codes that have gold on pairs of which the reply was drawn too."""
    pairs = pair_replies_with_posts(posts.values[way], replies.values[way])
    if way is not Way.NAIVE:
        kept, problems = keep_correctable(pairs)
        for problem in problems:
            missing.say(f"On pairs of post and reply: {problem}")
        if kept is None:
            return ()
        pairs = kept
    down = [code for code in posts.corpus.codes if code in pairs.codes]
    across = [code for code in replies.corpus.codes if code in pairs.codes]
    if not down or not across:
        return ()
    return across_parts(pairs, down, across, way=way)


def _section(
    material: Material,
    kind: SectionKind,
    found: Matrices,
    missing: Missing,
    *,
    what: str,
    things: str,
    axes: tuple[str, str] = ("", ""),
) -> Section:
    best = found.get(Way.CORRECTED) or found.get(Way.NAIVE) or ()
    findings = [each for matrix in best for each in matrix.findings]
    told = tell_clearest(findings, facts=material.facts, over=FAMILY, what="correlations")
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            f"Correlations (φ of ticks) between {what}, in each community: 1 where one is never without the other,"
            " -1 where there is always one and never both, 0 where they have nothing to do with each other."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tuple(pair_table(material, kind, what, way, each) for way, each in found.items()),
        charts=tuple(
            _chart(material, kind, what, way, each, things, axes) for way, each in drawn_ways(found).items()
        ),
        missing=missing.sentences,
    )


def _chart(
    material: Material,
    kind: SectionKind,
    what: str,
    way: Way,
    matrices: Sequence[CorrelationMatrix],
    things: str,
    axes: tuple[str, str],
) -> HeatmapChart:
    shown = material.shown_communities(things)
    panels = tuple(_panel(material, matrix) for matrix in matrices if matrix.where in shown)
    return HeatmapChart(
        name=f"{kind.id}-{way.value}",
        pair=kind.id,
        way=way,
        title=kind.title,
        caption=(
            f"Correlations between {what}, by community. {UNCLEAR}"
            f" {of_labels(way)}{material.shown_note(things)}"
        ),
        axis="Correlation (r)",
        panels=panels,
        row_axis=axes[0],
        column_axis=axes[1],
        symbol="r",
        limit=colour_limit(panels, at_least=0.2),
    )


def _panel(material: Material, matrix: CorrelationMatrix) -> HeatmapPanel:
    """Within a part only the half below the diagonal, without the first row and last column, which would be empty."""
    is_half = matrix.down == matrix.across
    down, across = (matrix.down[1:], matrix.across[:-1]) if is_half else (matrix.down, matrix.across)
    at = {(found.code, found.other): mark_of(found) for found in matrix.findings}
    cells: list[tuple[Mark | None, ...]] = [tuple(at.get((one, other)) for other in across) for one in down]
    return HeatmapPanel(
        title=matrix.where,
        rows=tuple(material.label(code) for code in down),
        columns=tuple(material.label(code) for code in across),
        cells=tuple(cells),
    )


FAMILY = "all pairs and communities"


def pair_table(
    material: Material, kind: SectionKind, what: str, way: Way, matrices: Sequence[CorrelationMatrix]
) -> ReportTable:
    findings = tuple(found for matrix in matrices for found in matrix.findings)
    at = {(found.code, found.other, found.where): found for found in findings}
    pairs = dict.fromkeys((found.code, found.other) for found in findings)
    rows = [
        Row(
            label=f"{material.name(one)} × {material.name(other)}",
            cells=tuple(
                cell_of(at[one, other, matrix.where]) if (one, other, matrix.where) in at else NO_CELL
                for matrix in matrices
            ),
        )
        for one, other in pairs
    ]
    return ReportTable(
        name=f"{kind.id}-{way.value}",
        pair=kind.id,
        way=way,
        title=kind.title,
        caption=f"Correlations between {what}, by community. {of_labels(way)} {stars_say(FAMILY)}",
        columns=tuple(Column(title=matrix.where) for matrix in matrices),
        rows=tuple(rows),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    inside = [name.removeprefix("together-") for name in done if name.startswith("together-")]
    said = []
    if inside:
        said.append(
            f"Co-occurrence of codes in {in_order(inside)} is their correlation (φ for ticks) by community."
        )
    if "post-to-reply" in done:
        said.append("Codes of posts were correlated with those of each of their replies.")
    return said


METHODS = Methods(say=_methods, family="correlations over all pairs and communities")
KINDS = (
    *(
        SectionKind(
            id=f"together-{things}",
            title=f"What goes together in {things}",
            order=order,
            compute=within,
            tables="correlations of pairs by community",
            figures="heatmaps",
            part=part,
            methods=METHODS,
        )
        for order, part, things in ((40, Part.POST, "posts"), (41, Part.REPLY, "replies"))
    ),
    SectionKind(
        id="post-to-reply",
        title="What posts ask and what replies give",
        order=42,
        compute=post_to_reply,
        tables="correlations of post codes with reply codes",
        figures="heatmaps",
        methods=METHODS,
    ),
)
