/* SPDX-License-Identifier: MIT */
/* Lines of one pattern: tables of texts and results. */
#include "text/alike.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "text/scrub.h"

static const struct {
	const char *in, *out;	/* out NULL: unchanged */
} cases[] = {
	{ "", NULL },
	{ "\n", NULL },

	/* what aligns columns is not kept */
	{ "total 4\n"
	  "-rw-r--r-- 1 app app   4821 Nov 12 10:04 foo.c\n"
	  "-rw-r--r-- 1 app app  81233 Nov  3 10:22 bar.h\n"
	  "-rw-r--r-- 1 app app      7 Nov 30 09:00 a\n"
	  "-rw-r--r-- 1 app app    100 Nov  1 10:04 b.md\n"
	  "-rw-r--r-- 1 app app    100 Nov  1 10:05 c\n"
	  "done\n",
	  "total 4\n"
	  "[5 lines: -rw-r--r-- 1 app app {} Nov {} {} {}]\n"
	  "4821 12 10:04 foo.c\n"
	  "81233 3 10:22 bar.h\n"
	  "7 30 09:00 a\n"
	  "100 1 10:04 b.md\n"
	  "100 1 10:05 c\n"
	  "done\n" },
	/* nor after a bracket; no line end at the end */
	{ "[  8/100] cc -std=c11 -O2 -g -Wall -Wextra -c src/abc.c\n"
	  "[  9/100] cc -std=c11 -O2 -g -Wall -Wextra -c src/de.c\n"
	  "[ 10/100] cc -std=c11 -O2 -g -Wall -Wextra -c lib/f.c\n"
	  "[100/100] cc -std=c11 -O2 -g -Wall -Wextra -c src/g.c",
	  "[4 lines: [{}] cc -std=c11 -O2 -g -Wall -Wextra -c {}]\n"
	  "8/100 src/abc.c\n"
	  "9/100 src/de.c\n"
	  "10/100 lib/f.c\n"
	  "100/100 src/g.c" },
	/* nor before numbers at the beginning of lines; tabs stay */
	{ "   9 of all the tests\tpassed in a\n"
	  "  10 of all the tests\tpassed in b\n"
	  " 100 of all the tests\tpassed in c\n"
	  "1000 of all the tests\tpassed in d\n",
	  "[4 lines: {} of all the tests\tpassed in {}]\n"
	  "9 a\n10 b\n100 c\n1000 d\n" },
	{ "\t  modified by the tool: a\r\n\t  modified by the tool: b\r\n"
	  "\t  modified by the tool: c\r\n\t  modified by the tool: d\r\n",
	  "[4 lines: \t  modified by the tool: {}]\r\na\r\nb\r\nc\r\nd\r\n" },
	{ "  modified by the tool: a\n   modified by the tool: b\n"
	  "  modified by the tool: c\n   modified by the tool: d\n", NULL },
	{ "modified by the tool:  a\nmodified by the tool:    b\n"
	  "modified by the tool:  c\nmodified by the tool:    d\n",
	  "[4 lines: modified by the {}]\n"
	  "tool:  a\ntool:    b\ntool:  c\ntool:    d\n" },
	{ "modified by the\ttool a\nmodified by the\ttool b\n"
	  "modified by the tool c\nmodified by the tool d\n", NULL },

	/* the last value may have spaces, and all white space that is there */
	{ "ok 8 - the parser takes an empty file\n"
	  "ok 9 - the parser takes\n"
	  "ok 10 - the parser takes all  of  it\n"
	  "ok 11 - the parser takes more # skip\n",
	  NULL },
	{ "test of the whole parser and the rest: ok 8 - an empty file\n"
	  "test of the whole parser and the rest: ok 9 - one  line\n"
	  "test of the whole parser and the rest: ok 10 - all   of  it\n"
	  "test of the whole parser and the rest: ok 11 - more # skip\n",
	  "[4 lines: test of the whole parser and the rest: ok {} - {}]\n"
	  "8 an empty file\n9 one  line\n10 all   of  it\n11 more # skip\n" },

	/* a name, brackets and quotes are not part of a value */
	{ "PASSED tests/test_api.py::test_get\n"
	  "PASSED tests/test_api.py::test_put_two\n"
	  "PASSED tests/test_api.py::test_post\n"
	  "PASSED tests/test_api.py::test_all\n",
	  "[4 lines: PASSED tests/test_api.py::{}]\n"
	  "test_get\ntest_put_two\ntest_post\ntest_all\n" },
	{ "got answer seq=1 from=\"a\" (1.5 ms), fine\n"
	  "got answer seq=2 from=\"bc\" (12 ms), fine\n"
	  "got answer seq=3 from=\"d\" (9 ms), fine\n"
	  "got answer seq=3 from=\"e\" (9 ms), fine\n",
	  "[4 lines: got answer seq={} from=\"{}\" ({} ms), fine]\n"
	  "1 a 1.5\n2 bc 12\n3 d 9\n3 e 9\n" },
	/* but paths, addresses, times and numbers are whole */
	{ "it says that the file at src/a was written on 10:04\n"
	  "it says that the file at src/b was written on 10:05\n"
	  "it says that the file at src/[id]/c was written on 10:06\n"
	  "it says that the file at src/[id]/d was written on 10:07\n",
	  "[4 lines: it says that the file at {} was written on {}]\n"
	  "src/a 10:04\nsrc/b 10:05\nsrc/[id]/c 10:06\nsrc/[id]/d 10:07\n" },
	{ "GET from the host /api/v1?page=1 200\n"
	  "GET from the host /api/v1?page=2 200\n"
	  "GET from the host /api/v1?page=3 200\n"
	  "GET from the host /api/v1?page=4 200\n"
	  "GET from the host /api/v1?page=5 200\n",
	  "[5 lines: GET from the host {} 200]\n/api/v1?page=1\n"
	  "/api/v1?page=2\n/api/v1?page=3\n/api/v1?page=4\n"
	  "/api/v1?page=5\n" },
	{ "of all that came, the next one was http://h/x?a=1 1,234 02:42:ac:11:00:02\n"
	  "of all that came, the next one was http://h/x?a=2 1,235 02:42:ac:11:00:03\n"
	  "of all that came, the next one was http://h/y 1,236 02:42:ac:11:00:04\n"
	  "of all that came, the next one was http://h/ 1,237 02:42:ac:11:00:05\n",
	  "[4 lines: of all that came, the next one was {} {} {}]\n"
	  "http://h/x?a=1 1,234 02:42:ac:11:00:02\n"
	  "http://h/x?a=2 1,235 02:42:ac:11:00:03\n"
	  "http://h/y 1,236 02:42:ac:11:00:04\n"
	  "http://h/ 1,237 02:42:ac:11:00:05\n" },
	{ "already there: six>=1 (from a==4.1->all of it==3.13)\n"
	  "already there: toml (from pre-commit~=2.4->all of it==3.13)\n"
	  "already there: <b> (from a>b->all of it==3.13)\n"
	  "already there: <c> (from a>c->all of it==3.13)\n",
	  "[4 lines: already there: {} (from {} of it==3.13)]\n"
	  "six>=1 a==4.1->all\ntoml pre-commit~=2.4->all\n"
	  "<b> a>b->all\n<c> a>c->all\n" },
	{ "it is the value <a> of something\nit is the value <b> of something\n"
	  "it is the value <c> of something\nit is the value <d> of something\n",
	  "[4 lines: it is the value <{}> of something]\na\nb\nc\nd\n" },
	/* no value is empty */
	{ "the result of the call was: []\nthe result of the call was: [1]\n"
	  "the result of the call was: [2]\nthe result of the call was: [x]\n",
	  "[4 lines: the result of the call was: {}]\n"
	  "[]\n[1]\n[2]\n[x]\n" },

	/* fewer lines, lines that are apart, little in common */
	{ "Requirement already satisfied: a\nRequirement already satisfied: b\n"
	  "Requirement already satisfied: c\n", NULL },
	{ "Requirement already satisfied: a\nRequirement already satisfied: b\n"
	  "but\n"
	  "Requirement already satisfied: c\nRequirement already satisfied: d\n",
	  NULL },
	{ "abc of things\ndef in things\nghi as others\njkl by things\n", NULL },
	{ "a   1\nbb  2\nccc 3\ndd  4\ne   5\n", NULL },
	/* nothing differs but white space */
	{ "the    same of all\nthe    same of all\nthe    same of all\n"
	  "the    same of all\nthe    same of all\n", NULL },

	/* lines of another kind end a run and begin the next one */
	{ "Selecting the package a in main\nSelecting the package b in main\n"
	  "Selecting the package c in main\nSelecting the package d in main\n"
	  "Unpacking package a over an old one\n"
	  "Unpacking package b over an old one\n"
	  "Unpacking package c over an old one\n"
	  "Unpacking package d over an old one\n",
	  "[4 lines: Selecting the package {} in main]\na\nb\nc\nd\n"
	  "[4 lines: Unpacking package {} over an old one]\na\nb\nc\nd\n" },

	/* of what a search finds, only the name of the file is left out */
	{ "lib/text/alike.c:12:\tint a;\nlib/text/alike.c:13:\t\tint b;\n"
	  "lib/text/alike.c:14:int c = 1;\nlib/text/alike.c:99:}\n"
	  "lib/text/alike.c:101:\tcall(a, b);\n",
	  "[5 lines: lib/text/alike.c:{}]\n"
	  "12:\tint a;\n13:\t\tint b;\n14:int c = 1;\n99:}\n"
	  "101:\tcall(a, b);\n" },

	/* what may be a program, a list in one, a diff, lines of a file */
	{ "int first_of_all;\nint second_of_all;\nint third_of_all;\n"
	  "int fourth_of_all;\n", NULL },
	{ "self.value = a\nself.value = b\nself.value = c\nself.value = d\n",
	  NULL },
	{ "\"some text here\": 1,\n\"some text here\": 2,\n"
	  "\"some text here\": 3,\n\"some text here\": 4,\n", NULL },
	{ "+all of the lines a\n+all of the lines b\n+all of the lines c\n"
	  "+all of the lines d\n", NULL },
	{ "-all of the lines a\n-all of the lines b\n-all of the lines c\n"
	  "-all of the lines d\n", NULL },
	{ "#define VALUE_OF_IT 1\n#define VALUE_OF_IT 2\n"
	  "#define VALUE_OF_IT 3\n#define VALUE_OF_IT 4\n", NULL },
	{ "@@ -1 +1 @@\n one of the lines a\n one of the lines b\n"
	  "@@ -7 +7 @@\n one of the lines c\n one of the lines d\n"
	  " one of the lines e\n one of the lines f\n", NULL },
	{ "     1\tone of the lines a\n     2\tone of the lines b\n"
	  "     3\tone of the lines c\n     4\tone of the lines d\n", NULL },
	{ "1: one of the lines a\n2: one of the lines b\n"
	  "3: one of the lines c\n4: one of the lines d\n", NULL },

	/* lines that a template could be confused with */
	{ "the value of {} is a\nthe value of {} is b\nthe value of {} is c\n"
	  "the value of {} is d\n", NULL },
	{ "{the value} of it is {a}!\n{the value} of it is {b}!\n"
	  "{the value} of it is {c}!\n{the value} of it is {d}!\n",
	  "[4 lines: {the value} of it is {{}}!]\na\nb\nc\nd\n" },

	/* texts that were written before */
	{ "[9 lines: a {}]\nthe same of all a\nthe same of all b\n"
	  "the same of all c\nthe same of all d\n", NULL },
	{ "[9 行：a {}]\nthe same of all a\nthe same of all b\n"
	  "the same of all c\nthe same of all d\n", NULL },
	{ "{\"a\":[3 rows: id]\nthe same of all a\nthe same of all b\n"
	  "the same of all c\nthe same of all d\n", NULL }
};

