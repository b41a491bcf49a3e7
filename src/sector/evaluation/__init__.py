"""How good a segmentation is: metrics, protocols and reports.

The last step of a document's way: predicted sections are laid over gold ones. ``evaluate`` scores a model,
``score`` scores documents, ``pk`` and its neighbours score lists of section ids.
"""

from sector.evaluation.bootstrap import bootstrap_intervals
from sector.evaluation.boundaries import BoundaryScores, boundary_scores, boundary_similarity
from sector.evaluation.calibration import expected_calibration_error
from sector.evaluation.matching import Matches, match_sections
from sector.evaluation.per_label import LabelScore, label_scores, macro_f1
from sector.evaluation.protocols import PROTOCOLS, EvaluationProtocol, find_protocol
from sector.evaluation.ranking import Ranking, rank
from sector.evaluation.report import Report
from sector.evaluation.run import Segmenter, evaluate
from sector.evaluation.scoring import score
from sector.evaluation.windows import pk, window_diff, window_size

__all__ = [
    "PROTOCOLS",
    "BoundaryScores",
    "EvaluationProtocol",
    "LabelScore",
    "Matches",
    "Ranking",
    "Report",
    "Segmenter",
    "bootstrap_intervals",
    "boundary_scores",
    "boundary_similarity",
    "evaluate",
    "expected_calibration_error",
    "find_protocol",
    "label_scores",
    "macro_f1",
    "match_sections",
    "pk",
    "rank",
    "score",
    "window_diff",
    "window_size",
]
