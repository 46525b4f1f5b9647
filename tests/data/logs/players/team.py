# SPDX-License-Identifier: MIT
"""A session that gives work to three subagents, two of them in parallel."""
from player import Call, edit, grep, listing, read, shell, write

HEAD = {
    "title": "A review by three subagents",
    "start": "2026-03-09T10:00:00Z", "folder": "/home/dev/tally",
    "system": "You lead a review. Give each part to a subagent, and put together what "
              "they report.",
}


def parser(s):
    s.says("I start with the two files of the parser.", read("src/parse.c"),
           read("src/parse.h"))
    s.says(None, grep("parse_line|sum_column", "."),
           think="Two callers. main.c reads with fgets into 2048 bytes.")
    s.says(None, read("src/main.c"))
    s.says("A line of more than 2047 bytes is split by `fgets` and then counted as two; "
           "I try it.",
           shell("make -s build/tally && python3 -c \"print('x,' * 1500)\" > build/l.csv "
                 "&& ./build/tally 1 build/l.csv | tail -n 1", "a long line",
                 see="2 rows"))
    return ("Parser: (1) an empty last field is lost, parse.c, `if (len > 0)`; (2) a "
            "line of more than 2047 bytes counts as two rows, main.c, `fgets`; (3) more "
            "than 15 fields are dropped without a word, parse.c, `end_field`. I proved "
            "(2) by running it; (1) and (3) by reading.")


def scripts(s):
    s.says(None, listing("scripts"), read("scripts/report.sh"), read("tests/test_report.sh"))
    s.says("`$*` and an unquoted `$f` break names with spaces; the tests will say so.",
           shell("make -s build/tally && sh tests/test_report.sh", "the tests",
                 see="2 failed"))
    s.says(None, shell("grep -n 'set -' scripts/*.sh; test -x scripts/other.sh",
                       "is there another script", see="(exit 1)"),
           think="There is only this one, and set -eu does not see into a pipeline.")
    return ("Scripts: report.sh breaks names with spaces and hides a missing file, "
            "because the status of a pipeline is that of its last command. Both have "
            "failing tests already.")


def pages(s):
    s.says("Both files of the pages, and what uses them.", read("web/format.ts"),
           read("web/table.ts"), grep("import", "web"))
    s.says(None, grep("escape|innerHTML", "web"),
           think="Cells are escaped. The tag is a constant. Good.")
    return ("Pages: cells are escaped, so texts cannot break the table. `amount` puts a "
            "separator after the minus sign of amounts such as -123456.00, and loses "
            "the sign below one unit. There is no test file in web/.")


def start(s, agent, title, prompt, work):
    """A call whose result is what a subagent reports at its end."""
    def run(call):
        outer = s.where
        s.where = dict(outer, agent=agent)
        s.user(prompt)
        report = work(s)
        s.says(report)
        s.where = outer
        return {"text": report, "agent_id": agent}
    return Call("subagent", {"title": title, "prompt": prompt}, run=run)


def play(s):
    s.user("Review this project for me: parser, scripts and pages. I don't need fixes, "
           "I need to know what is wrong and how sure you are.")
    s.says("I look at the whole before I divide the work.", listing(), read("Makefile"),
           think="Three parts that do not depend on each other. The parser is the most "
                 "important, so it gets a subagent of its own first.")
    s.says("The parser first.",
           start(s, "a1c4e7b2", "Review the parser",
                 "Review src/ of this project: a parser for comma-separated values. "
                 "Report faults with file and place, and say for each whether you ran "
                 "it or only read it. Change nothing.", parser))
    s.says("Now the scripts and the pages, at the same time.",
           start(s, "b2d5f803", "Review the scripts",
                 "Review scripts/ and tests/test_report.sh. What breaks, and do the "
                 "tests see it? Change nothing.", scripts),
           start(s, "c3e6a914", "Review the pages",
                 "Review web/: are texts escaped, are amounts right? TypeScript cannot "
                 "be run here. Change nothing.", pages))
    s.says("I check the most surprising report myself before I pass it on: the long "
           "line.", shell("python3 -c \"print('x,' * 1000)\" > build/m.csv; "
                          "./build/tally 1 build/m.csv | tail -n 1",
                          "a line just below the limit", see="1 rows"))
    s.says("Below the limit it is one row, above it two: confirmed. I write the review "
           "down.",
           write("REVIEW.md", "# Review\n\n| part | fault | how sure |\n|---|---|---|\n"
                 "| parser | the empty last field is lost | test fails |\n"
                 "| parser | a line over 2047 bytes counts as two | ran it, twice |\n"
                 "| parser | fields after the fifteenth are dropped | read it |\n"
                 "| scripts | names with spaces | test fails |\n"
                 "| scripts | a missing file is no error | test fails |\n"
                 "| pages | separator after the minus sign | read it |\n"
                 "| pages | the sign of small amounts is lost | read it |\n"))
    s.says("Seven faults, three of them with failing tests, one that I ran myself, three "
           "by reading only. They are in REVIEW.md, the surest first in each part.")
    s.user("Can you make the two that were only read in the pages surer?")
    s.says("Without TypeScript only by following the code by hand; I read the function "
           "once more.", read("web/format.ts", 15, 20))
    s.says("For -12345600: `Math.trunc` gives -123456, its text has seven characters, and "
           "at position 1 six are left, a multiple of three, so the separator goes "
           "right after the sign: `-,123,456.00`. For -50: `Math.trunc(-0.5)` is a zero "
           "whose text has no sign, so it becomes `0.50`. I am as sure as one can be "
           "without running it.")
