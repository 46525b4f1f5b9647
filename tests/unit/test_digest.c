/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "check.h"
#include "digest/digest.h"
#include "digest/ignore.h"
#include "digest/inflate.h"
#include "digest/digest_line.h"
#include "digest/reduce.h"
#include "digest/title.h"

static struct ctx_digest digest;

static void
check_line(const char *name, const char *data, size_t len,
    const struct ctx_digest_opts *opts, enum ctx_wording lang,
    size_t width, const char *want)
{
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_digest_make(&digest, name, data, len, opts, &err), 0);
	CHECK_INT(ctx_digest_line(&digest, lang, width, &out), 0);
	CHECK_STR(ctx_buf_str(&out), want);
	ctx_buf_done(&out);
}

#define LINE(name, data, want) \
	check_line(name, data, sizeof(data) - 1, NULL, CTX_EN, 240, want)

/* The lines in document 003, from files like those. */
static void
test_document_lines(void)
{
	struct ctx_buf b = { 0 };
	int i;

	ctx_buf_adds(&b, "def load_data(p):\n\tpass\n\n"
	    "def clean_data(r):\n\tpass\n");
	for (i = 5; i < 150; i++)
		ctx_buf_adds(&b, "#\n");
	check_line("sales_analysis.py", b.data, b.len, NULL, CTX_ZH, 240,
	    "[文件已读取] sales_analysis.py (python, 150行, "
	    "函数: load_data, clean_data)");
	check_line("sales_analysis.py", b.data, b.len, NULL, CTX_EN, 240,
	    "[file read] sales_analysis.py (python, 150 lines, "
	    "functions: load_data, clean_data)");
	ctx_buf_reset(&b);
	ctx_buf_adds(&b, "date,product,amount,region\n");
	for (i = 0; i < 5000; i++)
		ctx_buf_adds(&b, "2026-01-01,a,1,n\n");
	check_line("data.csv", b.data, b.len, NULL, CTX_ZH, 240,
	    "[文件已读取] data.csv (CSV, 5000行, "
	    "列: date, product, amount, region)");
	ctx_buf_reset(&b);
	ctx_buf_adds(&b, "{\"settings\":{\"x\":1},\"data\":[1,{\"y\":2}],"
	    "\"options\":\"");
	while (b.len < 2560 - 2)
		ctx_buf_addc(&b, '.');
	ctx_buf_adds(&b, "\"}");
	check_line("config.json", b.data, b.len, NULL, CTX_ZH, 240,
	    "[文件已读取] config.json (JSON, 2.5KB, "
	    "键: settings, data, options)");
	ctx_buf_done(&b);
}

