# SPDX-License-Identifier: MIT
"""Questions about data, answered with images and long reasoning."""
import base64
import os

from player import PROJECT, grep, read, shell, write

HEAD = {
    "title": "What the weather and the orders have in common",
    "start": "2026-03-11T15:45:00Z", "folder": "/home/dev/tally",
    "system": "You answer questions about data. Say what you looked at, what you did "
              "not, and what else could explain it. A picture is no proof.",
}


def picture(name):
    with open(os.path.join(PROJECT, name), "rb") as f:
        return {"type": "image/png", "data": base64.b64encode(f.read()).decode()}


def play(s):
    s.user("Somebody put this chart into our slides. Which of our files does it show, and "
           "is it drawn honestly?", [picture("pictures/weather.png")])
    s.says("Six bars and one axis. I look for files with six values.",
           shell("grep -c . data/weather.csv", "lines with the heading", see="7"),
           read("data/weather.csv"),
           think="The chart has six bars: the second half falls, then there is a low one "
                 "and a slightly higher one at the end. The weather file has six "
                 "towns: 21, 24, 29, 19, 8, 11. The shape fits: the third is the "
                 "highest, the fifth the lowest. The colours repeat every three bars, "
                 "so they cannot mean anything. To be sure I should draw the same "
                 "numbers and compare, and I should check whether the axis starts at "
                 "zero, because that is how most charts mislead.")
    s.says("It fits the temperatures. I draw them myself to compare.",
           shell("mkdir -p build && python3 tools/draw.py 1 data/weather.csv "
                 "build/mine.png", "a chart of the same numbers",
                 see="6 bars, the highest 29"))
    s.says(None, read("build/mine.png"), read("pictures/weather.png"))
    s.says("It is data/weather.csv, the column of temperatures. The bars have the right "
           "order and the right lengths, and the axis starts at zero. Two things are "
           "not honest, though both may be accidents: the colours suggest three groups "
           "that do not exist, and no bar is labelled.",
           think="Lengths: in the slide a degree is two pixels. 29 is the highest, 58 "
                 "pixels. In mine it is the full height. The ratio of lowest to "
                 "highest is 8/29 = 0.276 in both. Good.")
    s.user("Do people order more umbrellas in rainy months? You may use the order files, "
           "but I doubt that a year is enough.")
    s.says("I count umbrellas by month first.", shell("make -s data", "the order files",
                                                      see="12 files"),
           think="There are no rain data by month at all: weather.csv is one day in six "
                 "towns. So the question cannot be answered with what is here. What I "
                 "can do is show how umbrellas vary by month, and how much of that is "
                 "chance. With 130 orders a month and ten items, an item has about 13 "
                 "orders a month, with a spread of about 3.6 by chance alone.")
    s.says(None, shell("for f in data/orders/*.csv; do echo \"$f $(grep -c umbrella $f)\"; "
                       "done", "umbrellas by month", see="12.csv"),
           grep("umbrella|rain", "docs"))
    counts = s.says("As numbers for a chart:",
                    shell("echo month,umbrellas > build/u.csv; for f in data/orders/*.csv; "
                          "do echo \"$(basename $f .csv),$(grep -c umbrella $f)\"; done "
                          ">> build/u.csv; cat build/u.csv", "a table", see="12,"))[0]
    values = [int(line.split(",")[1]) for line in counts.split("\n")[1:] if line]
    s.says(None, shell("python3 tools/draw.py 1 build/u.csv build/u.png", "a chart",
                       see="12 bars"), read("build/u.png"))
    s.says(f"Between {min(values)} and {max(values)} orders a month have an umbrella, "
           f"{sum(values)} in the year. By chance alone one would expect about "
           f"{sum(values) / 12:.0f} a month, give or take three or four, so the year "
           "shows nothing that needs an explanation. And the question itself cannot be "
           "answered here: there are no records of rain by month. You were right to "
           "doubt.",
           think="I must not talk about seasons: even if there were a pattern, twelve "
                 "numbers and no rain data would not support it.")
    s.user("What would we need, then? Keep it short, and put it into a file.")
    s.says(None, write("build/needed.md",
                       "# What the question needs\n\n"
                       "1. Rain by month and town, for the towns that we deliver to.\n"
                       "2. At least three years of orders, because one year has each "
                       "month once.\n"
                       "3. Orders corrected first: three lines a month are wrong.\n"
                       "4. A decision before looking: which difference would count?\n"),
           think="Four points, the last being the one that people forget.")
    s.says("Four things, in build/needed.md: rain by month and town, at least three "
           "years, corrected orders, and a decision in advance which difference would "
           "count.")
    s.user("This is the other chart from the slides. Same question.",
           [picture("pictures/umbrellas.png")])
    s.says("Twelve bars, like the one that I drew for umbrellas; I compare the bytes.",
           shell("cmp build/u.png pictures/umbrellas.png && echo the same",
                 "are the pictures the same"),
           think="If somebody used tools/draw.py with the same numbers, the files are "
                 "the same byte for byte, because it does not compress.")
    s.says("See the result above: that settles where it comes from. Honest it is only "
           "as far as it goes: twelve bars of chance.")
