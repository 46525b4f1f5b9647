/* SPDX-License-Identifier: MIT */
/*
 * Logs of tests and builds: how many passed and failed, and what failed first.
 * A row of the table knows the lines of one tool.  What a tool counts itself, in
 * a summary, is taken from there; a log without the summary is of no kind, since
 * its end may be missing.  Not all of a text is searched to see whether it is a
 * log, since most texts are none.
 *
 * Forms: pytest 8, Jest 29, Vitest 1, Mocha 10, go test, cargo test, unittest,
 * RSpec 3, TAP 14 (testanything.org), Maven's Surefire 3, gcc, clang, javac,
 * rustc, tsc and make.
 */
#include <string.h>

#include "digest/kind.h"
#include "digest/kind_impl.h"

#define LOG_MAX		((size_t)16 << 20)	/* larger ones are not read */
#define HEAD_MAX	((size_t)4 << 10)	/* where a sign may be, */
#define TAIL_MAX	((size_t)16 << 10)	/* from both ends */
#define SIGNS		5

struct log {
	struct ctx_digest *d;
	struct ctx_err *err;
	const char *p;			/* the line, without its colors */
	size_t len;
	const char *next, *end;		/* what follows it */
	uint64_t passed, failed, skipped, errors, warnings;
	int seen;			/* its summary, or a sure sign */
	int counted;			/* tests, not only errors */
	uint64_t plan;			/* tests that there are, plus 1 */
	uint64_t todo;			/* that may fail */
	int list;			/* a list of failures follows */
};

/* --- pieces of a line ---------------------------------------------------- */

static int
starts(const struct log *l, const char *s)
{
	size_t n = strlen(s);

	return l->len >= n && memcmp(l->p, s, n) == 0;
}

static const char *
find(const struct log *l, const char *s)
{
	return memmem(l->p, l->len, s, strlen(s));
}

