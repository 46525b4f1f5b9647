/* SPDX-License-Identifier: MIT */
/* Lines of a descriptor, at all borders of blocks and reads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "read/line.h"
#include "check.h"
#include "seeded.h"

#define BOM "\xef\xbb\xbf"

/* Text that is written to a pipe in parts of at most this many bytes. */
struct source {
	const char *p;
	size_t len, most;
	int fd;
};

static void *
feed(void *arg)
{
	struct source *s = arg;
	size_t n;
	ssize_t w;

	while (s->len > 0) {
		n = 1 + seeded((uint32_t)s->most);
		if (n > s->len)
			n = s->len;
		if ((w = write(s->fd, s->p, n)) == -1)
			break;
		s->p += w;
		s->len -= (size_t)w;
	}
	close(s->fd);
	return NULL;
}

/* Read text as lines, each complete, which together must be the text. */
static void
round_trip(const char *text, size_t len, size_t most, size_t nlines)
{
	struct source s = { text, len, most, -1 };
	struct ctx_buf all = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	struct ctx_err err = { 0 };
	pthread_t thread;
	size_t n = 0, whole = 1;
	int fd[2], rc;

	if (pipe(fd) == -1)
		abort();
	s.fd = fd[1];
	if (pthread_create(&thread, NULL, feed, &s) != 0)
		abort();
	ctx_reader_init(&r, fd[0]);
	while ((rc = ctx_reader_next(&r, &line, &err)) == 1) {
		n++;
		ctx_buf_add(&all, line.raw, line.len);
		whole &= line.len > 0 && (all.len == len ||
		    line.raw[line.len - 1] == '\n' ||
		    (n == 1 && line.len == 3));
		whole &= memchr(line.raw, '\n', line.len - 1) == NULL;
	}
	CHECK_INT(rc, 0);
	CHECK(whole);
	CHECK_INT(n, nlines);
	CHECK(all.len == len && (len == 0 || memcmp(all.data, text, len) == 0));
	pthread_join(thread, NULL);
	ctx_reader_done(&r);
	ctx_buf_done(&all);
	close(fd[0]);
}

static const struct {
	const char *text;
	size_t n;
} cases[] = {
	{ "", 0 }, { "\n", 1 }, { "a", 1 }, { "a\n", 1 }, { "a\nb", 2 },
	{ "\n\n\n", 3 }, { "a\r\nb\r\n", 2 }, { "\r", 1 },
	{ BOM, 1 }, { BOM "a\n", 2 }, { BOM "\n", 2 }, { "a" BOM "\n", 1 },
	{ "\xef\xbb", 1 }, { "\xef\xbb\n", 1 }, { BOM BOM "\n", 2 },
};

static void
test_small(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		round_trip(cases[i].text, strlen(cases[i].text), 100,
		    cases[i].n);
		round_trip(cases[i].text, strlen(cases[i].text), 1,
		    cases[i].n);
	}
}

/* Lines that end just before, at and after the end of a block. */
static void
test_borders(void)
{
	static const size_t block = 256 * 1024, room = 64 * 1024;
	size_t lens[] = { block, block - 1, block + 1, block - room,
	    block - room - 1, block - room + 1, 2 * block, 2 * block + 1,
	    5 * block };
	size_t i, len;
	char *text;

	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		len = lens[i] + 10;
		if ((text = malloc(len)) == NULL)
			abort();
		memset(text, 'x', len);
		text[lens[i] - 1] = '\n';
		text[lens[i] + 4] = '\n';
		round_trip(text, len, 70000, 3);
		text[0] = '\n';
		round_trip(text, len, 4096, 4);
		free(text);
	}
}

static void
test_random(void)
{
	struct ctx_buf text = { 0 };
	size_t i, k, n, lines;
	int round;

	for (round = 0; round < 20; round++) {
		ctx_buf_reset(&text);
		lines = seeded(300);
		for (i = 0; i < lines; i++) {
			n = seeded(3) ? seeded(80) : seeded(30000);
			for (k = 0; k < n; k++)
				ctx_buf_addc(&text, (char)('a' + k % 26));
			ctx_buf_addc(&text, '\n');
		}
		round_trip(text.data != NULL ? text.data : "", text.len,
		    1 + seeded(100000), lines);
	}
	ctx_buf_done(&text);
}

/* ' is written for ".  A bar ends each line that a reader of documents gives. */
static const struct {
	const char *text;
	const char *lines;	/* each after its number */
} documents[] = {
	{ "{\n'a':1\n}\n", "1{\n'a':1\n}\n|" },
	{ "\n \t{\n'a':1}", "1\n|2 \t{\n'a':1}|" },
	{ BOM "[\n]\n", "1" BOM "|1[\n]\n|" },
	{ "[1\n,2]\n[3]\n[\n4]\n", "1[1\n,2]\n|3[3]\n|4[\n4]\n|" },
	{ "{'a':'}\\'}'\n}\n\n{\n}\n", "1{'a':'}\\'}'\n}\n|3\n|4{\n}\n|" },
	/* a file that begins with a whole line has no documents */
	{ "{}\n{\n}\n", "1{}\n|2{\n|3}\n|" },
	{ "1\n{\n}\n", "11\n|2{\n|3}\n|" },
	{ "{]\n{\n}\n", "1{]\n|2{\n|3}\n|" },
	/* and what is not JSON is lines */
	{ "{'a\n'}\n", "1{'a\n|2'}\n|" },
	{ "{'a':\n{}\n{}\n}\n", "1{'a':\n|2{}\n|3{}\n|4}\n|" },
	{ "{\n} {}\n{\n}\n", "1{\n|2} {}\n|3{\n|4}\n|" },
	{ "{\n}\n{\n}x\n{\n}\n", "1{\n}\n|3{\n|4}x\n|5{\n}\n|" },
	{ "{'a':\n", "1{'a':\n|" },
	/* one that is cut off stays together: it is one mistake, not many */
	{ "{\n'a':[\n1", "1{\n'a':[\n1|" },
	{ "{\n'a\n", "1{\n|2'a\n|" },
};