static void
test_kinds(void)
{
	/* by name, by #!, by contents, and by contents in spite of the name */
	LINE("a/b.rs", "fn x() {}", "[file read] a/b.rs (rust, 1 line, "
	    "functions: x)");
	LINE("x", "#!/usr/bin/python3.11 -u\ndef f(): pass\n",
	    "[file read] x (python, 2 lines, functions: f)");
	LINE("x", "#!/usr/bin/env -S A=1 bash\nf() { :; }\n",
	    "[file read] x (shell, 2 lines, functions: f)");
	LINE("x", "#!/usr/bin/Rscript\nf <- function(a) a\n",
	    "[file read] x (r, 2 lines, functions: f)");
	LINE("x", "#!/opt/unknown\nf\n", "[file read] x (text, 2 lines, 17B)");
	LINE("x", "[1, 2]", "[file read] x (JSON, 6B, 2 elements)");
	LINE("x", "{\"a\":1}\n{\"b\":1}\n",
	    "[file read] x (JSONL, 2 records, 16B, keys: a, b)");
	LINE("x", "<?xml version='1.0'?><a><b/></a>",
	    "[file read] x (XML, 32B, elements: a, b)");
	LINE("x", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
	    "[file read] x (diff, 1 file, +1, −1, files: f)");
	LINE("x", "a,b\n1,2\n3,4\n",
	    "[file read] x (CSV, 2 rows, columns: a, b)");
	LINE("x.csv", "\"a \"\"b\"\"\",c \"d\",\"\"\"\"\n1,2,3\n",
	    "[file read] x.csv (CSV, 1 row, columns: a \"b\", c \"d\", \")");
	LINE("x.csv", "country,2020,2021,2022\nA,1,2,3\n",
	    "[file read] x.csv (CSV, 1 row, columns: country, 2020, 2021, "
	    "2022)");
	LINE("x.csv", "Smith,1985,2001\nA,1950,1951\n",
	    "[file read] x.csv (CSV, 2 rows, 3 columns)");
	LINE("x.csv", "a,2020\nb,2021\n",
	    "[file read] x.csv (CSV, 2 rows, 2 columns)");
	LINE("x.csv", "2020,2021,a\n2,3,b\n",
	    "[file read] x.csv (CSV, 2 rows, 3 columns)");
	LINE("x.bmp", "BM\0\0\0\0\0\0\0\0\0\0\0\0\14\0\0\0\200\2\340\1"
	    "\1\0\10\0", "[file read] x.bmp (BMP, 640×480, 26B)");
	LINE("x", "ID3 tags\n", "[file read] x (text, 1 line, 9B)");
	LINE("x", "ID3\3\0\0", "[file read] x (MP3, 6B)");
	LINE("x.toml", "[a]\nb = \"\"\"\n[no]\n\"\"\"\nd = '''\n[no]'''\n[[e.f]]\n"
	    "g = \"\"\"\n[h]\n",
	    "[file read] x.toml (TOML, 57B, sections: a, e.f, h)");
	LINE("x", "Hello, world\nand so on\nno table\n",
	    "[file read] x (text, 3 lines, 32B)");
	LINE("x.py", "\x89PNG\r\n\x1a\n", "[file read] x.py (PNG, 8B)");
	LINE("x.py", "a\0b", "[file read] x.py (binary, 3B)");
	LINE("x.h", "#pragma once\nclass A {\n public:\n  int f();\n};\n",
	    "[file read] x.h (c++, 5 lines, functions: f, classes: A)");
	LINE("x.m", "% comment\nfunction y = g(x)\n",
	    "[file read] x.m (matlab, 2 lines, functions: g)");
	LINE("x.go", "type A int\ntype (\n\t// B is one\n\tB struct {\n"
	    "\t\tf int\n\t}\n\n\tC[T any] = []T\n\tD interface{ M() }\n)\n"
	    "var (\n\te int\n)\ntype F struct {\n\tg int\n}\n",
	    "[file read] x.go (go, 16 lines, types: A, F, B, C, D)");
	LINE("x.inc", "<p><?php function f() { } ?>\n",
	    "[file read] x.inc (php, 1 line, functions: f)");
	LINE("x.inc", "#define A\nint f(void) { return 1; }\n",
	    "[file read] x.inc (c++, 2 lines, functions: f)");
	LINE("x.inc", "{$mode objfpc}\nprocedure f;\nbegin\nend;\n",
	    "[file read] x.inc (pascal, 4 lines, functions: f)");
	LINE("x.inc", "a b c\n", "[file read] x.inc (text, 1 line, 6B)");
	LINE("x.conf", "[a]\nb=1\n", "[file read] x.conf (INI, 8B, "
	    "sections: a)");
	LINE("x.conf", "user www;\nhttp {\n  a b;\n}\n",
	    "[file read] x.conf (text, 4 lines, 26B)");
	LINE("x.s", "TEXT runtime\xc2\xb7" "f(SB),4,$0\nloop:\n"
	    "TEXT \xc2\xb7" "G(SB),$0\nTEXT h<>(SB),$0\n",
	    "[file read] x.s (assembly, 4 lines, functions: f, G, h)");
	LINE("x.s", "main:\n\tret\n",
	    "[file read] x.s (assembly, 2 lines, functions: main)");
	LINE("x.fish", "function a -d 'b'\n  echo # function c\nend\n",
	    "[file read] x.fish (fish, 3 lines, functions: a)");
	LINE("x.1", ".\\\" made\n.TH X 1\n.SH NAME\nx\n.SH \"SEE ALSO\"\n",
	    "[file read] x.1 (man page, 5 lines, headings: NAME, SEE ALSO)");
	LINE("x.1", ".Dd Today\n.Sh NAME\n",
	    "[file read] x.1 (man page, 2 lines, headings: NAME)");
	LINE("Dockerfile.dev", "FROM a\n",
	    "[file read] Dockerfile.dev (dockerfile, 1 line, images: a)");
	LINE("b.PY", "\xef\xbb\xbf" "def f(): pass",
	    "[file read] b.PY (python, 1 line, functions: f)");
	LINE("x.json", "// jsonc\n{\"a\": 1, /* b */ \"c\": 2,}",
	    "[file read] x.json (JSON, 34B, not valid, keys: a, c)");
	LINE("x.json", "", "[file read] x.json (JSON, 0B, not valid)");
	LINE("a\nb\x1b.txt", "x", "[file read] a b .txt (text, 1 line, 1B)");
	LINE("x.csv", "a,\"b\nc,d\n",
	    "[file read] x.csv (CSV, 1 row, columns: a, \"b)");
	LINE("x.csv", "a,b\n", "[file read] x.csv (CSV, 0 rows, "
	    "columns: a, b)");
	LINE("x.tab", "# one\n#\n#a\tb\tc\nA\t1\t2\n#\nB\t2\n",
	    "[file read] x.tab (TSV, 2 rows, columns: a, b, c)");
	LINE("x.csv", "#a,b\n1,2\n",
	    "[file read] x.csv (CSV, 1 row, columns: #a, b)");
	LINE("x", "#\tA text\n#\tof words,\n#\twith tabs\n1 2\n3 4\n",
	    "[file read] x (text, 5 lines, 41B)");
	LINE("x.csv", "seed, 0xdeadbeaf\n0, 0x1a\n",
	    "[file read] x.csv (CSV, 2 rows, 2 columns)");
	LINE("x.csv", "", "[file read] x.csv (CSV, 0 rows)");
	LINE("x.csv", "\"a \"\"q\"\"\",b\n1,2\n", "[file read] x.csv "
	    "(CSV, 1 row, columns: a \"q\", b)");
}

