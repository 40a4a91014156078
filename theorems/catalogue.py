"""Every statement id of the five papers and the dictionary, so that what is not judged yet is known, too."""

from __future__ import annotations

import re

from surrogate.kit import papers

__all__ = ["HEADLINES", "IDS", "PAPERS", "id_of_place", "paper_of", "sort_key"]

PAPERS = {**papers.PAPERS, "DICT": ("dictionary", "The surrogate dictionary")}  # prefix: folder, title

_LISTED = """
OLR.S1 OLR.S2 OLR.S3 OLR.S4 OLR.S5 OLR.S6 OLR.S7 OLR.S8 OLR.L1 OLR.L2 *OLR.T3 *OLR.T4 OLR.E15 OLR.D5 OLR.D6 *OLR.X1
OLR.X2 OLR.X3 OLR.L5 OLR.L6 OLR.L7 OLR.L8 OLR.L9 OLR.L10 OLR.E17 OLR.E18 OLR.L11 OLR.L12 *OLR.C13 *OLR.C14 OLR.D1
OLR.E19 OLR.L15 *OLR.T16 *OLR.T17 OLR.L18 OLR.C19 *OLR.C20 *OLR.T21 *OLR.C22 OLR.D2 *OLR.L23 OLR.L24 *OLR.L25 *OLR.T26
*OLR.T27 *OLR.C28 OLR.D3 *OLR.T29 OLR.D4 OLR.D7 OLR.D8 OLR.D9 OLR.A3 OLR.L30 OLR.L31 OLR.L32 OLR.L33 OLR.L34 OLR.L35
LA.E3 LA.E6 *LA.T1 *LA.T2 LA.E9 LA.E10 LA.E11 *LA.D1 LA.D2 LA.D3 LA.D4 LA.D5 LA.K1 *LA.A1 *LA.A2 LA.L1 LA.L2 LA.B2
LA.B3 LA.B4 LA.L3 LA.E29 LA.E34 LA.E47 LA.E50 LA.E54 LA.E61 LA.E65 LA.E66 LA.E67 LA.E68 LA.E72 LA.E73 LA.E77 LA.E82
LA.E84 LA.E85 LA.E92 LA.E97 LA.L4 LA.E117 LA.E127 LA.E129 *LA.T3 DA.E7 DA.E8 DA.E9 DA.E10 DA.E17 DA.D3 DA.E19 DA.E20
*DA.E23 DA.E27 *DA.E28 DA.P1 DA.E30 DA.E31 DA.E33 *DA.E35 DA.E39 DA.D1 DA.E41 DA.E42 DA.E43 DA.E44 DA.E45 DA.E46
DA.E47 DA.E48 DA.E49 DA.E52 DA.E53 DA.E54 DA.E55 DA.E56 DA.E57 *DA.D2 DA.A1 DA.A2 LADA.E3 LADA.E4 LADA.E5 LADA.E6
LADA.H3 *LADA.T35 *LADA.C36 LADA.D1 LADA.E8 LADA.A1 LADA.A2 LADA.A3 LADA.B1 LADA.B2 LADA.B3 LADA.B4 LADA.B5 LADA.B6
LADA.B7 LADA.B8 LADA.R1 LADA.M LADA.W LADA.Delta LADA.R2 LADA.E18 LADA.E19 LADA.E20 LADA.E21 LADA.R3 LADA.C4 LADA.D2
LADA.E22 LADA.E23 LADA.E24 LADA.E25 LADA.E26 LADA.K9 LADA.K11 LAMB.E2 LAMB.H4 *LAMB.L1 LAMB.L2 *LAMB.T1 LAMB.T1b
*LAMB.C1 LAMB.C1b LAMB.T2 LAMB.E6 LAMB.E7 LAMB.E8 LAMB.E10 LAMB.E11 LAMB.E12 LAMB.E13 LAMB.B2 LAMB.A1 LAMB.A2 LAMB.D1
LAMB.D2
DICT.central-adagrad DICT.central-adam DICT.central-sgd DICT.central-sgdm DICT.fed-ams DICT.fed-lamb
DICT.fedadam-amended DICT.fedavg DICT.fedcm
DICT.fedda-adagrad DICT.fedda-adam DICT.fedda-sgdm DICT.fedlada DICT.fedlin DICT.fedlocal DICT.fednova
DICT.fedopt-adagrad DICT.fedopt-adam DICT.fedopt-amsgrad DICT.fedopt-sgd DICT.fedopt-sgdm DICT.fedopt-yogi
DICT.fedprox DICT.fomaml DICT.local-adagrad DICT.local-adam DICT.local-amsgrad DICT.local-sgdm DICT.local-update
DICT.local-yogi DICT.lookahead DICT.maml DICT.mfl DICT.mimelite DICT.minibatch-sgd DICT.preconditioned DICT.reptile
DICT.scaffold DICT.stem
"""

IDS = tuple(i.lstrip("*") for i in _LISTED.split())
HEADLINES = frozenset(i.lstrip("*") for i in _LISTED.split() if i.startswith("*"))


def paper_of(statement_id: str) -> str:
    """The paper's folder: ``outsized`` for ``OLR.T17``; ``mine`` for a statement MINE.1 of one's own."""
    prefix = statement_id.split(".", 1)[0]
    return PAPERS[prefix][0] if prefix in PAPERS else prefix.lower()


def id_of_place(folder: str, stem: str) -> str:
    """The id of the statement in theorems/``folder``/``stem``.py; "" where the folder is no paper's.

    >>> id_of_place("outsized", "t17b"), id_of_place("fedlada", "delta"), id_of_place("dictionary", "fed_lamb")
    ('OLR.T17b', 'LADA.Delta', 'DICT.fed-lamb')
    """
    prefix = next((prefix for prefix, (known, _) in PAPERS.items() if known == folder), "")
    if not prefix:
        return ""
    return f"{prefix}.{stem.replace('_', '-') if prefix == 'DICT' else stem[:1].upper() + stem[1:]}"


def sort_key(statement_id: str) -> tuple[object, ...]:
    """Papers in their order, then as a reader counts: T3 before T16."""
    paper, rest = statement_id.split(".", 1)
    parts = re.split(r"(\d+)", rest)
    order = list(PAPERS).index(paper) if paper in PAPERS else len(PAPERS)
    return (order, tuple((0, int(p)) if p.isdigit() else (1, p) for p in parts if p))
