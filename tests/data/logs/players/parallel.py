# SPDX-License-Identifier: MIT
"""Parallel calls from a server whose call numbers start again in each turn, so that
the same few ids are reused for other calls."""
from player import edit, grep, listing, read, shell

HEAD = {
    "title": "Parallel calls whose ids are used again",
    "start": "2026-03-05T13:10:00Z", "folder": "/home/dev/tally",
    "system": "Use as many tools at once as the question allows.",
}


def turn(s, text, *calls, think=None):
    for i, call in enumerate(calls):
        call.id = f"call_{i}"
    return s.says(text, *calls, think=think)


def play(s):
    s.user("Give me an overview: what is in this project, and in which languages?")
    turn(s, None, listing(), read("NOTES.md"), read("docs/手册.md"))
    turn(s, "Three languages by the names of the files; I count lines, too.",
         shell("grep -c '' src/main.c", "lines of main.c"),
         shell("grep -c '' tools/stats.py", "lines of stats.py"),
         shell("grep -c '' web/table.ts", "lines of table.ts"),
         shell("grep -c '' scripts/report.sh", "lines of report.sh"))
    s.says("Four languages: C for the program itself, Python for statistics and checks, "
           "TypeScript for the pages, and shell for the report. The manual is there in "
           "English and in Chinese.")
    s.user("Where is a number turned into text or text into a number? In all of them.")
    turn(s, None, grep("strtol|strtoul|printf", "src"), grep("float|int\\(|:\\.2f", "tools"),
         grep("toString|Number|String\\(", "web"))
    s.says("In C by `strtol` and `printf`, in Python by `float`, `int` and formats, in "
           "TypeScript by `Number`, `String` and `toString`. Only the C program takes "
           "what is not a number for zero; Python leaves it out.")
    s.user("Are these two the same for our weather data? Try both.")
    turn(s, "One call each, at the same time.",
         shell("make -s build/tally && ./build/tally 1 data/weather.csv | tail -n 1",
               "the sum by tally", see="sum 112"),
         shell("python3 tools/stats.py 1 data/weather.csv", "the mean by stats.py",
               see="n 6"))
    s.says("Yes: the sum is 112 by `tally`, and six numbers with a mean of 18.67 are 112 "
           "as well. The heading counts as zero in one and is left out in the other.")
    s.user("Rename the variable `n` in main.c to `rows`, and `f` to `file`.")
    turn(s, None, read("src/main.c"), grep("\\bn\\b", "src/main.c"),
         grep("\\bf\\b", "src/main.c"))
    turn(s, "One edit for each place, all at once; they do not touch each other.",
         edit("src/main.c", "\tlong sum = 0, n = 0;", "\tlong sum = 0, rows = 0;"),
         edit("src/main.c", "\t\t\tfprintf(stderr, \"%s: line %ld: open quote\\n\", "
              "argv[2], n + 1);",
              "\t\t\tfprintf(stderr, \"%s: line %ld: open quote\\n\", argv[2], "
              "rows + 1);"),
         edit("src/main.c", "\t\tn++;", "\t\trows++;"),
         edit("src/main.c", "first '%s'\\n\", n, row.n", "first '%s'\\n\", rows, row.n"),
         edit("src/main.c", "sum %ld\\n\", n, sum", "sum %ld\\n\", rows, sum"),
         think="`row.n` is a member and must stay. Five places for n.")
    turn(s, "Now the file handle, and a build beside it to see whether the first part "
         "holds.", edit("src/main.c", "\tFILE *f = fopen(argv[2], \"r\");\n\tif (f == NULL)",
                        "\tFILE *file = fopen(argv[2], \"r\");\n\tif (file == NULL)"),
         edit("src/main.c", "fgets(line, sizeof line, f)", "fgets(line, sizeof line, file)"),
         edit("src/main.c", "\t\t\tfclose(f);", "\t\t\tfclose(file);"),
         edit("src/main.c", "\t}\n\tfclose(f);", "\t}\n\tfclose(file);"),
         shell("make -s build/tally && echo built", "does it build", see="built"))
    turn(s, None, shell("./build/tally 1 data/weather.csv", "the same output",
                        see="sum 112"),
         grep("\\b(f|n)\\b", "src/main.c", see="row.n"))
    s.says("Both are renamed, in nine places, and `tally` prints what it printed before. "
           "`row.n` is a member of a struct and keeps its name.")
    s.user("Thanks. Does the word 'column' occur in a file that is not code?")
    turn(s, None, grep("column", "docs"), grep("column", "NOTES.md"),
         grep("column", "data"))
    s.says("Yes, in docs/guide.md and in NOTES.md; not in the data.")
