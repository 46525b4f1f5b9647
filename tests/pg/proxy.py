#!/usr/bin/env python3
"""Pass on the connections of PostgreSQL, and cut some of them in a commit.

proxy.py FOLDER SERVER HOW N...  listens on a socket in the new FOLDER, for the server
whose socket is in SERVER.  The Nth commits, from 1, are cut:

    before    the server does not get it
    after     the server has answered, and the client does not get that
    during    the server gets it, and nobody waits for the answer
    late      the server gets it when the client has committed something else

    version N  none is cut, and the server says that it is of version N
    count      none is cut

The file "cuts" says how many of them are over, and "trips" how often a client sent
something and waited for the answer, apart from connecting, and from deleting the old
rows of the table "done", which a command does now and then.
"""
import os
import re
import select
import socket
import struct
import sys
import threading
import time

folder, server, how = sys.argv[1:4]
cuts = set() if how in ("version", "count") else {int(n) for n in sys.argv[4:]}
count = ended = trips = 0
lock = threading.Lock()
committed = threading.Event()


def is_commit(parts):
    return b"INSERT INTO done" in parts and (
        b"INSERT INTO message" in parts or b"COMMIT" in parts)


def is_cut():
    global count
    with lock:
        count += 1
        return count in cuts


def note_trip():
    global trips
    with lock:
        trips += 1
        with open(folder + "/trips", "w") as f:
            f.write(str(trips))


def drain(upstream):
    while select.select([upstream], [], [], 0.2)[0] and upstream.recv(65536):
        pass


def cut(client, upstream, parts):
    global ended
    if how == "after":
        upstream.sendall(parts)
        drain(upstream)
    elif how == "during":
        upstream.sendall(parts)
    client.close()
    if how == "late":
        committed.clear()
        committed.wait(5)
        time.sleep(0.3)
        upstream.sendall(parts)
    drain(upstream)
    with lock:
        ended += 1
        with open(folder + "/cuts", "w") as f:
            f.write(str(ended))


def take(buffer):
    """The length of the first message, or 0 if it is not all there."""
    n = struct.unpack("!I", buffer[1:5])[0] + 1 if len(buffer) >= 5 else 0
    return n if len(buffer) >= n else 0


def serve(client, upstream):
    first = client.recv(65536)      # the greeting, which has no type
    upstream.sendall(first)
    buffer = parts = b""
    while True:
        ready = select.select([client, upstream], [], [])[0]
        if upstream in ready:
            data = upstream.recv(65536)
            if not data:
                return
            if how == "version":    # two digits
                data = re.sub(rb"(server_version\0)\d\d", rb"\g<1>" + sys.argv[4].encode(), data)
            client.sendall(data)
        if client in ready:
            data = client.recv(65536)
            if not data:
                return
            buffer += data
        while (n := take(buffer)) > 0:
            kind, parts, buffer = buffer[:1], parts + buffer[:n], buffer[n:]
            if kind not in b"QSX":
                continue
            if kind != b"X" and b"DELETE FROM done" not in parts:
                note_trip()
            if is_commit(parts) and is_cut():
                cut(client, upstream, parts)
                return
            upstream.sendall(parts)
            if is_commit(parts):
                committed.set()
            parts = b""


def connection(client):
    with client, socket.socket(socket.AF_UNIX) as upstream:
        upstream.connect(server + "/.s.PGSQL.5432")
        try:
            serve(client, upstream)
        except OSError:
            pass


os.mkdir(folder)
listener = socket.socket(socket.AF_UNIX)
listener.bind(folder + "/.s.PGSQL.5432")
with open(folder + "/trips", "w") as f:
    f.write("0")
listener.listen(64)
while True:
    threading.Thread(target=connection, args=(listener.accept()[0],), daemon=True).start()
