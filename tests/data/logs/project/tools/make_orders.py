"""Writes a year of orders of the shop, one file a month, with the mistakes that
people make when they type them.  The same on every machine.

    make_orders.py FOLDER
"""
import os
import sys

ITEMS = [("kettle", 2450), ("teapot", 1890), ("茶杯", 640), ("tray, oak", 3120),
         ("lamp", 4575), ("砚台", 8800), ("notebook", 390), ("umbrella", 1540),
         ("毛笔", 275), ("basket", 2210)]
TOWNS = ["Norhaven", "Littlebrook", "北京", "上海", "Easterby", "成都", "Highmoor",
         "乌鲁木齐"]
NOTES = ["", "", "", "", "gift", "fragile", "call first", "易碎", "second floor",
         "leave at the door, please", "急件"]
DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


class Seed:
    """Numbers that look random; no library's generator, whose numbers may change."""

    def __init__(self, seed):
        self.x = seed

    def below(self, n):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 33) % n


def quote(text):
    return f'"{text}"' if "," in text else text


def month(m, seed):
    lines = ["order,date,item,quantity,price,total,town,note"]
    wrong = {20 + seed.below(30): "total", 60 + seed.below(20): "quantity",
             85 + seed.below(15): "twice"}
    for i in range(1, 131):
        name, price = ITEMS[seed.below(len(ITEMS))]
        n = 1 + seed.below(6)
        total = n * price
        order = m * 1000 + i
        fault = wrong.get(i)
        if fault == "total":
            total += 900
        elif fault == "quantity":
            n = -n
        elif fault == "twice":
            order -= 1
        day = 1 + (i - 1) * DAYS[m - 1] // 130
        lines.append(",".join([
            f"A{order:05d}", f"2026-{m:02d}-{day:02d}", quote(name), str(n),
            str(price), str(total), TOWNS[seed.below(len(TOWNS))],
            quote(NOTES[seed.below(len(NOTES))])]))
    return "\n".join(lines) + "\n"


def main(argv):
    os.makedirs(argv[1], exist_ok=True)
    seed = Seed(20260101)
    for m in range(1, 13):
        with open(os.path.join(argv[1], f"{m:02d}.csv"), "w", encoding="utf-8",
                  newline="\n") as f:
            f.write(month(m, seed))
    print(f"{argv[1]}: 12 files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