/* What databases write: strings with backslashes, rows between statements. */
static void
test_sql(void)
{
	LINE("x.sql", "CREATE TABLE `a` (n int);\nINSERT INTO `a` VALUES "
	    "('O\\'B');\n# it's\nCREATE TABLE `b` (n int);\n"
	    "INSERT INTO `b` VALUES ('C:\\\\');\nCREATE TABLE `c c` (n int);\n",
	    "[file read] x.sql (sql, 6 lines, tables: a, b, c c)");
	LINE("x.sql", "-- MySQL dump 10.13\nINSERT INTO a VALUES ('\\'');\n"
	    "DROP TABLE x;\nCREATE TABLE b (n int);\nDROP TABLE y;\n",
	    "[file read] x.sql (sql, 5 lines, tables: a, b)");
	/* in standard SQL a backslash is no escape */
	LINE("x.sql", "CREATE TABLE a (p text DEFAULT 'C:\\');\n"
	    "CREATE TABLE b (q text DEFAULT 'x');\n",
	    "[file read] x.sql (sql, 2 lines, tables: a, b)");
	LINE("x.sql", "CREATE TABLE public.\"User\" (id int);\n"
	    "CREATE TABLE public.t (id int);\nCREATE TABLE \"m d\".\"m t\" "
	    "(x int);\nCREATE TABLE [d].[dbo].[Cust] (id int);\n"
	    "SELECT 1 FROM \"s\".q, \"open",
	    "[file read] x.sql (sql, 5 lines, tables: User, public.t, m t, "
	    "Cust, q)");
	LINE("x.sql", "CREATE TABLE a (n text);\nCOPY public.a (n) FROM stdin;\n"
	    "it's\nCREATE TABLE no (\n\\\\.\n\\.\n\nCREATE TABLE b (n int);\n"
	    "copy b from stdin with (format csv);\n'\n\\.\n"
	    "COPY (SELECT 1 FROM c) TO stdout;\nCOPY d FROM stdin;\nfrom e",
	    "[file read] x.sql (sql, 14 lines, tables: a, b, c)");
}

