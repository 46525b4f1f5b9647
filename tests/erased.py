"""Random texts of several users, and a look for what is left of one.

erased.py texts SEED DIR    write DIR/USER.THREAD.jsonl, and DIR/USER.words:
                            words that only this user's texts have
erased.py look USER STORE   search every byte of the store's files, free pages
                            included, every compressed frame in them, whole or
                            not, and the words of its index, for the user's
                            name, with which each of the words ends; print each
                            that is found and where, and what else is wrong
"""
import ctypes
import json
import os
import random
import re
import shutil
import sqlite3
import sys
import tempfile

USERS = "qzxann", "qzxbob", "qzxcyd"
LETTERS = "bcdfghjklmnpqrstvwxz"


def word(rnd, user):
    """A word that no other user has.  It ends with the name, since the index
    leaves out the beginning that a word shares with the one before it."""
    return "".join(rnd.choice(LETTERS) for _ in range(10)) + user


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


class Slice(ctypes.Structure):
    """ZSTD_inBuffer and ZSTD_outBuffer."""
    _fields_ = [("p", ctypes.c_void_p), ("size", ctypes.c_size_t),
                ("pos", ctypes.c_size_t)]


def zstd():
    for name in "libzstd.so.1", "libzstd.so", "libzstd.1.dylib":
        try:
            lib = ctypes.CDLL(name)
        except OSError:
            continue
        lib.ZSTD_createDStream.restype = ctypes.c_void_p
        lib.ZSTD_decompressStream.restype = ctypes.c_size_t
        lib.ZSTD_decompressStream.argtypes = [ctypes.c_void_p] * 3
        lib.ZSTD_initDStream.argtypes = [ctypes.c_void_p]
        return lib
    sys.exit("erased.py: no libzstd")


def frames(data):
    """What every frame of Zstandard in data holds, as far as it goes: what
    is left of one in a page may be cut off."""
    lib = zstd()
    stream = lib.ZSTD_createDStream()
    room = ctypes.create_string_buffer(1 << 20)
    at = data.find(b"\x28\xb5\x2f\xfd")
    while at != -1:
        lib.ZSTD_initDStream(stream)
        part = ctypes.create_string_buffer(data[at:at + (1 << 16)])
        given = Slice(ctypes.addressof(part), len(part) - 1, 0)
        got = Slice(ctypes.addressof(room), len(room), 0)
        rest = 1
        while 0 < rest < 1 << 62 and given.pos < given.size and \
                got.pos < got.size:
            before = given.pos, got.pos
            rest = lib.ZSTD_decompressStream(stream, ctypes.byref(got),
                                             ctypes.byref(given))
            if before == (given.pos, got.pos):
                break
        yield room.raw[:got.pos]
        at = data.find(b"\x28\xb5\x2f\xfd", at + 4)


def blobs(store):
    """The stored values that may have frames, which the pages divide."""
    db = sqlite3.connect(store)
    for table, column in (("body", "data"), ("bundle", "data")):
        for value, in db.execute(f"SELECT {column} FROM {table}"):
            yield bytes(value or b"")
    db.close()


def files(store):
    """The store's files: all whose names begin like its own."""
    folder, name = os.path.split(os.path.abspath(store))
    for base, _, names in os.walk(folder):
        for n in names:
            path = os.path.join(base, n)
            if os.path.relpath(path, folder).startswith(name):
                yield path


def report(place, user, data):
    found = re.findall(b"[a-z]{0,10}" + user.encode(), data)
    for w in sorted(set(found)):
        print(f"{place}: {w.decode()}")
    if user in place:
        print(f"{place}: the name")


def look(user, store):
    for path in files(store):
        with open(path, "rb") as f:
            data = f.read()
        report(path, user, data)
        for text in frames(data):
            report(path + " (a frame)", user, text)
    with open(store, "rb") as f:
        header = f.read(100)
    if int.from_bytes(header[36:40], "big") != 0:
        print(f"{store}: it has free pages")
    if os.path.exists(store + "-wal") and os.path.getsize(store + "-wal"):
        print(f"{store}-wal: it is not empty")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(store, folder + "/db")
        for value in blobs(folder + "/db"):
            for text in frames(value):
                report(store + " (a value)", user, text)
        db = sqlite3.connect(folder + "/db")
        db.execute("CREATE VIRTUAL TABLE temp.terms USING"
                   " fts5vocab(main, search, row)")
        terms = {t for t, in db.execute("SELECT term FROM terms")}
        if not terms:
            print(f"{store}: its index has no words")
        for t in sorted(terms):
            if user in t:
                print(f"{store}: the index has {t}")
        # of a text that was removed, an index has the words and the removal
        # until it is merged into one segment
        for table, in db.execute("SELECT name FROM sqlite_schema WHERE name"
                                 " IN ('search_idx', 'trigram_idx')"):
            n, = db.execute(f"SELECT count(DISTINCT segid) FROM {table}"
                            ).fetchone()
            if n > 1:
                print(f"{store}: {table} has {n} segments")
        db.close()


if sys.argv[1] == "texts":
    texts(int(sys.argv[2]), sys.argv[3])
else:
    look(sys.argv[2], sys.argv[3])