static void
check_case(size_t i)
{
	struct ctx_buf out = { 0 }, again = { 0 };
	const char *in = cases[i].in, *want = cases[i].out;
	int rc = ctx_alike_fold(in, strlen(in), NULL, &out);

	if (!CHECK(rc == (want != NULL)) || (rc == 1 &&
	    !CHECK(out.len == strlen(want) &&
	    memcmp(out.data, want, out.len) == 0)))
		fprintf(stderr, "\tcase %zu, %s\n\t\"%.*s\"\n", i, in,
		    (int)out.len, out.data);
	/* a second run changes nothing, and no rows are equal lines */
	if (rc == 1) {
		CHECK_INT(ctx_alike_fold(out.data, out.len, NULL, &again), 0);
		ctx_buf_reset(&again);
		CHECK_INT(ctx_scrub_squeeze(out.data, out.len, NULL, &again),
		    0);
	}
	ctx_buf_done(&out);
	ctx_buf_done(&again);
}

/* The head is written in the language of the notes. */
static void
chinese(void)
{
	static const struct ctx_markers zh = { .lang = CTX_ZH };
	static const char in[] = "\xe4\xbd\xa0\xe5\xa5\xbd of all the lines a\n"
	    "\xe4\xbd\xa0\xe5\xa5\xbd of all the lines b\n"
	    "\xe4\xbd\xa0\xe5\xa5\xbd of all the lines c\n"
	    "\xe4\xbd\xa0\xe5\xa5\xbd of all the lines d\n";
	struct ctx_buf out = { 0 };

	CHECK_INT(ctx_alike_fold(in, sizeof(in) - 1, &zh, &out), 1);
	CHECK_MEM(out.data, out.len,
	    "[4 行：\xe4\xbd\xa0\xe5\xa5\xbd of all the lines {}]\n"
	    "a\nb\nc\nd\n");
	ctx_buf_done(&out);
}