/* A line has the first level in it, which is a whole word. */
static void
test_levels(void)
{
	LINE("a.log", "2026-01-01 10:00:00 INFO ERROR no\n"
	    "2026-01-01 10:00:00 DEBUG WARN_LIMIT=3\n"
	    "2026-01-01 10:00:00 table ERROR_CODES, ERRORS: 0, WARN=3\n"
	    "2026-01-01 10:00:00 an error, no warn\n"
	    "2026-01-01 10:00:00 [error-1] WARNING: yes\n"
	    "2026-01-01 10:00:00 [error] yes\n"
	    "2026-01-01 10:00:00 level=fatal yes\n"
	    "2026-01-01 10:00:00 FATAL",
	    "[file read] a.log (log, 8 lines, 304B, 3 errors, 1 warning, "
	    "2026-01-01 10:00:00 – 2026-01-01 10:00:00)");
	LINE("a.log", "{\"level\":\"error\",\"msg\":\"x\"}\n"
	    "{\"level\": \"warning\"}\n{\"level\":\"info\",\"a\":\"ERROR\"}\n"
	    "{\"level\":30}\n{\"level\":40}\n{\"level\":50,\"a\":1}\n",
	    "[file read] a.log (log, 6 lines, 123B, 2 errors, 2 warnings)");
}

/* A tile, the image, a preview. */
static void
test_tiles(void)
{
	LINE("a.heic", "\0\0\0\x0c" "ftypheic"
	    "\0\0\0\x14" "ispe\0\0\0\0\0\0\2\0\0\0\2\0"
	    "\0\0\0\x14" "ispe\0\0\0\0\0\0\x0f\xc0\0\0\x0b\xd0"
	    "\0\0\0\x14" "ispe\0\0\0\0\0\0\1\x40\0\0\0\xf0"
	    "\0\0\0\x14" "ispe\0\0\0\0\x7f",
	    "[file read] a.heic (HEIC, 4032×3024, 85B)");
}

/* Files without lines, and lines that look like those between files. */
static void
test_diffs(void)
{
	LINE("x.diff", "diff --git a/c b/d\nsimilarity index 100%\n"
	    "rename from c\nrename to b/d\ndiff --git a/b.png b/b.png\n"
	    "new file mode 100644\nBinary files /dev/null and b/b.png differ\n"
	    "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
	    "[file read] x.diff (diff, 3 files, +0, −0, files: b/d, b.png, "
	    "run)");
	LINE("x.diff", "diff --git a/o b/n\nrename from o\nrename to n\n"
	    "--- a/o\n+++ b/n\n@@ -1,4 +1,3 @@ f\n a\n--- drop me\n"
	    "+++ new\n\n-b\n\\ No newline\ndiff --git a/e b/e\n--- a/e\n"
	    "+++ /dev/null\n@@ -1 +0,0 @@\n-x\n-- \n2.40\n",
	    "[file read] x.diff (diff, 2 files, +1, −3, files: n, e)");
	LINE("x.diff", "--- x.c\tMon\n+++ y.c\tTue\n@@ -1 +1 @@\n-a\n+b\n"
	    "--- z\n+++ z\n@@ -1 +1 @@\n-a\n+b\n",
	    "[file read] x.diff (diff, 2 files, +2, −2, files: y.c, z)");
	LINE("x.diff", "diff --cc f\n--- a/f\n+++ b/f\n@@@ -1,2 -1,2 +1,2 @@@\n"
	    "++a\n  b\n--c\ndiff --git a/g b/g\n--- 1,2 ----\n",
	    "[file read] x.diff (diff, 2 files, +1, −1, files: f, g)");
}

static void
test_width(void)
{
	static const char py[] = "def aaa(): 1\ndef bbb(): 1\ndef ccc(): 1\n"
	    "def aaa(): 2\nclass Long_name_1:\n  def ddd(self): 1\n"
	    "class Long_name_2: pass\n";

	check_line("x.py", py, sizeof(py) - 1, NULL, CTX_EN, 0,
	    "[file read] x.py (python, 7 lines, functions: aaa, bbb, ccc, "
	    "ddd, classes: Long_name_1, Long_name_2)");
	check_line("x.py", py, sizeof(py) - 1, NULL, CTX_EN, 95,
	    "[file read] x.py (python, 7 lines, functions: aaa, bbb, "
	    "… +2, classes: Long_name_1, … +1)");
	check_line("x.py", py, sizeof(py) - 1, NULL, CTX_ZH, 20,
	    "[文件已读取] x.py (python, 7行, 函数: aaa, … +3, "
	    "类: Long_name_1, … +1)");
}

