#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a language model of 0.7 MB that always says the same sentence, for tests.

    mkmodel.py OUT.gguf [SENTENCE]

The model is a llama model in GGUF (version 3) with one layer whose weights are all
zero, so that the output depends only on the last token.  The output matrix leads
from each token of the sentence to the next, from a newline to the first token, and
from the last one to the end.  The vocabulary consists of the 256 bytes and the
words of the sentence, which must be different from each other.
"""
import random
import struct
import sys

WIDTH, HEADS, CONTEXT = 128, 4, 32768
SENTENCE = "Summary: the user chose class 7B-2024 and asked for a report."
U32, F32, BOOL, STRING, ARRAY, I32 = 4, 6, 7, 8, 9, 5
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
END, NEWLINE, FIRST_WORD = 2, 3 + 10, 3 + 256
TEMPLATE = ("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n"
            "{% endfor %}assistant:\n")


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def scalar(kind, value):
    if kind == STRING:
        return string(value)
    return struct.pack({U32: "<I", F32: "<f", BOOL: "<?", I32: "<i"}[kind],
                       value)


def entry(key, kind, value):
    return string(key) + struct.pack("<I", kind) + scalar(kind, value)


def array(key, kind, values):
    return (string(key) + struct.pack("<IIQ", ARRAY, kind, len(values)) +
            b"".join(scalar(kind, v) for v in values))


def vocabulary(sentence):
    words = [("\u2581" if i else "") + w
             for i, w in enumerate(sentence.split(" "))]
    if len(set(words)) < len(words):
        sys.exit("mkmodel.py: a word comes twice")
    tokens = (["<unk>", "<s>", "</s>"] +
              ["<0x%02X>" % b for b in range(256)] + words)
    kinds = ([UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 +
             [NORMAL] * len(words))
    scores = [0.0] * FIRST_WORD + [-1.0 - i for i in range(len(words))]
    return tokens, kinds, scores


def metadata(sentence):
    tokens, kinds, scores = vocabulary(sentence)
    llama = [("context_length", CONTEXT), ("embedding_length", WIDTH),
             ("block_count", 1), ("feed_forward_length", WIDTH),
             ("attention.head_count", HEADS),
             ("attention.head_count_kv", HEADS),
             ("rope.dimension_count", WIDTH // HEADS),
             ("vocab_size", len(tokens))]
    entries = [entry("general.architecture", STRING, "llama"),
               entry("general.name", STRING, "one-sentence")]
    entries += [entry("llama." + k, U32, v) for k, v in llama]
    entries += [
        entry("llama.attention.layer_norm_rms_epsilon", F32, 1e-5),
        entry("tokenizer.ggml.model", STRING, "llama"),
        array("tokenizer.ggml.tokens", STRING, tokens),
        array("tokenizer.ggml.scores", F32, scores),
        array("tokenizer.ggml.token_type", I32, kinds),
        entry("tokenizer.ggml.bos_token_id", U32, 1),
        entry("tokenizer.ggml.eos_token_id", U32, END),
        entry("tokenizer.ggml.unknown_token_id", U32, 0),
        entry("tokenizer.ggml.add_bos_token", BOOL, True),
        entry("tokenizer.ggml.add_space_prefix", BOOL, False),
        entry("tokenizer.chat_template", STRING, TEMPLATE)]
    return entries, len(tokens)


def tensors(size):
    """Tensors as (name, dimensions, values); the output matrix has the chain."""
    rnd = random.Random(1)
    embedding = [[rnd.choice((-1.0, 1.0)) for _ in range(WIDTH)]
                 for _ in range(size)]
    output = [[0.0] * WIDTH for _ in range(size)]
    chain = [NEWLINE, *range(FIRST_WORD, size), END]
    for before, after in zip(chain, chain[1:]):
        output[after] = [a + b for a, b in zip(output[after],
                                               embedding[before])]
    ones, square = [1.0] * WIDTH, [0.0] * (WIDTH * WIDTH)
    result = [("token_embd", (WIDTH, size), sum(embedding, [])),
              ("output_norm", (WIDTH,), ones),
              ("output", (WIDTH, size), sum(output, [])),
              ("blk.0.attn_norm", (WIDTH,), ones),
              ("blk.0.ffn_norm", (WIDTH,), ones)]
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate",
                 "ffn_up", "ffn_down"):
        result.append(("blk.0." + name, (WIDTH, WIDTH), square))
    return result


def padded(data):
    return data + bytes(-len(data) % 32)


def main():
    entries, size = metadata(sys.argv[2] if len(sys.argv) > 2 else SENTENCE)
    table, blocks, offset = b"", [], 0
    all_tensors = tensors(size)
    for name, dims, values in all_tensors:
        block = padded(struct.pack("<%df" % len(values), *values))
        table += (string(name + ".weight") + struct.pack("<I", len(dims)) +
                  struct.pack("<%dQ" % len(dims), *dims) +
                  struct.pack("<IQ", 0, offset))
        blocks.append(block)
        offset += len(block)
    head = (b"GGUF" + struct.pack("<IQQ", 3, len(all_tensors), len(entries)) +
            b"".join(entries) + table)
    with open(sys.argv[1], "wb") as out:
        out.write(padded(head) + b"".join(blocks))


if __name__ == "__main__":
    main()
