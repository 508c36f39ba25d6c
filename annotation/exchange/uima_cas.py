"""UIMA CAS XMI, which INCEpTION and WebAnno read: the type system, and a file for each item, by dkpro-cassis.

Highlights are `attune.Highlight` with a feature `code`; labels of the whole item are `attune.Label` over all of it,
with `code` and `value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from annotation.exchange.documents import Document, documents
from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook

if TYPE_CHECKING:
    from cassis import TypeSystem

HIGHLIGHT, LABEL = "attune.Highlight", "attune.Label"


def uima_files(codebook: Codebook, rows: Iterable[ReleaseRow]) -> Iterator[tuple[str, bytes]]:
    types = attune_types()
    yield "TypeSystem.xml", types.to_xml().encode()
    for document in documents(rows):
        yield f"{document.name}.xmi", xmi(types, document)


def attune_types() -> TypeSystem:
    from cassis import TypeSystem

    types = TypeSystem()
    for name, features in ((HIGHLIGHT, ("code",)), (LABEL, ("code", "value"))):
        of_type = types.create_type(name=name, supertypeName="uima.tcas.Annotation")
        for feature in features:
            types.create_feature(domainType=of_type, name=feature, rangeType="uima.cas.String")
    return types


def xmi(types: TypeSystem, document: Document) -> bytes:
    """UIMA counts in UTF-16; the library turns our code points into that."""
    from cassis import Cas

    cas = Cas(typesystem=types, document_language="x-unspecified")
    cas.sofa_string, cas.sofa_mime = document.text, "text/plain"
    highlight, label = types.get_type(HIGHLIGHT), types.get_type(LABEL)
    for mark in document.marks:
        cas.add(highlight(begin=mark.start, end=mark.end, code=mark.code))
    for code, value in document.labels.items():
        cas.add(label(begin=0, end=len(document.text), code=code, value=str(value)))
    return str(cas.to_xmi()).encode()