static void
test_part(void)
{
	struct ctx_digest_opts part = { .from = 200, .to = 400 };

	check_line("x.py", "def f(): 1\n", 11, &part, CTX_EN, 240,
	    "[file read] x.py (python, lines 200–400, functions: f)");
	check_line("x.py", "def f(): 1\n", 11, &part, CTX_ZH, 240,
	    "[文件已读取] x.py (python, 第200–400行, 函数: f)");
	check_line("x.csv", "1,a\n2,b\n", 8, &part, CTX_EN, 240,
	    "[file read] x.csv (CSV, lines 200–400, 2 columns)");
}

static void
test_written(void)
{
	struct ctx_digest_opts opts = { .wrote = 1 };
	static const char *const no[] = { "", "[file read]", "[file written]",
	    "[file made] x", " [file read] x", "[文件已读取]x" };
	size_t i;

	check_line("x.py", "def f(): 1\n", 11, &opts, CTX_EN, 240,
	    "[file written] x.py (python, 1 line, functions: f)");
	check_line("x.py", "def f(): 1\n", 11, &opts, CTX_ZH, 240,
	    "[文件已写入] x.py (python, 1行, 函数: f)");
	CHECK(ctx_digest_is_line("[file written] x", 16));
	CHECK(ctx_digest_is_line("[file read] ", 12));
	CHECK(ctx_digest_is_line("[文件已读取] x", strlen("[文件已读取] x")));
	CHECK(ctx_digest_is_line("[文件已写入] x", strlen("[文件已写入] x")));
	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		CHECK(!ctx_digest_is_line(no[i], strlen(no[i])));
}

static void
test_json(void)
{
	struct ctx_buf out = { 0 };

	CHECK_INT(ctx_digest_make(&digest, "d/\"x\".py",
	    "class A:\n def f(self): 1\n", 25, NULL, NULL), 0);
	CHECK_INT(ctx_digest_json(&digest, &out), 0);
	CHECK_STR(ctx_buf_str(&out), "\"name\":\"\\\"x\\\".py\","
	    "\"path\":\"d/\\\"x\\\".py\",\"kind\":\"code\","
	    "\"language\":\"python\",\"bytes\":25,\"lines\":2,\"chars\":25,"
	    "\"symbols\":[{\"kind\":\"function\",\"name\":\"f\",\"line\":2},"
	    "{\"kind\":\"class\",\"name\":\"A\",\"line\":1}]");
	ctx_buf_done(&out);
}

/* The reduced text in each language. */
static void
test_reduce(void)
{
	static const struct {
		const char *lang, *src, *want;
	} cases[] = {
		{ "python", "a = 'it' # x", "a = 'it' " },
		{ "python", "'''a\nb''' c", "'\n' c" },
		{ "python", "'a\\'b' c", "'' c" },
		{ "python", "'a b\nc", "'\nc" },
		{ "javascript", "a / b / c // d", "a / b / c " },
		{ "javascript", "x = /[/\"]/g; \"y\"", "x = //g; \"y\"" },
		{ "javascript", "`a ${ f(`b c`) } d` e", "`${ f(``) }` e" },
		{ "javascript", "`a", "`a" },
		{ "shell", "cat <<-'E O' x\n", "cat \"\" x\n" },
		{ "shell", "cat <<EOF | x\na b\nEOF\nf",
		    "cat \"\" | x\n\n\nf" },
		{ "shell", "a $# b#c # d", "a $# b#c " },
		{ "shell", "\"$(a \"it's b\" c)\" d", "\"$(a \"\" c)\" d" },
		{ "shell", "cat <<< 'a b'", "cat <<< ''" },
		{ "c", "'\"' /* \" */ \"//\"", "''   \"//\"" },
		{ "c", "#if 0\n\"\n#endif\n", "#i0\n\"\n#x\n" },
		{ "c", "#define A \\\n  {\nx", "\n\nx" },
		{ "c++", "R\"x( \")\" )x\" y", "R\"\" y" },
		{ "rust", "'a 'b' /* /* x */ y */ z", "'a ''   z" },
		{ "rust", "r##\"a\"# b\"## c", "r##\"\" c" },
		{ "lua", "--[==[ ]] ]==] x [[ y ]] z", " x \" z" },
		{ "ruby", "a = %w[b c] / 2", "a = %% / 2" },
		{ "ruby", "x <<~A\n y\n A\nz", "x \"\"\n\n\nz" },
		{ "ruby", "\"a #{b + \"c d\"} e\" f", "\"#{b + \"\"}\" f" },
		{ "perl", "q{a {b} c} . s/x y/z w/ d", "\"\" . \"\" d" },
		{ "php", "a 'b <?php c 'd e' ?> f' <?= g", " c '' ?>= g" },
		{ "sql", "'it''s x' -- y", "'it''' " },
		{ "markdown", "a\n```\n# b\n```\nc", "a\n\n\n\nc" },
	};
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&out);
		CHECK_INT(ctx_reduce(&out, ctx_lang_named(cases[i].lang),
		    cases[i].src, strlen(cases[i].src)), 0);
		CHECK(out.len <= strlen(cases[i].src));
		CHECK_STR(ctx_buf_str(&out), cases[i].want);
	}
	ctx_buf_done(&out);
}

