# SPDX-License-Identifier: MIT
"""Faults in a small program in four languages are found and fixed."""
from player import edit, grep, listing, lost, read, shell, write

HEAD = {
    "title": "Faults of tally, found and mended",
    "start": "2026-03-02T09:00:00Z", "folder": "/home/dev/tally",
    "system": "You work on the program in the current folder with the tools that "
              "you are given. Look before you change anything, keep changes "
              "small, run the tests after each, and say plainly what is still "
              "wrong. Answer in the language of the question.",
}


def play(s):
    s.user("make test fails since the weekend and the monthly report has wrong sums. "
           "Please find out why and mend it. Five of us depend on this, so no quick "
           "hacks.")
    s.says("I'll look at what is there before I run anything.", listing(),
           think="A fresh folder. First the files, then the notes, then the tests; "
                 "I should not trust the report until I know what the tests say.")
    s.says("The notes and the Makefile first.", read("NOTES.md"), read("Makefile"))
    s.says(None, shell("make test", "run all tests", see="4 passed, 4 failed"))
    s.says("Four of eight cases of the parser fail, and make stops there, so the tests "
           "of Python and of the shell script have not run yet. Here is the parser.",
           read("src/parse.c"), read("src/parse.h"))
    s.says(None, grep("end_field|parse_line", "src"),
           think="Two of the four are the empty last field. The other two are line "
                 "ends: a carriage return that stays, and a newline within quotes "
                 "that ends the line. Three causes, probably, in one function.")
    s.says(None, read("tests/test_parse.c"))
    s.says("Before I touch the parser I want to see the other two test programs by "
           "themselves.",
           shell("python3 tools/test_stats.py", "the tests of the statistics",
                 see="1 failed"),
           shell("make build/tally && sh tests/test_report.sh",
                 "the tests of the report script", see="2 failed"))
    s.says("So there are more faults than the first one shows: the median, and two in "
           "the report script. One after the other, the parser first.",
           shell("grep -c . data/weather.csv; tail -n 2 data/weather.csv",
                 "the last lines of the data", see="乌鲁木齐,11,"))
    s.says("`乌鲁木齐,11,` is a case of it: the last field is there, and empty.",
           shell("./build/tally 1 data/weather.csv", "what tally makes of it",
                 see="2 fields, first '乌鲁木齐'"))
    s.says(None, edit("src/parse.c", "\tif (len > 0)\n\t\tend_field(row, &len);",
                      "\tend_field(row, &len);"),
           think="The condition should go: a line always ends with a field, be it "
                 "empty or not.")
    s.says(None, shell("make test", "again", see="6 passed, 2 failed"))
    s.says("Two less. Now the line ends. I read the loop once more with the change in "
           "it.", read("src/parse.c", 22, 32))
    s.says(None, edit("src/parse.c",
                      "\tfor (; *line != '\\0' && *line != '\\n'; line++) {\n"
                      "\t\tif (quoted) {",
                      "\tfor (; *line != '\\0'; line++) {\n"
                      "\t\tif (!quoted && (*line == '\\n' ||\n"
                      "\t\t    (*line == '\\r' && line[1] == '\\n')))\n"
                      "\t\t\tbreak;\n"
                      "\t\tif (quoted) {"))
    s.says(None, shell("make test", "again", see="8 passed, 0 failed"))
    s.says("The parser passes all eight. make goes on to the statistics now and stops "
           "there.", read("tools/stats.py"))
    s.says(None, edit("tools/stats.py",
                      "    values = sorted(values)\n"
                      "    return values[len(values) // 2]\n",
                      "    values = sorted(values)\n"
                      "    half = len(values) // 2\n"
                      "    if len(values) % 2 == 1:\n"
                      "        return values[half]\n"
                      "    return (values[half - 1] + values[half]) / 2\n"),
           think="For an even count the median is the mean of the two in the middle. "
                 "docs/手册.md says the same in its last paragraph.")
    s.says(None, shell("python3 tools/test_stats.py", "the tests of the statistics",
                       see="6 passed, 0 failed"),
           shell("python3 tools/stats.py 1 data/weather.csv", "the real data",
                 see="median 20.00"))
    s.user("Good. While you are at it: does the report break on names with spaces? "
           "A colleague keeps her files in a folder called 'my orders'.")
    s.says("Yes, its test says so, and that a missing file goes unnoticed.",
           read("scripts/report.sh"), read("tests/test_report.sh"))
    s.says(None, edit("scripts/report.sh", "for f in $*; do", 'for f in "$@"; do'))
    s.says(None, edit("scripts/report.sh",
                      '\tsum=$(./build/tally "$column" $f | tail -n 1)\n',
                      '\tout=$(./build/tally "$column" "$f")\n'
                      '\tsum=$(printf \'%s\\n\' "$out" | tail -n 1)\n'),
           think="The status of a pipeline is that of tail. If the output goes into a "
                 "variable first, set -e sees the failure of tally.")
    s.says(None, shell("make test", "all of them", see="report: 2 passed, 0 failed"))
    s.says("All three test programs pass. Now the sums that you called wrong: the "
           "order files are made by a program, so I can make them here.",
           shell("make data", "make a year of orders", see="12 files"),
           listing("data"))
    s.says(None, shell("python3 tools/load.py data/orders", "load them all",
                       see="1560 orders"))
    s.says(None, shell("python3 tools/check_orders.py data/orders/*.csv",
                       "look for mistakes in them", see="36 mistakes"),
           think="The bar is full of carriage returns; what counts is its last line. "
                 "1560 orders in 12 files, that is 130 each.")
    s.says("Thirty-six mistakes in a year, three in each month: so the wrong sums are "
           "in the data and not in the programs. Let me see one from near by.",
           shell("awk -F, 'NR==1 || /-[0-9]+,/ && $4 < 0' data/orders/01.csv",
                 "quantities below one in January", see="A01"))
    s.says(None, grep("not|below|already", "tools/check_orders.py"),
           read("docs/guide.md"))
    s.says("The guide says how each kind is corrected. Before I change data I ask: "
           "shall I correct the twelve files, or only report what I found?")
    s.user("Only report. The files come from the till and get overwritten each night. "
           "But look at the web folder, please: negative amounts look strange on the "
           "page of refunds.")
    s.says(None, read("web/format.ts"), read("web/table.ts"))
    s.says("I see two faults in `amount` without running anything. `group` counts the "
           "minus sign as a digit, so -123456.00 becomes `-,123,456.00`; and "
           "-0.50 loses its sign, because `Math.trunc` makes a zero of it.",
           grep("amount\\(", "web"),
           think="I cannot run TypeScript here without installing something, and "
                 "nobody asked for that. The change has to be small enough to be "
                 "seen to be right.")
    s.says(None, edit("web/format.ts",
                      "  const whole = Math.trunc(cents / 100).toString();\n"
                      "  const rest = Math.abs(cents % 100).toString()"
                      ".padStart(2, \"0\");\n"
                      "  const text = group(whole, style.separator);\n",
                      "  const sign = cents < 0 ? \"-\" : \"\";\n"
                      "  const size = Math.abs(cents);\n"
                      "  const whole = Math.trunc(size / 100).toString();\n"
                      "  const rest = (size % 100).toString().padStart(2, \"0\");\n"
                      "  const text = sign + group(whole, style.separator);\n"))
    s.says(None, read("web/format.ts", 26, 12))
    s.says(None, write("web/format.test.ts",
                       'import { amount, group } from "./format";\n\n'
                       "function same(got: string, want: string): void {\n"
                       "  if (got !== want) {\n"
                       "    throw new Error(`want ${want}, got ${got}`);\n"
                       "  }\n"
                       "}\n\n"
                       'same(group("1234567", ","), "1,234,567");\n'
                       'same(amount(123456), "1,234.56");\n'
                       'same(amount(-12345600), "-123,456.00");\n'
                       'same(amount(-50), "-0.50");\n'
                       'same(amount(0), "0.00");\n'))
    s.says("Now the large check: every size of the parser's tables at every level of "
           "optimization. Its log is long.",
           shell("make matrix", "48 builds", see="matrix: 48 builds, all tests passed"))
    s.says("All 48 builds pass. One thing I want to be sure of: that a line which is "
           "longer than the table stays within it.", read("src/parse.c"),
           think="add_char stops at MAX_FIELD - 1 and end_field at MAX_FIELDS - 1, but "
                 "end_field writes row->field[row->n] before it looks. With n at most "
                 "MAX_FIELDS - 1 that is inside. Good, but then the last slot is "
                 "overwritten by every further field.")
    s.says(None, shell("python3 -c \"print(','.join(str(i) for i in range(40)))\" "
                       "> build/wide.csv; ./build/tally 39 build/wide.csv",
                       "a line of forty fields", see="15 fields"))
    s.says("That is a sixth thing, and a quiet one: a line of forty fields is counted as "
           "fifteen, and nobody is told. Who relies on the number?",
           grep("MAX_FIELDS", "."), grep("row\\.n|row->n", "."))
    s.user("Oh. Can it say so? An error is better than a wrong sum. We have a supplier "
           "whose lists have eighteen columns!")
    s.says(None, read("src/main.c"),
           think="parse_line returns -1 for an open quote. A second value, -2, for too "
                 "many fields would do, and main prints which it was. The header "
                 "has to say it.")
    s.says(None, read("src/parse.h"), read("src/parse.c"))
    s.says("First the tests, so that they fail.",
           edit("tests/test_parse.c",
                '\tcheck("x,y\\r\\n", 2, "y");\n',
                '\tcheck("x,y\\r\\n", 2, "y");\n'
                '\trefuse("a,\\"b", -1);\n'
                '\trefuse(",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", -2);\n'))
    s.says(None, edit("tests/test_parse.c", "int main(void)\n",
                      "static void refuse(const char *line, int want)\n"
                      "{\n"
                      "\tstruct row row;\n"
                      "\tint rc = parse_line(line, &row);\n\n"
                      "\tif (rc == want) {\n"
                      "\t\tpassed++;\n"
                      "\t\treturn;\n"
                      "\t}\n"
                      "\tfailed++;\n"
                      "\tprintf(\"FAIL: \\\"%s\\\": want %d, got %d\\n\", line, want, rc);\n"
                      "}\n\n"
                      "int main(void)\n"))
    s.says(None, shell("make test", "the new test must fail", see="want -2, got 0"))
    s.says("It fails as it should. Now the parser; I read it as it is now.",
           read("src/parse.c"))
    s.says(None, edit("src/parse.c",
                      "static void end_field(struct row *row, size_t *len)\n{\n",
                      "/* Ends the field; -1 if the row has no room for it. */\n"
                      "static int end_field(struct row *row, size_t *len)\n{\n"
                      "\tif (row->n == MAX_FIELDS)\n\t\treturn -1;\n"))
    s.says(None, edit("src/parse.c",
                      "\tif (row->n < MAX_FIELDS - 1)\n\t\trow->n++;\n}\n",
                      "\trow->n++;\n\treturn 0;\n}\n"))
    s.says(None, shell("make test 2>&1 | head -n 20", "what the compiler says",
                       see="passed"),
           think="Not finished: the callers ignore the value, and add_char now writes "
                 "to row->field[MAX_FIELDS] when the row is full. That must be "
                 "closed in the same step.")
    s.says("The callers do not look at it yet, and `add_char` must not write past the "
           "last field now. Both in one go.",
           edit("src/parse.c",
                "\tif (*len < MAX_FIELD - 1)\n",
                "\tif (row->n < MAX_FIELDS && *len < MAX_FIELD - 1)\n"),
           edit("src/parse.c",
                "\t\t\tend_field(row, &len);\n",
                "\t\t\tif (end_field(row, &len) == -1)\n\t\t\t\treturn -2;\n"))
    s.says(None, edit("src/parse.c",
                      "\tend_field(row, &len);\n\treturn quoted ? -1 : 0;\n",
                      "\tif (quoted)\n\t\treturn -1;\n"
                      "\treturn end_field(row, &len) == -1 ? -2 : 0;\n"))
    s.says(None, edit("src/parse.h",
                      "/* Splits line into row; returns 0, or -1 if a quote is not "
                      "closed. */",
                      "/*\n * Splits line into row; returns 0, -1 if a quote is not "
                      "closed, or -2 if the\n * line has more than MAX_FIELDS fields."
                      "\n */"))
    s.says(None, edit("src/main.c",
                      "\t\tif (parse_line(line, &row) != 0) {\n"
                      "\t\t\tfprintf(stderr, \"%s: line %ld: open quote\\n\", "
                      "argv[2], n + 1);\n",
                      "\t\tint rc = parse_line(line, &row);\n"
                      "\t\tif (rc != 0) {\n"
                      "\t\t\tfprintf(stderr, \"%s: line %ld: %s\\n\", argv[2], n + 1,\n"
                      "\t\t\t    rc == -1 ? \"open quote\" : \"too many fields\");\n"))
    s.says(None, shell("make test", "all of them", see="10 passed, 0 failed"))
    s.says(None, shell("./build/tally 39 build/wide.csv", "the wide line",
                       see="line 1: too many fields"))
    s.says("It says so now, with exit code 1. Eighteen columns are still more than "
           "sixteen, so your supplier's lists would be refused; I raise the limit to "
           "32.", edit("src/parse.h", "#define MAX_FIELDS 16", "#define MAX_FIELDS 32"))
    s.says(None, shell("make test && make matrix 2>&1 | tail -n 1",
                       "tests and the 48 builds", see="48 builds, all tests passed"))
    s.says("I let the tests of the parser run in a loop, to see whether anything "
           "depends on what was in memory before.",
           shell("for i in $(seq 1 500); do ./build/test_parse && echo \"round $i of "
                 "500\"; sleep 0.2; done", "five hundred rounds",
                 until="round 4 of 500"))
    s.user("Stop, that takes far too long. Look for undefined behaviour with the "
           "compiler instead.")
    s.says("You are right, that is the better question to ask.",
           shell("cc -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "
                 "-o build/test_san tests/test_parse.c src/parse.c && "
                 "ASAN_OPTIONS=detect_leaks=0 ./build/test_san",
                 "the tests with sanitizers", see="10 passed, 0 failed",
                 needs="sanitizers"))
    s.says(None, read("src/parse.c"),
           think="Clean. I read the whole parser once more, as a reviewer would.")
    s.says("One loop, one exit for each error, and nothing is written past the table. "
           "What is left is to see where else the limit was known.",
           grep("16|fifteen|sixteen", "docs"), grep("MAX_FIELD", "tests"),
           listing("config"))
    s.says(None, shell("cat config/service.env", "does the nightly job set a limit?",
                       see="TALLY_RETRIES=3"))
    s.says("No limit there, but a key lies in that file in the open and in the "
           "repository. I have not used it and shall not repeat it; it should be "
           "replaced and kept elsewhere. Shall I go on with the change log?")
    s.user("Yes. The key is from our test account, I'll have it replaced anyway.")
    s.says(None, shell("git status --short", "what has changed", see="src/parse.c"))
    s.says(None, lost(shell("make clean && make test && make matrix",
                            "all of it from nothing")),
           think="Before I write that all is well, everything once from nothing.")
    s.user("The terminal crashed while you were running something. Please go on where "
           "you were.")
    s.says("I was about to build everything from nothing. I look first at what the "
           "crash has left.", shell("git status --short; ls", "what is there now"))
    s.says(None, shell("make clean && make test", "from nothing",
                       see="report: 2 passed, 0 failed"))
    s.says(None, read("src/parse.c"),
           shell("git diff --stat", "how much has changed", see="files changed"))
    s.says("Nothing is lost. The whole change, to read it through:",
           shell("git diff", "the whole change", see="+\t\treturn -1;"))
    s.says(None, write("CHANGES.md",
                       "# Changes\n\n"
                       "- The last field of a line counts when it is empty "
                       "(行末的空字段也算一个字段).\n"
                       "- A carriage return at the end of a line belongs to no field; "
                       "within quotes it is kept.\n"
                       "- A line of more than 32 fields is an error. Before, all fields "
                       "after the fifteenth were lost without a word.\n"
                       "- The median of an even count is the mean of the two in the "
                       "middle.\n"
                       "- report.sh takes names with spaces, and stops at a missing "
                       "file.\n"
                       "- Negative amounts on the pages keep their sign and their "
                       "groups.\n"))
    s.says(None, shell("git add -A && git commit -q -m 'tally: nothing is lost without a "
                       "word' && git log --oneline", "commit it",
                       see="nothing is lost"))
    s.says("Done, in one commit. Six faults are mended: the empty last field, line ends "
           "of Windows, too many fields, the median, names with spaces, and missing "
           "files in the report; negative amounts on the pages are mended too, but "
           "`web/format.test.ts` could not be run here. All 18 tests and the 48 builds "
           "pass. Not mended: `tally` reads line by line, so a quoted field with a "
           "newline in it still ends at the newline when it comes from a file. And the "
           "36 mistakes in the order files remain, as you wished.")
    s.user("Then the sums of the report were right all the time?")
    s.says(None, shell("./build/tally 5 data/orders/03.csv | tail -n 1; "
                       "make data >/dev/null; ./build/tally 5 data/orders/03.csv | "
                       "tail -n 1; python3 tools/check_orders.py data/orders/03.csv",
                       "the sum of March", see="3 mistakes"),
           think="The orders were removed by make clean, so they have to be made again "
                 "first; the first command will fail, which is fine to show.")
    s.says("The sum that `tally` gives for March is the sum of what the file says. The "
           "file itself is wrong in three lines, so the report was wrong and the "
           "program was not.")
