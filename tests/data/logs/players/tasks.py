# SPDX-License-Identifier: MIT
"""Many short tasks in one log, each a separate conversation."""
from player import edit, grep, listing, read, shell, write

HEAD = {
    "title": "Twenty-four short tasks",
    "start": "2026-03-16T06:00:00Z", "folder": "/home/dev/tally",
    "system": "You have one small task in the folder of a program called tally. Use a "
              "tool, look at what it says, and answer in a few sentences when you are "
              "sure. Do not change what you were not asked to change.",
}

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
          "September", "October", "November", "December"]


def count(s, m, item):
    name = f"data/orders/{m:02d}.csv"
    s.user(s.seed.one([
        f"How many orders of {item} are there in {MONTHS[m - 1]}?",
        f"Count the orders in {MONTHS[m - 1]} that are for a {item}, please.",
        f"{item} in {MONTHS[m - 1]}: how many orders?"]))
    s.says("The order files are made by a program; I make them first.",
           shell("make -s data", "make the order files", see="12 files"))
    n = int(s.says(None, shell(f"grep -c ',{item},' {name}", f"count {item}"))[0])
    s.says("Let me see a few of them, so that I count the right thing.",
           shell(f"grep -n ',{item},' {name} | head -n 4", "the first four"))
    s.says(s.seed.one([f"{n} orders in {MONTHS[m - 1]} are for {item}.",
                       f"There are {n}. I counted lines, not pieces; an order can have "
                       "several.", f"{n} of 130."]))


def explain(s, name, path, answer, seen):
    s.user(f"What does `{name}` in {path} do? Two sentences.")
    s.says(s.seed.one([None, "I look for it.", f"First, where `{name}` is used."]),
           grep(f"\\b{name}\\b"))
    s.says(None, read(path, see=seen), think=f"Only `{name}`, not the whole file.")
    s.says(answer)


def average(s, m, column, what):
    name = f"data/orders/{m:02d}.csv"
    s.user(f"Mean and median of the {what} in {MONTHS[m - 1]}?")
    s.says(None, shell("make -s data", "make the order files"), read("tools/stats.py"))
    got = s.says("The program gives both.", shell(
        f"python3 tools/stats.py {column} {name}", f"statistics of the {what}",
        see="n 130"))[0]
    mean, median = got.split("mean ")[1].split(",")[0], \
        got.split("median ")[1].split(",")[0]
    s.says(f"The mean is {mean}. The program says {median} for the median, but for an "
           "even count it takes the upper of the two in the middle, so that may be a "
           "little too high.",
           think="130 is even. The code takes values[65]; right would be the mean of "
                 "values[64] and values[65].")


def missing(s, path, near):
    s.user(f"Please read {path} and tell me whether it is up to date.")
    s.says(None, read(path, see="no such file"))
    s.says("That file is not there. I look for one with a similar name.", listing("."))
    s.says(f"There is no {path}. The nearest is {near}; shall I look at that one? I have "
           "changed nothing.")
    s.user("Yes, that is the one I meant.")
    s.says(None, read(near))
    s.says(f"I have read {near}. It describes what is in the folder now, as far as the "
           "names of files go; whether every number in it is right I have not tried.")


def case(s, values, want):
    s.user(f"Add a test to tools/test_stats.py: the median of {values} is {want}. Run it.")
    s.says(None, read("tools/test_stats.py"))
    text = " ".join(map(str, values))
    s.says(None, edit("tools/test_stats.py", 'check("spread of 21',
                      f'check("median of {text}", stats.median({values}), {want})\n'
                      'check("spread of 21'))
    got = s.says("Now I run it.", shell("python3 tools/test_stats.py", "run the tests",
                                        see="failed"))[0]
    own = f"FAIL: median of {text}" in got
    s.says(("The new test fails: the function takes the upper of the two in the middle. "
            "The test is right and the program is wrong; you did not ask me to mend it.")
           if own else
           "The new test passes. Another one fails, the median of 4 1 3 2, but it did so "
           "before.")


def towns(s, m, town):
    name = f"data/orders/{m:02d}.csv"
    s.user(f"{m}月份寄到{town}的订单有几张？请列出订单号。")
    s.says("先生成订单文件，再筛选。", shell("make -s data", "生成订单文件"))
    got = s.says(None, shell(f"grep ',{town},' {name} | cut -d, -f1", "列出订单号"))[0]
    n = got.count("A")
    s.says(f"{m}月份寄到{town}的订单一共{n}张，订单号就是上面列出的这些。"
           "需要我再把金额加起来吗？")
    s.user("不用了，谢谢。")
    s.says("好的，如果之后需要金额，请注意以分为单位。")


