"""Draws a bar chart of a column as a PNG file.

    draw.py COLUMN FILE PICTURE

The picture is not compressed, so that it has the same bytes everywhere.
"""
import csv
import struct
import sys
import zlib

WIDTH, HEIGHT = 64, 40


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def stored(data):
    """A zlib stream of one stored block."""
    return (b"\x78\x01\x01" + struct.pack("<HH", len(data), len(data) ^ 0xffff) +
            data + struct.pack(">I", zlib.adler32(data)))


def draw(values):
    bits = [[0] * WIDTH for _ in range(HEIGHT)]
    wide = max(1, WIDTH // max(1, len(values)))
    top = max(values)
    for i, v in enumerate(values):
        for x in range(i * wide, min(WIDTH, i * wide + max(1, wide - 2))):
            for y in range(HEIGHT - int(max(v, 0) * HEIGHT / top), HEIGHT):
                bits[y][x] = 1
    rows = b"".join(b"\0" + bytes(sum(row[i + k] << (7 - k) for k in range(8))
                                  for i in range(0, WIDTH, 8)) for row in bits)
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 1, 0, 0, 0, 0)) +
            chunk(b"IDAT", stored(rows)) + chunk(b"IEND", b""))


def main(argv):
    column = int(argv[1])
    with open(argv[2], encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))[1:]
    values = [float(r[column]) for r in rows if len(r) > column][:64]
    with open(argv[3], "wb") as f:
        f.write(draw(values))
    print(f"{argv[3]}: {len(values)} bars, the highest {max(values):g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
