"""One file per splitter; ``PEERS`` lists them in the order of the table."""

from splitters.peers import (
    changepoint,
    chonkie_semantic,
    haystack_embedding,
    langchain_semantic,
    llama_index_semantic,
    ruptures_kernel,
    semantic_text,
    semchunk_size,
    textsplit_greedy,
)

PEERS = (
    changepoint.PEER,
    changepoint.UNTUNED,
    ruptures_kernel.PEER,
    textsplit_greedy.PEER,
    haystack_embedding.PEER,
    chonkie_semantic.PEER,
    llama_index_semantic.PEER,
    langchain_semantic.PEER,
    semchunk_size.PEER,
    semantic_text.PEER,
)
