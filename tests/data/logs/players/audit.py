# SPDX-License-Identifier: MIT
"""A year of orders, checked month by month, which is long enough to fill a window.

The agent finds out from its tools which line is wrong, and how."""
import re

from player import edit, read, shell, write

HEAD = {
    "title": "A year of orders, gone through month by month",
    "start": "2026-03-04T07:30:00Z", "folder": "/home/dev/tally",
    "system": "You keep the books of a small shop. Correct only what the guide in "
              "docs/guide.md covers, one line at a time, show each line before you "
              "change it, and keep a record of every change. Money is in cents.",
}

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
          "September", "October", "November", "December"]

OPENING = [
    "January first. I let the check run, and read the whole file beside it.",
    "On to February, in the same way.",
    "March next; it has three more days, so the lines lie closer together.",
    "April. The check, then the file.",
    "May is the first month with the new catalogue, so I read with more care.",
    "June: half of the year after this one.",
    "Now July.",
    "August, when the shop was closed for two weeks according to the notes? The dates "
    "will tell.",
    "September.",
    "October; the pattern of three mistakes a month has held so far.",
    "November, usually the busiest.",
    "December is the last one.",
]

THOUGHTS = [
    "A total that is off by exactly 900 each time: as if a fixed fee had been added.",
    "Let me not assume that it is the same three kinds again; read first.",
    "The line before it matters too, because a number used twice could mean that the "
    "earlier one is wrong.",
    "The quantity is negative but the total as well, so only the sign is wrong.",
    "Quantity and price were typed, the total was computed. The guide is clear.",
    "I should look at the neighbours of the line before I change it.",
    "If the free number were taken somewhere else I would have to stop here.",
]

DONE = [
    "{month} is clean now: {n} lines corrected, and the sum went from {old} to {new}.",
    "That was {month}. {n} corrections; its sum is {new} instead of {old}.",
    "{month} is through, with {n} corrections. Before: {old}, now: {new}.",
    "Nothing is left in {month}. The {n} corrections move its sum from {old} to {new}.",
]


def corrected(row, what):
    """The line corrected as in the guide, by what the check reported."""
    m = re.match(r'([^,]+),([^,]+),("[^"]*"|[^,]*),(-?\d+),(\d+),(-?\d+),(.*)$', row)
    order, date, item, quantity, price, total, rest = m.groups()
    if "already" in what:
        order = f"A{int(order[1:]) + 1:05d}"
    elif " of " in what:
        quantity = str(-int(quantity))
        total = str(int(quantity) * int(price))
    else:
        total = str(int(quantity) * int(price))
    return ",".join([order, date, item, quantity, price, total, rest])


def mend(s, name, text, fault, record):
    """Show a line, think about it, and change it."""
    at, what = int(fault.group(1)), fault.group(2)
    near = s.says(s.seed.one([
        f"Line {at} first, with what stands around it.",
        f"Here is the place: line {at}.", f"Line {at}: {what}.",
        f"The check says of line {at}: {what}. I look at it.", None]),
        read(name, at - 1, 3), think=s.seed.one(THOUGHTS + [None, None, None]))[0]
    row = near.split("\n")[1]
    new = corrected(row, what)
    why = "its number is free" if "already" in what else \
        "the sign was wrong" if " of " in what else "quantity and price count"
    s.says(s.seed.one([f"Corrected: {why}.", f"I change it, because {why}.", None]),
           edit(name, row + "\n", new + "\n"))
    record.append(f"- {name}, line {at}: {what}")