/* Append n lines "WORDS N", each of so many bytes and words before N. */
static void
put_lines(struct ctx_buf *b, unsigned n, unsigned words, unsigned bytes)
{
	unsigned i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k + 2 < words; k++)
			ctx_buf_adds(b, "w ");
		for (k = 0; k < bytes; k++)
			ctx_buf_addc(b, 'x');
		ctx_buf_addf(b, " %u\n", 1000 + i);
	}
}

/* Lines of more than 1,000 bytes or 48 words stay. */
static void
limits(void)
{
	static const struct {
		unsigned words, bytes;
		int folds;
	} sizes[] = {
		{ 2, 995, 1 }, { 2, 996, 0 }, { 48, 9, 1 }, { 49, 9, 0 }
	};
	struct ctx_buf in = { 0 }, out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ctx_buf_reset(&in);
		ctx_buf_reset(&out);
		put_lines(&in, 4, sizes[i].words, sizes[i].bytes);
		CHECK_INT(ctx_alike_fold(in.data, in.len, NULL, &out),
		    sizes[i].folds);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

/* No text takes much longer than others of its length. */
static void
hostile(void)
{
	static const char *const pieces[] = {
		"[", "[9", ":", "a:", "x=", "{", "( ", " =", "\n@", "a\n", "(1",
		"http://", "\t", "[[[[[[[\n", "aaaaaaaaaaaa:/:/:/\n", "1 2\n",
		":::::::::::::::::::::::::::::::::::::::::::::::::::::a\n"
	};
	struct ctx_buf in = { 0 }, out = { 0 };
	size_t i;
	clock_t t;

	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		ctx_buf_reset(&in);
		ctx_buf_reset(&out);
		while (in.len < 1000000)
			ctx_buf_adds(&in, pieces[i]);
		t = clock();
		CHECK(ctx_alike_fold(in.data, in.len, NULL, &out) != -1);
		t = clock() - t;
		if (getenv("VERBOSE") != NULL)
			printf("%.3f s: %.20s\n", (double)t / CLOCKS_PER_SEC,
			    pieces[i]);
		/* an emulator takes a hundred times as long */
		CHECK(t < 20 * CLOCKS_PER_SEC);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

int
main(void)
{
	size_t i;

	TEST("cases");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	RUN(chinese());
	RUN(limits());
	RUN(hostile());
	return CHECK_DONE("alike");
}
