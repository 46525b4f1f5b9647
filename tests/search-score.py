#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Score how many of the answers in tests/data/search ctx-store finds.

	search-score.py [-v]

Prints a row for each language and kind of question, and one for each language:

	LANGUAGE KIND QUESTIONS NEWEST RANKED MRR PROMISED RELEVANT TAIL

NEWEST and RANKED: the share of the messages marked as answers that are among the
first ten hits of `search WORDS` and `search --rank WORDS`, averaged over the
questions.  MRR: the mean of 1 / rank of the first answer with --rank.
PROMISED: the share that both find of the answers that contain all of the words;
1 if a question has no such answer.
RELEVANT: the share in the output of `relevant --question QUESTION` for a thread
with all sessions of the language and a budget of a sixth of its tokens.  TAIL: the
share in the newest messages that fit the same budget.  -v lists missed answers.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(TESTS, "data", "search")
BUILD = os.environ.get("BUILD", os.path.join(TESTS, "..", "build"))


def run(*argv, status=(0,)):
    """The output lines of a command."""
    done = subprocess.run([os.path.join(BUILD, argv[0])] + list(argv[1:]),
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in status:
        sys.exit(f"exit {done.returncode}: {' '.join(argv)}")
    return done.stdout.splitlines()


def ids(lines):
    return [json.loads(line)["id"] for line in lines]


def questions():
    with open(os.path.join(DATA, "questions.tsv"), encoding="utf-8") as f:
        next(f)
        for line in f:
            number, kind, words, question, answers = \
                line.rstrip("\n").split("\t")
            promised = [a for a in answers.split() if a[0] != "~"]
            yield number[:2], kind, words, question, \
                answers.replace("~", "").split(), promised


def began(path):
    with open(path, encoding="utf-8") as f:
        return json.loads(f.readline())["timestamp"]


class Language:
    def __init__(self, name, folder):
        self.sessions = os.path.join(folder, "sessions.db")
        self.whole = os.path.join(folder, name + ".db")
        self.file = os.path.join(folder, name + ".jsonl")
        with open(self.file, "wb") as f:
            for path in sorted(glob.glob(os.path.join(DATA, name + "-*")),
                               key=began):
                thread = os.path.basename(path)[:-len(".jsonl")]
                run("ctx-store", "--db", self.sessions, "append", thread, path)
                with open(path, "rb") as part:
                    f.write(part.read())
        run("ctx-store", "--db", self.whole, "append", "all", self.file)
        tokens = int(run("ctx-count", self.file)[0].split()[0])
        self.budget = str(tokens // 6)
        self.tail = ids(run("ctx-truncate", "-t", self.budget, self.file))

    def search(self, words, *options):
        return ids(run("ctx-store", "--db", self.sessions, "search", "--last",
                       "10", *options, "--", words, status=(0, 1)))

    def relevant(self, question):
        return ids(run("ctx-store", "--db", self.whole, "relevant", "all",
                       "--question", question, "-t", self.budget))


def found(answers, got):
    return len(set(answers) & set(got)) / len(answers) if answers else 1.0


def score(language, words, question, answers, promised):
    ranked = language.search(words, "--rank")
    got = language.search(words), ranked, language.relevant(question)
    place = [1 / (i + 1) for i, x in enumerate(ranked) if x in answers]
    if "-v" in sys.argv:
        for how, g in zip(("newest", "ranked", "relevant"), got):
            missed = [a for a in answers if a not in g]
            if missed:
                print(f"# {how}: '{question if how == 'relevant' else words}'"
                      f" misses {' '.join(missed)}")
    return [found(answers, got[0]), found(answers, got[1]),
            place[0] if place else 0.0,
            min(found(promised, got[0]), found(promised, got[1])),
            found(answers, got[2]), found(answers, language.tail)]


def main():
    rows, languages = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in "en", "zh":
            languages[name] = Language(name, folder)
        for name, kind, *question in questions():
            figures = score(languages[name], *question)
            for key in (name, kind), (name, "~all"):
                rows.setdefault(key, []).append(figures)
    for (name, kind), figures in sorted(rows.items()):
        means = [sum(column) / len(figures) for column in zip(*figures)]
        print(name, kind.lstrip("~"), len(figures), *(f"{m:.3f}" for m in means))


main()