def month(s, m, record):
    name = f"data/orders/{m:02d}.csv"
    label = MONTHS[m - 1]
    found, text = s.says(OPENING[m - 1],
                         shell(f"python3 tools/check_orders.py {name}",
                               f"look for mistakes in {label}", see="3 mistakes"),
                         read(name))
    before = s.says(None, shell(f"./build/tally 5 {name}",
                                f"what tally makes of {label}", see="131 rows"))[0]
    for fault in re.finditer(r":(\d+): (.*)", found):
        mend(s, name, text, fault, record)
    after = s.says(s.seed.one([
        "Checked again, and added up again.", "Now the check once more.", None]),
        shell(f"python3 tools/check_orders.py {name} && ./build/tally 5 {name} | "
              "tail -n 1", f"{label} again", see="0 mistakes"))[0]
    s.says(s.seed.one([
        "I read the corrected file once through, as it will be kept.",
        "And the whole file as it is now.", None]), read(name))
    if m % 3 == 0:
        s.says(f"A quarter ends with {label}, so I also want to see the largest orders "
               "and the sums of the towns.",
               shell(f"sort -t, -k1,1 {name} | awk -F, 'NR > 1 {{ print $1, $2, "
                     "$(NF - 2) }' | sort -k3,3nr -k1,1 | head -n 40",
                     "the forty largest orders"),
               shell("python3 tools/towns.py " + " ".join(
                   f"data/orders/{i:02d}.csv" for i in range(m - 2, m + 1)),
                   "sums of the towns in this quarter", see="Norhaven"))
    else:
        s.says(None, shell(f"python3 tools/stats.py 3 {name}; "
                           f"python3 tools/stats.py 4 {name}",
                           f"quantities and prices of {label}"))
    old = re.search(r"sum (-?\d+)", before).group(1)
    new = re.search(r"sum (-?\d+)", after).group(1)
    s.says(DONE[m % len(DONE)].format(month=label, n=3, old=old, new=new))
    return int(old), int(new)


TOWNS = '''"""Sums of the towns: towns.py FILE..."""
import csv
import sys

sums = {}
for name in sys.argv[1:]:
    with open(name, encoding="utf-8", newline="") as f:
        for row in list(csv.reader(f))[1:]:
            sums[row[6]] = sums.get(row[6], 0) + int(row[5])
for town, cents in sorted(sums.items(), key=lambda x: (-x[1], x[0])):
    print(f"{cents:9d}  {town}")
'''


def play(s):
    s.user("The order files of the whole year have mistakes in them. Please go through "
           "them month by month and correct what the guide allows. I want to be able "
           "to see afterwards what you did to each line.")
    s.says("I read the guide first, then I make the files and build what I need.",
           read("docs/guide.md"), read("tools/check_orders.py"))
    s.says(None, shell("make data build/tally", "orders and tally", see="12 files"))
    s.says("A small program for sums by town will be useful each quarter.",
           write("tools/towns.py", TOWNS))
    record, sums = [], []
    for m in range(1, 13):
        s.user([
            "Start with January.", "Go on.", "And March, please.",
            "That was quick. April?", "Next.", "Good, June as well.",
            "I have looked at some of your changes and they are right. Go on with July.",
            "Go on, please.", "September, then we take a break.",
            "I'm back. October, please.", "November.",
            "The last one. Please be as careful as at the start."][m - 1])
        sums.append(month(s, m, record))
        if m == 4:
            s.user("What did the wrong lines cost us so far?")
            s.says("Of the four months, the files said {} and should have said {}: a "
                   "difference of {} cents.".format(
                       sum(a for a, _ in sums), sum(b for _, b in sums),
                       abs(sum(a - b for a, b in sums))))
        if m == 7:
            s.user("Which town has ordered the most up to now?")
            s.says(None, shell("python3 tools/towns.py data/orders/0[1-7].csv",
                               "sums of the towns, January to July"))
            s.says("The order is in the list above; the first three lie close together.")
        if m == 9:
            lines = "\n".join(record)
            old, new = sum(a for a, _ in sums), sum(b for _, b in sums)
            s.event("compact", text=(
                "Summary of the work so far. The task: correct the order files in "
                "data/orders by the rules of docs/guide.md, one line at a time, and "
                "record each change. January to September are done, three corrections "
                f"each; the sum of the nine files went from {old} to {new} cents. "
                "tools/towns.py was written for sums by town. Each month goes like "
                "this: check_orders.py, read the file, show the line, edit it, check "
                "again, add up with build/tally. Still to do: October, November, "
                "December, and CHANGES.md with this record:\n" + lines))
    s.says("All twelve months are corrected. The record of all changes goes into "
           "CHANGES.md.",
           write("CHANGES.md", "# Changes\n\nCorrected in the order files, by the rules "
                 "of the guide:\n\n" + "\n".join(record) + "\n"))
    s.says(None, shell("python3 tools/check_orders.py data/orders/*.csv",
                       "all twelve", see="12 files, 0 mistakes"),
           shell("python3 tools/load.py data/orders", "load them once more",
                 see="1560 orders"))
    s.says("Done: {} lines corrected in twelve files, and CHANGES.md names every one of "
           "them. The sum of the year is {} cents; the files as they came said "
           "{}.".format(len(record), sum(b for _, b in sums),
                        sum(a for a, _ in sums)))