static uint64_t
number(const char *p, const char *end, const char **after)
{
	uint64_t n = 0;

	for (; p < end && *p >= '0' && *p <= '9' && n < UINT64_MAX / 100; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*after = p;
	return n;
}

/* Add the failure p[0 .. end), without the blanks around it. */
static int
add(struct log *l, const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return ctx_digest_name(l->d, CTX_FAILURES, p, (size_t)(end - p),
	    l->err);
}

/*
 * Words that follow a number in a summary, "2 failed, 3 passed", each with what
 * it counts: p, f, s, e(rrors), w(arnings), or - for what is not of interest.
 */
struct word {
	const char *word;
	char means;
};

static void
tally(struct log *l, char means, uint64_t n)
{
	*(means == 'p' ? &l->passed : means == 'f' ? &l->failed :
	    means == 's' ? &l->skipped : means == 'e' ? &l->errors :
	    &l->warnings) += n;
}

/*
 * Is [p, end) a list of numbers and words, separated by one of the bytes of
 * by?  Then their numbers are added.
 */
static int
summary(struct log *l, const char *p, const char *end, const char *by,
    const struct word *words)
{
	const struct word *w;
	struct log before = *l;
	const char *q;
	uint64_t n;
	size_t len;

	while (p < end) {
		n = number(p, end, &q);
		if (q == p || q == end || *q++ != ' ')
			break;
		for (w = words; w->word != NULL; w++) {
			len = strlen(w->word);
			if ((size_t)(end - q) >= len && memcmp(q, w->word,
			    len) == 0 && (q + len == end || strchr(" ,;|",
			    q[len]) != NULL))
				break;
		}
		if (w->word == NULL)
			break;
		if (w->means != '-')
			tally(l, w->means, n);
		for (p = q + len; p < end && strchr(by, *p) != NULL; p++)
			continue;
	}
	if (p == end)
		return 1;
	*l = before;
	return 0;
}

/* The number after "Name" in the line, as in "Errors: 2" or "failures=2". */
static uint64_t
after(const struct log *l, const char *name)
{
	const char *p = find(l, name), *q;

	return p == NULL ? 0 : number(p + strlen(name), l->p + l->len, &q);
}

/* --- tools --------------------------------------------------------------- */

/* ==== 1 failed, 2 passed in 0.12s ==== */
static int
pytest(struct log *l)
{
	static const struct word words[] = { { "passed", 'p' },
	    { "failed", 'f' }, { "skipped", 's' }, { "errors", 'e' },
	    { "error", 'e' }, { "warnings", 'w' }, { "warning", 'w' },
	    { "xfailed", '-' }, { "xpassed", '-' }, { "deselected", '-' },
	    { "rerun", '-' }, { NULL, 0 } };
	const char *p = l->p, *end = p + l->len, *in;

	if (starts(l, "FAILED ") && find(l, "::") != NULL)
		return add(l, p + 7, end);
	if (starts(l, "ERROR ") && find(l, "::") != NULL)
		return add(l, p + 6, end);
	if ((in = find(l, " in ")) == NULL || in + 4 == end || in[4] < '0' ||
	    in[4] > '9' || l->len > 400)
		return 0;
	while (p < in && (*p == '=' || *p == ' '))
		p++;
	l->seen |= p < in && summary(l, p, in, ", ", words);
	return 0;
}

/* Tests:       1 failed, 2 skipped, 3 passed, 6 total */
static int
jest(struct log *l)
{
	static const char bullet[] = "  \xe2\x97\x8f ";
	static const struct word words[] = { { "passed", 'p' },
	    { "failed", 'f' }, { "skipped", 's' }, { "todo", '-' },
	    { "total", '-' }, { NULL, 0 } };
	const char *p = l->p, *end = p + l->len;

	if (starts(l, bullet) && find(l, "Console") == NULL)
		return add(l, p + sizeof(bullet) - 1, end);
	if (starts(l, "Tests:") && find(l, " total") != NULL) {
		for (p += 6; p < end && *p == ' '; p++)
			continue;
		l->seen |= summary(l, p, end, ", ", words) &&
		    l->passed + l->failed + l->skipped > 0;
	}
	return 0;
}

/*       Tests  1 failed | 2 passed (3) */
static int
vitest(struct log *l)
{
	static const struct word words[] = { { "passed", 'p' },
	    { "failed", 'f' }, { "skipped", 's' }, { "todo", '-' },
	    { NULL, 0 } };
	const char *p = l->p, *end = p + l->len, *to;

	if (starts(l, " FAIL  ") && find(l, " > ") != NULL)
		return add(l, p + 7, end);
	while (p < end && *p == ' ')
		p++;
	if (end - p < 8 || memcmp(p, "Tests  ", 7) != 0 || p == l->p ||
	    (to = find(l, " (")) == NULL)
		return 0;
	l->seen |= summary(l, p + 7, to, " |", words);
	return 0;
}

/*     1) NAME, and after all tests   12 passing (1s),   1 failing */
static int
mocha(struct log *l)
{
	const char *p, *end = l->p + l->len, *q;
	uint64_t n;

	for (q = l->p; q < end && *q == ' '; q++)
		continue;
	n = number(q, end, &p);
	if (p == q || q < l->p + 2 || p == end)
		return 0;
	if (*p == ')' && !l->seen)
		return add(l, p + 1, end);
	q = memchr(p, '(', (size_t)(end - p));
	if (end - p > 9 && memcmp(p, " passing ", 9) == 0 && q == p + 9) {
		l->passed += n;
		l->seen = 1;
	} else if (end - p == 8 && memcmp(p, " failing", 8) == 0)
		l->failed += n;
	else if (end - p == 8 && memcmp(p, " pending", 8) == 0)
		l->skipped += n;
	return 0;
}

/* --- FAIL: TestX (0.00s), ok <tab> PACKAGE <tab> 0.01s */
static int
go_test(struct log *l)
{
	const char *p = l->p, *end = p + l->len, *to;

	if (starts(l, "ok  \t") || starts(l, "FAIL\t"))
		l->seen |= end[-1] == 's' || end[-1] == ']' || end[-1] == ')';
	while (p < end && *p == ' ')
		p++;
	if (end - p < 10 || memcmp(p, "--- ", 4) != 0 || p[8] != ':')
		return 0;
	if (memcmp(p + 4, "PASS", 4) == 0)
		l->passed += p == l->p;
	else if (memcmp(p + 4, "SKIP", 4) == 0)
		l->skipped += p == l->p;
	else if (memcmp(p + 4, "FAIL", 4) == 0) {
		l->failed += p == l->p;
		to = memmem(p, (size_t)(end - p), " (", 2);
		return add(l, p + 9, to == NULL ? end : to);
	}
	return 0;
}

/* test result: FAILED. 3 passed; 1 failed; 0 ignored; ... */
static int
cargo(struct log *l)
{
	static const struct word words[] = { { "passed", 'p' },
	    { "failed", 'f' }, { "ignored", 's' }, { "measured", '-' },
	    { "filtered out", '-' }, { NULL, 0 } };
	const char *p, *end = l->p + l->len, *to;

	if (starts(l, "test ") && l->len > 15 &&
	    memcmp(end - 11, " ... FAILED", 11) == 0)
		return add(l, l->p + 5, end - 11);
	if (!starts(l, "test result: ") || (p = find(l, ". ")) == NULL)
		return 0;
	to = find(l, "; finished");
	l->seen |= summary(l, p + 2, to == NULL ? end : to, "; ", words);
	return 0;
}

/* Ran 5 tests in 0.01s, and then OK (skipped=1) or FAILED (failures=1) */
static int
unittest(struct log *l)
{
	const char *q, *end = l->p + l->len;

	if (starts(l, "FAIL: ") || starts(l, "ERROR: "))
		return add(l, l->p + (*l->p == 'F' ? 6 : 7), end);
	if (starts(l, "Ran ") && (find(l, " test in ") != NULL ||
	    find(l, " tests in ") != NULL)) {
		l->plan = number(l->p + 4, end, &q) + 1;
		return 0;
	}
	if (l->plan == 0 || l->seen || !(starts(l, "OK") ||
	    starts(l, "FAILED (")))
		return 0;
	l->failed = after(l, "(failures=");
	l->errors = after(l, "errors=");
	l->skipped = after(l, "skipped=");
	l->seen = l->plan > l->failed + l->errors + l->skipped;
	/* failures that were expected neither passed nor failed */
	l->passed = !l->seen || find(l, "expected") != NULL ? 0 :
	    l->plan - 1 - l->failed - l->errors - l->skipped;
	return 0;
}

/* 5 examples, 1 failure, 1 pending */
static int
rspec(struct log *l)
{
	static const struct word words[] = { { "examples", 'p' },
	    { "example", 'p' }, { "failures", 'f' }, { "failure", 'f' },
	    { "pending", 's' }, { NULL, 0 } };
	const char *p, *end = l->p + l->len;

	if (starts(l, "rspec ./"))
		return add(l, l->p + 6, end);
	if ((find(l, " example, ") == NULL && find(l, " examples, ") ==
	    NULL) || *l->p < '0' || *l->p > '9')
		return 0;
	p = find(l, ", ");
	if (find(l, " error") == NULL && p != NULL &&
	    summary(l, l->p, end, ", ", words)) {
		l->seen = l->passed >= l->failed + l->skipped;
		if (l->seen)
			l->passed -= l->failed + l->skipped;
	}
	return 0;
}

/* Add a test that is not ok, or count one that is skipped or to do. */
static int
tap_result(struct log *l, const char *p, int ok)
{
	const char *end = l->p + l->len, *hash = find(l, " # "), *q;

	if (hash != NULL && end - hash > 6 && (memcmp(hash + 3, "skip", 4) ==
	    0 || memcmp(hash + 3, "SKIP", 4) == 0)) {
		l->skipped++;
		return 0;
	}
	if (ok) {
		l->passed++;
		return 0;
	}
	if (hash != NULL && end - hash > 6 && (memcmp(hash + 3, "TODO", 4) ==
	    0 || memcmp(hash + 3, "todo", 4) == 0)) {
		l->todo++;
		return 0;
	}
	l->failed++;
	number(p, end, &q);
	while (q < end && (*q == ' ' || *q == '-'))
		q++;
	return add(l, q, end);
}

/* 1..3, ok 1 - NAME, not ok 2 - NAME */
static int
tap(struct log *l)
{
	const char *q, *end = l->p + l->len;

	if (starts(l, "ok ") && l->len > 3 && l->p[3] >= '0' && l->p[3] <= '9')
		return tap_result(l, l->p + 3, 1);
	if (starts(l, "not ok ") && l->len > 7 && l->p[7] >= '0' &&
	    l->p[7] <= '9')
		return tap_result(l, l->p + 7, 0);
	if (starts(l, "1..") && l->plan == 0) {
		l->plan = number(l->p + 3, end, &q) + 1;
		l->seen = q > l->p + 3 && (q == end || *q == ' ');
	}
	return 0;
}

/* Tests run: 5, Failures: 1, Errors: 0, Skipped: 1 */
static int
maven(struct log *l)
{
	const char *p, *end = l->p + l->len;
	uint64_t run, bad[3];

	l->seen |= starts(l, "[INFO] BUILD SUCCESS") ||
	    starts(l, "[INFO] BUILD FAILURE");
	l->warnings += starts(l, "[WARNING] ");
	/* errors of the compiler are printed twice, so they have no number */
	if (starts(l, "[ERROR] /"))
		return add(l, l->p + 8, end);
	if (starts(l, "[ERROR] Failures:") || starts(l, "[ERROR] Errors:"))
		l->list = 1;
	else if (l->list && starts(l, "[ERROR]   "))
		return add(l, l->p + 10, end);
	else
		l->list = 0;
	if ((p = find(l, "Tests run: ")) == NULL ||
	    find(l, "Time elapsed") != NULL)
		return 0;
	run = number(p + 11, end, &p);
	bad[0] = after(l, "Failures: ");
	bad[1] = after(l, "Errors: ");
	bad[2] = after(l, "Skipped: ");
	if (run >= bad[0] + bad[1] + bad[2])
		l->passed += run - bad[0] - bad[1] - bad[2];
	l->failed += bad[0];
	l->errors += bad[1];
	l->skipped += bad[2];
	l->counted = 1;
	return 0;
}

/* The length of "FILE:LINE:" or "FILE:LINE:COL:" before a diagnostic, or 0. */
static size_t
place(const struct log *l, const char *at)
{
	const char *p = at, *q;
	int numbers = 0;

	for (; p > l->p && numbers < 2; p = q) {
		for (q = p; q > l->p && q[-1] >= '0' && q[-1] <= '9'; )
			q--;
		if (q == p || q == l->p || q[-1] != ':')
			break;
		q--;
		numbers++;
	}
	return numbers > 0 && p > l->p && memchr(l->p, ' ',
	    (size_t)(p - l->p)) == NULL ? (size_t)(at - l->p) : 0;
}

/* "error: ..." or "warning: ..." of rustc, before " --> FILE:LINE:COL". */
static int
rustc(struct log *l)
{
	const char *nl = memchr(l->next, '\n', (size_t)(l->end - l->next));

	if (nl == NULL)
		nl = l->end;
	if (memmem(l->next, (size_t)(nl - l->next), "--> ", 4) == NULL)
		return 0;
	l->seen = 1;
	if (*l->p == 'w') {
		l->warnings++;
		return 0;
	}
	l->errors++;
	return add(l, l->p, l->p + l->len);
}

/* FILE:LINE:COL: error: ..., make: *** [TARGET] Error 1 */
static int
build(struct log *l)
{
	const char *end = l->p + l->len, *p;

	if (starts(l, "make: *** ") || starts(l, "make[") ||
	    starts(l, "ninja: build stopped")) {
		l->seen = 1;
		return 0;
	}
	if (starts(l, "error: ") || starts(l, "warning: "))
		return rustc(l);
	if ((starts(l, "error[E") || starts(l, "error TS")) &&
	    find(l, "]: ") != NULL) {
		l->errors++;
		l->seen = 1;
		return add(l, l->p, end);
	}
	if (((p = find(l, ": error: ")) != NULL || (p = find(l,
	    ": fatal error: ")) != NULL) && place(l, p) > 0) {
		l->errors++;
		l->seen = 1;
		return add(l, l->p, end);
	}
	if ((p = find(l, "): error TS")) != NULL || (p = find(l,
	    " - error TS")) != NULL) {
		l->errors++;
		l->seen = 1;
		return add(l, l->p, end);
	}
	if ((p = find(l, ": warning: ")) != NULL && place(l, p) > 0) {
		l->warnings++;
		l->seen = 1;
	}
	return 0;
}

/* --- the log -------------------------------------------------------------- */

static const struct tool {
	const char *type;
	int (*line)(struct log *l);	/* 0, or -1 with *err */
	int tests;			/* it counts tests */
	const char *sign[SIGNS];	/* one of which the text must have */
} tools[] = {
	{ "pytest", pytest, 1, { "s in ", "d in ", "r in " } },
	{ "Jest", jest, 1, { "Tests:" } },
	{ "Vitest", vitest, 1, { "Tests  " } },
	{ "Mocha", mocha, 1, { " passing (" } },
	{ "cargo test", cargo, 1, { "test result: " } },
	{ "unittest", unittest, 1, { "Ran " } },
	{ "RSpec", rspec, 1, { " failure" } },
	{ "Maven", maven, 0, { "[INFO] BUILD " } },
	{ "go test", go_test, 1, { "ok  \t", "FAIL\t" } },
	{ "TAP", tap, 1, { "ok " } },
	{ "build log", build, 0, { "error", "warning: ", "make[",
	    "make: ***", "ninja: build" } },
};

#define NTOOLS	(sizeof(tools) / sizeof(tools[0]))

static int
has_sign(const struct tool *t, const char *p, size_t len)
{
	size_t head = len < HEAD_MAX ? len : HEAD_MAX;
	size_t tail = len - head < TAIL_MAX ? len - head : TAIL_MAX, n;
	int i;

	for (i = 0; i < SIGNS && t->sign[i] != NULL; i++) {
		n = strlen(t->sign[i]);
		if (memmem(p, head, t->sign[i], n) != NULL ||
		    memmem(p + len - tail, tail, t->sign[i], n) != NULL)
			return 1;
	}
	return 0;
}

/* Leave the colors of a terminal out of the line. */
static int
plain(struct log *l, struct ctx_buf *buf, const char *p, size_t len)
{
	size_t i;

	if (len > 0 && p[len - 1] == '\r')
		len--;
	l->p = p;
	l->len = len;
	if (memchr(p, '\033', len) == NULL)
		return 0;
	ctx_buf_reset(buf);
	for (i = 0; i < len; i++) {
		if (p[i] == '\033' && i + 1 < len && p[i + 1] == '[') {
			for (i += 2; i < len && (p[i] < '@' || p[i] > '~');
			    i++)
				continue;
			continue;
		}
		ctx_buf_addc(buf, p[i]);
	}
	l->p = buf->data;
	l->len = buf->len;
	return ctx_buf_fail(buf, l->err);
}

static int
read_log(struct log *l, const struct tool *tool, const char *p, size_t len)
{
	const char *end = p + len, *nl;
	struct ctx_buf buf = { 0 };
	int rc = 0;

	for (; p < end && rc == 0; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		l->next = nl < end ? nl + 1 : end;
		l->end = end;
		rc = plain(l, &buf, p, (size_t)(nl - p));
		if (rc == 0 && l->len > 0)
			rc = tool->line(l);
	}
	ctx_buf_done(&buf);
	/* TAP that has fewer results than it planned was cut off */
	if (tool->line == tap && l->plan != 1 + l->passed + l->failed +
	    l->skipped + l->todo)
		l->seen = 0;
	return rc;
}

static void
add_figures(struct ctx_digest *d, const struct log *l, const struct tool *t)
{
	ctx_digest_figure(d, CTX_FIG_LINES, d->lines);
	if (t->tests || l->counted) {
		/* go test may not say how many passed */
		if (l->passed > 0 || (l->failed + l->errors == 0 &&
		    t->line != go_test))
			ctx_digest_figure(d, CTX_FIG_PASSED, l->passed);
		if (l->failed > 0)
			ctx_digest_figure(d, CTX_FIG_FAILED, l->failed);
		if (l->skipped > 0)
			ctx_digest_figure(d, CTX_FIG_SKIPPED, l->skipped);
	}
	if (l->errors > 0)
		ctx_digest_figure(d, CTX_FIG_ERRORS, l->errors);
	if (l->warnings > 0)
		ctx_digest_figure(d, CTX_FIG_WARNINGS, l->warnings);
}

int
ctx_kind_log(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	const struct tool *t;
	struct log l;

	if (d->from > 0 || len > LOG_MAX)
		return 0;
	for (t = tools; t < tools + NTOOLS; t++) {
		if (!has_sign(t, p, len))
			continue;
		memset(&l, 0, sizeof(l));
		l.d = d;
		l.err = err;
		if (read_log(&l, t, p, len) == -1)
			return -1;
		if (l.seen) {
			d->type = t->type;
			d->kind = CTX_FILE_LOG;
			add_figures(d, &l, t);
			return 1;
		}
		ctx_names_reset(&d->names);
	}
	return 0;
}
