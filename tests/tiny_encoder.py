"""Tiny random encoders in Hugging Face's form, made on the fly: one with word pieces, one with byte pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tiny import FILLINGS, PATTERNS

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def sentences() -> list[str]:
    """Return the texts that the tokenizers know the words of."""
    return [text for label in PATTERNS for text in (*PATTERNS[label], *FILLINGS[label])]


def vocabulary() -> list[str]:
    """Return special pieces, letters, letters within words, and words of four letters or more cut in two."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?-'"
    words = sorted({word for text in sentences() for word in text.lower().replace(".", " ").split() if word.isalpha()})
    halves = [part for word in words if len(word) > 6 for part in (word[:4], f"##{word[4:]}")]
    short = [word for word in words if len(word) <= 6]
    return list(dict.fromkeys([*SPECIAL, *letters, *(f"##{letter}" for letter in letters), *short, *halves]))


def make_bert(folder: Path, seed: int = 0) -> Path:
    """Write a BERT of two small layers."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder.mkdir(parents=True, exist_ok=True)
    pieces = vocabulary()
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")
    described = {"tokenizer_class": "BertTokenizer", "do_lower_case": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(described), encoding="utf-8")
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
        initializer_range=0.2,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def make_roberta(folder: Path, seed: int = 0) -> Path:
    """Write an XLM-RoBERTa of one small layer with a tokenizer of byte pairs."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    made.train_from_iterator(sentences(), tokenizers.trainers.BpeTrainer(vocab_size=200, special_tokens=special))
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names).save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.XLMRobertaConfig(
        vocab_size=made.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=66,
        type_vocab_size=1,
        initializer_range=0.2,
    )
    transformers.XLMRobertaModel(config).save_pretrained(folder)
    return folder
