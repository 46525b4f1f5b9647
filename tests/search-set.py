#!/usr/bin/env python3
# Make a test set for ctx-store search from other people's histories by a rule,
# and score the search with it.  The histories are in the folder CTX_DATA and are
# not part of this project; a language without histories there is omitted.
#
#	search-set.py make DIR	writes en.jsonl and zh.jsonl (one message on each
#				line), en.tsv and zh.tsv (words TAB numbers of
#				messages)
#	search-set.py score DIR	prints how much of it ctx-store search finds
#
# This is the rule.  English messages come from transcripts/, Chinese ones from
# search/.  200 messages of each language are taken at equal distances.  Each
# gives one query: of its words (English: an identifier or word of 4 to 30 characters;
# Chinese: 2, 3 or 4 adjacent characters) that occur in at most 10 messages, the
# one whose SHA-256, with the message's number, is lowest.  The answers are all
# messages whose text contains the query: in Chinese anywhere; in English
# ignoring case and only at the start of a word, which is after a character
# other than a letter or digit, or at a capital after a small letter.
#
# A second query from each message has two to four such words of its text that
# occur in at most 50 messages; that message is the one to be found (--rank).
import collections
import functools
import hashlib
import json
import os
import re
import subprocess
import sys

QUERIES = 200
RARE = 10
KNOWN = 50
WORD = {
    "en": re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]{3,29}"
                     r"(?![A-Za-z0-9_])"),
    "zh": re.compile(r"[\u4e00-\u9fff]{2,}"),
}
DATA = os.environ["CTX_DATA"]
FILES = {
    "en": ["transcripts/tau-airline.openai.conv.jsonl",
           "transcripts/swe-agent.openai.jsonl",
           "transcripts/claude-code-session.native.jsonl",
           "transcripts/mint-alfworld-gpt4.openai.conv.jsonl"],
    "zh": ["search/crosswoz.openai.conv.jsonl",
           "search/vcsum.openai.conv.jsonl"],
}


def strings(value):
    """All strings in a JSON value, except an object's ids, types and data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)
    elif isinstance(value, dict):
        for k, v in value.items():
            if k not in ("id", "type", "tool_use_id", "tool_call_id", "data",
                         "signature", "role"):
                yield from strings(v)


def text_of(message):
    """The text of a message: its contents and tool calls."""
    message = message.get("message", message)
    return "\n".join(s for key in ("content", "tool_calls")
                     for s in strings(message.get(key)))


def messages(lang):
    for name in FILES[lang]:
        with open(os.path.join(DATA, name), encoding="utf-8") as f:
            for line in f:
                record = json.loads(line)
                for m in record.get("messages", [record]):
                    if text_of(m).strip():
                        yield m


def begins(text, i):
    """Does an English word begin at this position?"""
    before = text[i - 1:i]
    return not (before.isascii() and before.isalnum()) or (
        before.islower() and text[i].isupper())


@functools.lru_cache(maxsize=None)
def lower(text):
    return text.lower()


def label(lang, word, texts):
    if lang == "zh":
        return [i for i, t in enumerate(texts) if word in t]
    place = re.compile(re.escape(word), re.I)
    return [i for i, t in enumerate(texts) if word.lower() in lower(t) and
            any(begins(t, m.start()) for m in place.finditer(t))]


def candidates(lang, text):
    found = WORD[lang].findall(text)
    if lang == "en":
        return sorted(set(found))
    return sorted({run[i:i + n] for run in found for n in (2, 3, 4)
                   for i in range(len(run) - n + 1)})


def order(number, words):
    return sorted(words, key=lambda w: hashlib.sha256(
        f"{number}:{w}".encode()).digest())


def make_language(lang, folder):
    all_messages = list(messages(lang))
    texts = [text_of(m) for m in all_messages]
    with open(os.path.join(folder, lang + ".jsonl"), "w",
              encoding="utf-8") as f:
        for m in all_messages:
            f.write(json.dumps(m, ensure_ascii=False) + "\n")
    # A lower bound on the number of texts with a word; avoids most searches.
    known_in = collections.Counter(
        w for t in texts for w in {c.lower() for c in candidates(lang, t)})
    one = open(os.path.join(folder, lang + ".tsv"), "w", encoding="utf-8")
    known = open(os.path.join(folder, lang + "-known.tsv"), "w",
                 encoding="utf-8")
    for q in range(QUERIES):
        number = q * len(texts) // QUERIES
        first, several = None, []
        for w in order(number, candidates(lang, texts[number])):
            if known_in[w.lower()] > KNOWN or (
                    first and len(several) == 2 + number % 3):
                continue
            hits = label(lang, w, texts)
            if first is None and 0 < len(hits) <= RARE:
                first = w, hits
            if len(hits) <= KNOWN and len(several) < 2 + number % 3:
                several.append(w)
        if first:
            one.write(first[0] + "\t" + " ".join(
                str(i + 1) for i in first[1]) + "\n")
        if len(several) > 1:
            known.write(" ".join(several) + f"\t{number + 1}\n")


def search(db, *args):
    out = subprocess.run(["ctx-store", "search", "--db", db, *args],
                         stdout=subprocess.PIPE, check=False).stdout
    return [json.loads(line)["seq"] for line in out.splitlines()]


def score_language(lang, folder):
    db = os.path.join(folder, lang + ".db")
    if not os.path.exists(db):
        subprocess.run(["ctx-store", "append", "--db", db, "--on-conflict",
                        "new", "S", os.path.join(folder, lang + ".jsonl")],
                       check=True)
    recall, exact, n = 0.0, 0, 0
    with open(os.path.join(folder, lang + ".tsv"), encoding="utf-8") as f:
        for line in f:
            words, numbers = line.rstrip("\n").split("\t")
            want = {int(i) for i in numbers.split()}
            got = set(search(db, "--last", "10", "--", words))
            recall += len(want & got) / len(want)
            exact += want == got
            n += 1
            if "-v" in sys.argv and want - got:
                print(lang, words, "misses", sorted(want - got))
    print(f"{lang} keyword recall@10 {recall / n:.3f}, exactly the label "
          f"{exact / n:.3f}, {n} queries")
    rank, found, n = 0.0, 0, 0
    with open(os.path.join(folder, lang + "-known.tsv"),
              encoding="utf-8") as f:
        for line in f:
            words, number = line.rstrip("\n").split("\t")
            got = search(db, "--rank", "--last", "10", "--", words)
            n += 1
            if int(number) in got:
                found += 1
                rank += 1 / (got.index(int(number)) + 1)
    print(f"{lang} ranked recall@10 {found / n:.3f}, MRR {rank / n:.3f}, "
          f"{n} queries")


def main():
    for lang in FILES:
        if not all(os.path.exists(os.path.join(DATA, name))
                   for name in FILES[lang]):
            continue
        if sys.argv[1] == "make":
            make_language(lang, sys.argv[2])
        else:
            score_language(lang, sys.argv[2])


main()