def chart(s, m):
    name = f"data/orders/{m:02d}.csv"
    s.user(f"Draw the totals of {MONTHS[m - 1]} as a bar chart, into build/.")
    s.says(None, shell("make -s data && mkdir -p build", "prepare"), read("tools/draw.py"))
    s.says("The program draws at most 64 bars; the month has 130 orders.",
           shell(f"python3 tools/draw.py 5 {name} build/chart.png", "draw it",
                 see="64 bars"))
    s.says("build/chart.png has the first 64 orders of the month, not all. For all of "
           "them the picture would have to be wider than its 64 columns.")


def word(s, path, old, new):
    s.user(f"In {path}, please write '{new}' instead of '{old}' where it is meant.")
    s.says(None, grep(old, path))
    s.says(None, edit(path, old, new))
    s.says(None, grep(new, path, see=new))
    s.says("Done, in one place; the rest of the file is as it was.")


def twice(s, a, b):
    s.user(f"Do {a} and {b} have a line in common, not counting empty ones?")
    s.says("Both at once.", read(a), read(b))
    got = s.says(None, shell(f"sort -u {a} > a.tmp; sort -u {b} > b.tmp; "
                             "comm -12 a.tmp b.tmp | grep -v '^[[:space:]]*$'; "
                             "rm a.tmp b.tmp", "lines in both"))[0]
    n = 0 if got.startswith("(no") else got.count("\n")
    s.says(f"{n} lines stand in both; you can see them above." if n else
           "No, not one.")


def note(s, path, title, text):
    s.user(f"Write a note '{title}' into {path}: {text}")
    s.says(None, write(path, f"# {title}\n\n{text}\n"))
    s.says(None, read(path, see=title))
    s.says(f"{path} is written.")


def play(s):
    tasks = [
        ("count-lamp", count, (1, "lamp")),
        ("explain-group", explain, (
            "group", "web/format.ts", "It puts a separator between groups of three digits, "
            "counted from the end. It takes digits only: a minus sign would be counted "
            "as one.", "digits.length")),
        ("mean-price", average, (2, 4, "prices")),
        ("missing-readme", missing, ("README.md", "NOTES.md")),
        ("case-odd", case, ([9, 1, 5], 5)),
        ("towns-chengdu", towns, (4, "成都")),
        ("chart-may", chart, (5,)),
        ("word-catalogue", word, ("docs/guide.md", "catalogue", "price list")),
        ("twice-docs", twice, ("docs/guide.md", "NOTES.md")),
        ("count-kettle", count, (6, "kettle")),
        ("explain-add", explain, (
            "add_char", "src/parse.c", "It appends a character to the field that is being "
            "read. If the field is full the character is dropped without a word.",
            "MAX_FIELD - 1")),
        ("mean-quantity", average, (7, 3, "quantities")),
        ("missing-handbook", missing, ("docs/handbook.md", "docs/guide.md")),
        ("case-even", case, ([2, 8, 4, 6], 5.0)),
        ("towns-urumqi", towns, (8, "乌鲁木齐")),
        ("chart-november", chart, (11,)),
        ("word-heading", word, ("NOTES.md", "## Format", "## The format")),
        ("twice-web", twice, ("web/format.ts", "web/table.ts")),
        ("count-basket", count, (9, "basket")),
        ("explain-escape", explain, (
            "escape", "web/table.ts", "It replaces the three characters that mean something "
            "in HTML, so that a text can stand in a cell. Quotes are left, so it "
            "must not be used within attributes.", "&amp;")),
        ("mean-total", average, (10, 5, "totals")),
        ("note-backup", note, (
            "docs/backup.md", "Backup", "The order files are copied each night at two, "
            "after the till has written them. Keep seven copies.")),
        ("towns-beijing", towns, (12, "北京")),
        ("note-shift", note, (
            "docs/交班.md", "交班事项", "每天晚上十点对账，三月起由晚班负责。对账之后不再修改当天的订单。")),
    ]
    for name, task, args in tasks:
        s.thread(name)
        task(s, *args)
