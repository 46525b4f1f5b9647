/* SPDX-License-Identifier: MIT */
/* Run a job on a text, and collect its results as text. */
#ifndef CTX_TESTS_JOBS_H
#define CTX_TESTS_JOBS_H

#include <stdlib.h>
#include <unistd.h>

#include "job/run.h"

struct gave {
	struct ctx_buf out, side, rows;	/* row: "rule line name text\n" */
	struct ctx_buf bad;		/* "line:col\n" of each bad line; "cut"
					   before the newline if the file ends
					   in it */
	size_t fail_at;			/* bytes that out accepts; 0: all */
};

static inline int
gave_bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct gave *g = arg;

	(void)block;
	if (g->fail_at > 0 && g->out.len + len > g->fail_at)
		return ctx_fail(err, CTX_ESYSTEM, "full");
	ctx_buf_add(to == CTX_TO_SIDE ? &g->side : &g->out, p, len);
	return 0;
}

static inline int
gave_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct gave *g = arg;

	(void)err;
	ctx_buf_addf(&g->rows, "%s %d %.*s %.*s\n",
	    row->rule != NULL ? row->rule : "-", (int)row->line,
	    (int)row->namelen, row->name != NULL ? row->name : "",
	    (int)row->textlen, row->text != NULL ? row->text : "");
	return 0;
}

static inline void
gave_bad(void *arg, const struct ctx_line *line, const struct ctx_err *err)
{
	struct gave *g = arg;

	(void)line;
	ctx_buf_addf(&g->bad, "%d:%d%s\n", (int)err->line, (int)err->col,
	    strstr(err->text, " (the last line is cut off)") != NULL ?
	    " cut" : "");
}

static inline void
gave_done(struct gave *g)
{
	ctx_buf_done(&g->out);
	ctx_buf_done(&g->side);
	ctx_buf_done(&g->rows);
	ctx_buf_done(&g->bad);
	memset(g, 0, sizeof(*g));
}

/* Create a file with the text, positioned at its beginning. */
static inline int
file_of(const char *text, size_t len)
{
	char name[] = "/tmp/ctx-test-XXXXXX";
	int fd = mkstemp(name);

	if (fd == -1 || unlink(name) == -1 ||
	    write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

/* Run the job on the text with that many threads; returns as ctx_run_fd. */
static inline int
run_text(struct ctx_job *j, struct gave *g, const struct ctx_buf *text,
    unsigned threads, enum ctx_on_error how)
{
	struct ctx_run r = { .job = j, .threads = threads, .on_error = how,
	    .bad = gave_bad, .arg = g };
	struct ctx_err err = { 0 };
	int fd = file_of(text->data, text->len), rc;

	j->sink = (struct ctx_sink){ gave_bytes, gave_row, g };
	rc = ctx_run_fd(&r, fd, &err);
	ctx_run_done(&r);
	close(fd);
	return rc;
}

/* Give the job, whose sink is set, the lines of the text, and end it. */
static inline int
give_text(struct ctx_job *j, const struct ctx_buf *text, struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(text->data, text->len);
	struct ctx_line line = { .block = block };
	size_t at = 0;
	int rc = block == NULL ? ctx_fail_nomem(err) : 0;

	for (; rc == 0 && at < text->len; at += line.len) {
		line.raw = block->data + at;
		line.len = (size_t)((const char *)memchr(line.raw, '\n',
		    text->len - at) + 1 - line.raw);
		line.no++;
		rc = ctx_job_line(j, &line, err);
	}
	if (rc == 0)
		rc = ctx_job_end(j, err);
	ctx_block_drop(block);
	return rc;
}

/* run_text with the text n times; it must succeed. */
static inline void
run_times(struct ctx_job *j, struct gave *g, const char *text, size_t n,
    unsigned threads)
{
	struct ctx_buf in = { 0 };

	while (n-- > 0)
		ctx_buf_adds(&in, text);
	CHECK_INT(run_text(j, g, &in, threads, CTX_BAD_STOP), 0);
	ctx_buf_done(&in);
}

/* An empty buffer may have no memory. */
#define CHECK_BUF(b, want) \
	CHECK_MEM((b)->len > 0 ? (b)->data : "", (b)->len, want)

/* Do both have the same bytes? */
#define CHECK_SAME(a, b) \
	CHECK((a)->len == (b)->len && ((a)->len == 0 || \
	    memcmp((a)->data, (b)->data, (a)->len) == 0))

static inline void
check_same(const struct gave *a, const struct gave *b)
{
	CHECK_SAME(&a->out, &b->out);
	CHECK_SAME(&a->side, &b->side);
	CHECK_SAME(&a->rows, &b->rows);
	CHECK_SAME(&a->bad, &b->bad);
}

/* Runs the job of row i on its text, n times; *did gets its sums. */
typedef void run_fn(size_t i, size_t n, unsigned threads, struct gave *g,
    void *did);

/* Do three threads give what one does?  size is that of *did. */
static inline void
check_threads(run_fn *run, size_t i, size_t n, size_t size)
{
	struct gave one = { 0 }, many = { 0 };
	void *a = calloc(1, size), *b = calloc(1, size);

	run(i, n, 1, &one, a);
	run(i, n, 3, &many, b);
	check_same(&many, &one);
	CHECK(memcmp(a, b, size) == 0);
	free(a);
	free(b);
	gave_done(&one);
	gave_done(&many);
}

#endif
