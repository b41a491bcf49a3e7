"""``PEERS`` in the order of the table: the splitters of ``sector.baselines`` and two more, which only know sizes."""

from sector.baselines.splitters.changepoint import ChangePoints
from sector.baselines.splitters.chonkie import Chonkie
from sector.baselines.splitters.haystack import Haystack
from sector.baselines.splitters.langchain import LangChain
from sector.baselines.splitters.llama_index import LlamaIndex
from sector.baselines.splitters.ruptures import Ruptures
from sector.baselines.splitters.textsplit import TextSplit
from splitters.peer import Peer, of_splitter
from splitters.peers import semantic_text, semchunk_size

CHANGEPOINT = of_splitter(ChangePoints(), "sector changepoint")
PEERS: tuple[Peer, ...] = (
    CHANGEPOINT,
    of_splitter(ChangePoints(), "sector changepoint, as it comes", grid=(1.0,)),
    of_splitter(Ruptures(), "ruptures KernelCPD"),
    of_splitter(TextSplit(), "textsplit greedy"),
    of_splitter(Haystack(), "Haystack EmbeddingBasedDocumentSplitter"),
    of_splitter(Chonkie(), "chonkie SemanticChunker"),
    of_splitter(LlamaIndex(), "LlamaIndex SemanticSplitter"),
    of_splitter(LangChain(), "LangChain SemanticChunker"),
    semchunk_size.PEER,
    semantic_text.PEER,
)
