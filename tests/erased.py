"""Random texts of several users, and a look for what is left of one.

erased.py texts SEED DIR    write DIR/USER.THREAD.jsonl, and DIR/USER.words:
                            words that only this user's texts have
erased.py look WORDS STORE  search every byte of the store's files, free pages
                            included, and the words of its index, for the words
                            in the file WORDS; print each that is found and
                            where, and what else is wrong
"""
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile

USERS = "xann", "xbob", "xcyd"
LETTERS = "bcdfghjklmnpqrstvwxz"


def word(rnd, user):
    """A word that no other user has."""
    return "".join(rnd.choice(LETTERS) for _ in range(10)) + user


# The index stores a word without the beginning that it shares with the one before
# it, so that words are searched for by their ends.
SHARED = 4


def texts(seed, folder):
    rnd = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    common = [word(rnd, "all") for _ in range(300)]
    both = [" ".join(rnd.choice(common) for _ in range(n))
            for n in (20, 800, 3000, 9000)]
    for user in USERS:
        own = [word(rnd, user) for _ in range(120)]
        for thread in range(4):
            with open(f"{folder}/{user}.{thread}.jsonl", "w",
                      encoding="utf-8") as out:
                for n in range(rnd.randint(1, 40)):
                    if rnd.random() < 0.15:
                        text = rnd.choice(both)
                    elif rnd.random() < 0.1:
                        # parts of it are others' too
                        text = both[3] + " " + rnd.choice(own)
                    else:
                        size = rnd.choice((3, 10, 60, 600, 4000))
                        text = " ".join(rnd.choice(own + common[:20])
                                        for _ in range(size))
                    json.dump({"id": f"{rnd.choice(own)}{n}",
                               "role": rnd.choice(("user", "assistant")),
                               "content": text}, out)
                    out.write("\n")
        with open(f"{folder}/{user}.words", "w", encoding="utf-8") as out:
            out.write("".join(w + "\n" for w in own))


def files(store):
    """The store's files: all whose names begin like its own."""
    folder, name = os.path.split(os.path.abspath(store))
    for base, _, names in os.walk(folder):
        for n in names:
            path = os.path.join(base, n)
            if os.path.relpath(path, folder).startswith(name):
                yield path


def look(words, store):
    with open(words, encoding="utf-8") as f:
        words = f.read().split()
    for path in files(store):
        with open(path, "rb") as f:
            data = f.read().lower()
        for w in words:
            end = w[SHARED:] or w
            if end.encode() in data or end in path:
                print(f"{path}: {w}")
    with open(store, "rb") as f:
        header = f.read(100)
    if int.from_bytes(header[36:40], "big") != 0:
        print(f"{store}: it has free pages")
    if os.path.exists(store + "-wal") and os.path.getsize(store + "-wal"):
        print(f"{store}-wal: it is not empty")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(store, folder + "/db")
        db = sqlite3.connect(folder + "/db")
        db.execute("CREATE VIRTUAL TABLE temp.terms USING"
                   " fts5vocab(main, search, row)")
        terms = {t for t, in db.execute("SELECT term FROM terms")}
        if not terms:
            print(f"{store}: its index has no words")
        for w in words:
            if w in terms:
                print(f"{store}: the index has {w}")
        db.close()


if sys.argv[1] == "texts":
    texts(int(sys.argv[2]), sys.argv[3])
else:
    look(sys.argv[2], sys.argv[3])