/* gitignore(5) */
static void
test_ignore(void)
{
	static const struct {
		const char *pattern, *text;
		int want;
	} match[] = {
		{ "a", "a", 1 }, { "a", "ab", 0 }, { "*.o", "x.o", 1 },
		{ "*.o", "x.oo", 0 }, { "*", "a/b", 0 },
		{ "a*b*c", "abbbc", 1 },
		{ "a*b*c", "abbbd", 0 }, { "?", "/", 0 }, { "[a-c]x", "bx", 1 },
		{ "[!a-c]x", "bx", 0 }, { "[]]x", "]x", 1 }, { "[a", "[a", 1 },
		{ "\\*", "*", 1 }, { "\\*", "x", 0 }, { "**/foo", "foo", 1 },
		{ "**/foo", "a/b/foo", 1 }, { "**/foo", "a/bfoo", 0 },
		{ "a/**", "a/b/c", 1 }, { "a/**", "a", 0 },
		{ "a/**/b", "a/b", 1 }, { "a/**/b", "a/x/y/b", 1 },
		{ "a/**/b", "ab", 0 }, { "a**b", "axxb", 1 },
		{ "**/*.c", "x/y/z.c", 1 }, { "a/*/b", "a/x/y/b", 0 },
		{ "a/**/b/c/**/d", "a/b/x/b/c/y/d", 1 },
		{ "a/**/b/c/**/d", "a/b/x/c/y/d", 0 },
		{ "a/**/**/b", "a/b", 1 }, { "**/**", "x/y", 1 },
		{ "a/**/b/**", "a/x/b", 0 }, { "a/**/b/**", "a/x/b/y", 1 },
	};
	char rule[64];
	struct ctx_ignore g = { 0 };
	static const char top[] = "*.log\n!keep.log\n/build\ntmp/\n# x\n"
	    "\\#y\ntrail  \n", sub[] = "only\nd/e\n";
	size_t i, n;

	for (i = 0; i < sizeof(match) / sizeof(match[0]); i++) {
		n = (size_t)snprintf(rule, sizeof(rule), "/%s",
		    match[i].pattern);
		CHECK_INT(ctx_ignore_add(&g, rule, n, 0), 0);
		CHECK_INT(ctx_ignore_has(&g, match[i].text, 0), match[i].want);
		ctx_ignore_pop(&g, 0);
	}
	CHECK_INT(ctx_ignore_add(&g, top, sizeof(top) - 1, 2), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/x.log", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/a/x.log", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/a/keep.log", 0), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/build", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/a/build", 0), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/tmp", 0), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/a/tmp", 1), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/x", 0), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/#y", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/trail", 0), 1);
	n = g.n;
	CHECK_INT(ctx_ignore_add(&g, sub, sizeof(sub) - 1, 4), 0);
	CHECK_INT(ctx_ignore_has(&g, "r/a/only", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/a/d/e", 0), 1);
	CHECK_INT(ctx_ignore_has(&g, "r/a/b/d/e", 0), 0);
	ctx_ignore_pop(&g, n);
	CHECK_INT(ctx_ignore_has(&g, "r/a/only", 0), 0);
	ctx_ignore_done(&g);
}

static void
check_title(const char *lang, const char *src, const char *want)
{
	const char *start = "";
	size_t n = ctx_title(ctx_lang_named(lang), src, strlen(src), &start);

	CHECK_MEM(start, n, want);
}

static void
test_title(void)
{
	check_title("python", "#!/bin/x\n# -*- coding: utf-8 -*-\n"
	    "\"\"\"\nLoads data.\n\"\"\"\n", "Loads data.");
	check_title("python", "import x\n# no\n", "");
	check_title("c", "/* Copyright 2026 */\n/*\n * Reads it.\n */\n",
	    "Reads it.");
	check_title("c", "/* x.c - reads it */ int y;", "x.c - reads it");
	check_title("php", "<?php\n// Greets.\n", "Greets.");
	check_title("shell", "#!/bin/sh\n#\n# Deploys. #\n", "Deploys.");
}

static void
test_size(void)
{
	static const struct { uint64_t n; const char *want; } cases[] = {
		{ 0, "0B" }, { 1023, "1023B" }, { 1024, "1KB" },
		{ 2560, "2.5KB" }, { 1075, "1KB" }, { 1076, "1.1KB" },
		{ 102348, "99.9KB" }, { 102400, "100KB" }, { 1048575, "1MB" },
		{ 3250586, "3.1MB" }, { 5368709120, "5GB" },
	};
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&out);
		ctx_digest_size(&out, cases[i].n);
		CHECK_STR(ctx_buf_str(&out), cases[i].want);
	}
	ctx_buf_done(&out);
}