static void
test_documents(void)
{
	char text[64], *q;
	struct ctx_buf got = { 0 };
	struct ctx_line line;
	struct ctx_reader r;
	struct ctx_err err;
	size_t i;
	int fd[2];

	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		strcpy(text, documents[i].text);
		for (q = text; (q = strchr(q, '\'')) != NULL;)
			*q = '"';
		if (pipe(fd) == -1 || write(fd[1], text, strlen(text)) == -1)
			abort();
		close(fd[1]);
		ctx_reader_init(&r, fd[0]);
		r.documents = 1;
		ctx_buf_reset(&got);
		while (ctx_reader_next(&r, &line, &err) == 1)
			ctx_buf_addf(&got, "%d%.*s|", (int)line.no,
			    (int)line.len, line.raw);
		ctx_buf_addc(&got, '\0');
		for (q = got.data; (q = strchr(q, '"')) != NULL;)
			*q = '\'';
		CHECK_STR(got.data, documents[i].lines);
		ctx_reader_done(&r);
		close(fd[0]);
	}
	ctx_buf_done(&got);
}

static int odd_calls;

static int
every_other(void *arg, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	return ++odd_calls % 2 == 1 ? -1 : 0;
}

/*
 * A reader that was stopped before a read goes on with the same document, also
 * in another block, and leaves what it gave as it was.
 */
static void
test_stop(void)
{
	char name[] = "/tmp/ctx-test-XXXXXX", row[] = "[\n    1,\n";
	struct ctx_block *spare = NULL, *was;
	int fd = mkstemp(name), i, k, docs = 0;
	struct ctx_line line;
	struct ctx_reader r;

	if (fd == -1)
		abort();
	unlink(name);
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 25000; k++)
			if (write(fd, k == 0 ? row : row + 2, k == 0 ? 9 : 7)
			    == -1)
				abort();
		if (write(fd, "2]\n", 3) != 3)
			abort();
	}
	lseek(fd, 0, SEEK_SET);
	ctx_reader_init(&r, fd);
	r.documents = 1;
	r.before_read = every_other;
	while ((i = ctx_reader_next(&r, &line, NULL)) != 0) {
		was = r.cur;
		CHECK_INT(ctx_reader_swap(&r, &spare), 0);
		CHECK(spare == was && r.cur != was);
		if (i == -1)
			continue;
		docs++;
		CHECK_INT(line.len, 9 + 24999 * 7 + 3);
		CHECK_INT(line.no, 1 + 25002 * (docs - 1));
		CHECK(memcmp(line.raw + line.len - 6, "1,\n2]\n", 6) == 0);
	}
	CHECK_INT(docs, 4);
	CHECK(odd_calls > 5);
	ctx_block_drop(spare);
	ctx_reader_done(&r);
	close(fd);
}

/* A line that is held does not change while the reader continues. */
static void
test_hold(void)
{
	struct ctx_line line, held[8];
	struct ctx_reader r;
	char name[] = "/tmp/ctx-test-XXXXXX";
	int fd = mkstemp(name), i, k, n = 0;
	char row[64];

	if (fd == -1)
		abort();
	unlink(name);
	for (i = 0; i < 40000; i++) {
		k = snprintf(row, sizeof(row), "line %d of many lines\n", i);
		if (write(fd, row, (size_t)k) != k)
			abort();
	}
	lseek(fd, 0, SEEK_SET);
	ctx_reader_init(&r, fd);
	for (i = 0; ctx_reader_next(&r, &line, NULL) == 1; i++) {
		CHECK_INT(line.no, i + 1);
		if (i % 5000 == 0) {
			ctx_block_hold(line.block);
			held[n++] = line;
		}
	}
	CHECK_INT(i, 40000);
	ctx_reader_done(&r);
	for (i = 0; i < n; i++) {
		snprintf(row, sizeof(row), "line %d of many lines\n", i * 5000);
		CHECK_MEM(held[i].raw, held[i].len, row);
		ctx_block_drop(held[i].block);
	}
	close(fd);
}

static int calls;

static int
before(void *arg, struct ctx_err *err)
{
	calls++;
	return *(int *)arg == calls ? ctx_fail(err, CTX_ENO, "enough") : 0;
}

static void
test_errors(void)
{
	struct ctx_err err = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	int fd = open("/", O_RDONLY), stop = 1;

	ctx_reader_init(&r, fd);
	CHECK_INT(ctx_reader_next(&r, &line, &err), -1);
	CHECK_INT(err.code, CTX_ESYSTEM);
	CHECK(strncmp(err.text, "cannot read: ", 13) == 0);
	ctx_reader_done(&r);
	/* the caller can prevent a read */
	ctx_err_clear(&err);
	ctx_reader_init(&r, fd);
	r.before_read = before;
	r.arg = &stop;
	CHECK_INT(ctx_reader_next(&r, &line, &err), -1);
	CHECK_STR(err.text, "enough");
	CHECK_INT(calls, 1);
	ctx_reader_done(&r);
	close(fd);
}

int
main(void)
{
	RUN(test_small());
	RUN(test_borders());
	RUN(test_random());
	RUN(test_documents());
	RUN(test_stop());
	RUN(test_hold());
	RUN(test_errors());
	return CHECK_DONE("line");
}