/* A stored block of deflate, and a truncated one. */
static void
test_inflate(void)
{
	static const char stored[] = "\x01\x05\x00\xfa\xffhello";
	struct ctx_buf out = { 0 };

	CHECK_INT(ctx_inflate(&out, stored, 10, CTX_DEFLATE_RAW, 100), 1);
	CHECK_MEM(out.data, out.len, "hello");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_inflate(&out, stored, 10, CTX_DEFLATE_RAW, 3), 0);
	CHECK_MEM(out.data, out.len, "hel");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_inflate(&out, stored, 10, CTX_DEFLATE_RAW, 5), 1);
	CHECK_MEM(out.data, out.len, "hello");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_inflate(&out, stored, 10, CTX_DEFLATE_RAW, 4), 0);
	CHECK_MEM(out.data, out.len, "hell");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_inflate(&out, stored, 8, CTX_DEFLATE_RAW, 100), 0);
	CHECK_MEM(out.data, out.len, "hel");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_inflate(&out, "nonsense", 8, CTX_DEFLATE_ZLIB, 9), 0);
	CHECK_INT(out.len, 0);
	ctx_buf_done(&out);
}

/* Files that try to cost time or memory must end, with this digest. */
static void
test_hostile(void)
{
	enum { N = 4000000 };
	char *p = malloc(N);
	struct ctx_digest_opts o = { 0 };
	size_t i, k;
	static const char *const parts[] = { "(", "{", "<", "[", "\"", "'",
	    "`${", "/*", "a b ", "f(", "<<A\n", "x() ", "#if\n{\n" };

	if (p == NULL)
		return;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (k = 0; k < 200000; k++)
			p[k] = parts[i][k % strlen(parts[i])];
		for (k = 0; k < ctx_langs_n; k++) {
			o.lang = &ctx_langs[k];
			CHECK_INT(ctx_digest_make(&digest, "x", p, 200000, &o,
			    NULL), 0);
		}
	}
	memset(p, '[', N);
	check_line("x.json", p, 100000, NULL, CTX_EN, 240,
	    "[file read] x.json (JSON, 97.7KB, 1 element)");
	for (i = 0; i < N; i += 2)
		memcpy(p + i, "a,", 2);
	p[N - 1] = '\n';
	check_line("x.csv", p, N, NULL, CTX_EN, 240,
	    "[file read] x.csv (CSV, 0 rows, columns: a)");
	free(p);
}

int
main(void)
{
	RUN(test_document_lines());
	RUN(test_kinds());
	RUN(test_sql());
	RUN(test_levels());
	RUN(test_tiles());
	RUN(test_diffs());
	RUN(test_width());
	RUN(test_part());
	RUN(test_written());
	RUN(test_json());
	RUN(test_reduce());
	RUN(test_ignore());
	RUN(test_title());
	RUN(test_size());
	RUN(test_inflate());
	RUN(test_hostile());
	ctx_digest_done(&digest);
	return CHECK_DONE("digest");
}
