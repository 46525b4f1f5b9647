/* SPDX-License-Identifier: MIT */
/* Records of interleaved conversations leave in input order. */
#include <stdlib.h>
#include <unistd.h>

#include "write/out.h"
#include "write/queue.h"
#include "check.h"
#include "seeded.h"

/*
 * Make a turn of records; rec[i] is "N
 * ", padded to `big` bytes.
 */
static void
fill(struct ctx_convo *c, const int *seq, size_t n, size_t big)
{
	struct ctx_rec *r;
	size_t i, k;

	for (i = 0; i < n; i++) {
		r = ctx_convo_add_rec(c);
		if (r == NULL || (r->block = ctx_block_new(big + 16)) == NULL)
			abort();
		k = (size_t)snprintf(r->block->data, 16, "%d", seq[i]);
		memset(r->block->data + k, ' ', big);
		r->block->data[k + big] = '\n';
		r->raw = r->block->data;
		r->len = k + big + 1;
		r->seq = (uint64_t)seq[i];
	}
}

/*
 * A turn: the numbers of its records, and what is written for it.  In pieces, a
 * number is a record and "t" a new text.
 */
struct turn {
	int seq[6];		/* ends with -1 */
	const char *pieces;
};

static void
give(struct ctx_queue *q, const struct turn *t, size_t big)
{
	struct ctx_edit e = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_piece piece[8];
	size_t n = 0;
	const char *p;

	while (t->seq[n] != -1)
		n++;
	fill(&c, t->seq, n, big);
	e.piece = piece;
	for (p = t->pieces; *p != '\0'; p++) {
		memset(&piece[e.npiece], 0, sizeof(piece[0]));
		if (*p == 't') {
			piece[e.npiece].is_text = 1;
			piece[e.npiece].off = e.text.len;
			ctx_buf_adds(&e.text, "new\n");
			piece[e.npiece].len = 4;
		} else
			piece[e.npiece].rec = (uint32_t)(*p - '0');
		e.npiece++;
	}
	CHECK_INT(ctx_queue_turn(q, &c, &e, NULL), 0);
	ctx_buf_done(&e.text);
	ctx_convo_done(&c);
}

static const struct {
	struct turn turn[5];
	const char *want;
} cases[] = {
	/* no gap: everything is written at once */
	{ { { { 0, -1 }, "0" }, { { 1, 2, -1 }, "01" }, { { 3, -1 }, "0" } },
	    "0 1 2 3 " },
	/* two conversations, the first of which is decided last */
	{ { { { 1, -1 }, "0" }, { { 3, -1 }, "0" }, { { 0, 2, -1 }, "01" } },
	    "0 1 2 3 " },
	/* records that are cut leave no gap */
	{ { { { 1, -1 }, "" }, { { 0, 2, -1 }, "1" }, { { 3, -1 }, "0" } },
	    "2 3 " },
	{ { { { 0, 2, -1 }, "" }, { { 1, -1 }, "0" } }, "1 " },
	/* a new text is written with the last record of its turn */
	{ { { { 1, 3, -1 }, "01t" }, { { 2, -1 }, "0" }, { { 0, -1 }, "0" } },
	    "0 1 2 3 new " },
	{ { { { 1, 3, -1 }, "0t1" }, { { 2, -1 }, "0" }, { { 0, -1 }, "0" } },
	    "0 1 2 new 3 " },
	{ { { { 1, 2, 3, -1 }, "2t" }, { { 0, -1 }, "0" } }, "0 3 new " },
	/* another order within a turn */
	{ { { { 0, 2, 4, -1 }, "021" }, { { 1, -1 }, "0" }, { { 3, -1 },
	    "0" } }, "0 1 4 3 2 " },
};

/* What was written to fd, without padding, with spaces for newlines. */
static char *
written(int fd)
{
	static char out[65536];
	char block[4096];
	size_t n = 0;
	ssize_t r, i;

	lseek(fd, 0, SEEK_SET);
	while ((r = read(fd, block, sizeof(block))) > 0)
		for (i = 0; i < r && n < sizeof(out) - 1; i++)
			if (block[i] != ' ')
				out[n++] = block[i] == '\n' ? ' ' : block[i];
	out[n] = '\0';
	return out;
}

/* ctx_queue_fn */
static int
put_line(void *arg, const char *raw, size_t len, struct ctx_block *block,
    struct ctx_err *err)
{
	return ctx_out_line(arg, raw, len, block, err);
}

static int
temporary(void)
{
	char name[] = "/tmp/ctx-test-XXXXXX";
	int fd = mkstemp(name);

	if (fd == -1)
		abort();
	unlink(name);
	return fd;
}

static void
test_table(void)
{
	struct ctx_queue q;
	struct ctx_out out;
	size_t i, k;
	int fd;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fd = temporary();
		ctx_out_init(&out, fd, "test");
		ctx_queue_init(&q, put_line, &out);
		for (k = 0; cases[i].turn[k].pieces != NULL; k++)
			give(&q, &cases[i].turn[k], 0);
		CHECK_INT(q.nwait, 0);
		CHECK_INT(q.bytes, 0);
		CHECK_INT(ctx_out_flush(&out, NULL), 0);
		CHECK_STR(written(fd), cases[i].want);
		ctx_queue_done(&q);
		ctx_out_done(&out);
		close(fd);
	}
}

/* Give a turn of the n records that waited, in their order. */
static void
give_waiting(struct ctx_queue *q, const int *seq, int n)
{
	char pieces[] = "01234";
	struct turn t = { { 0 }, pieces };

	memcpy(t.seq, seq, (size_t)n * sizeof(*seq));
	t.seq[n] = -1;
	pieces[n] = '\0';
	give(q, &t, 0);
}

/* Many random conversations: all records leave in input order. */
static void
test_random(void)
{
	enum { N = 600, CONVERSATIONS = 7 };
	int waiting[CONVERSATIONS][5], n[CONVERSATIONS] = { 0 };
	struct ctx_queue q;
	struct ctx_out out;
	char want[16], *p;
	int fd = temporary(), i, k;

	ctx_out_init(&out, fd, "test");
	ctx_queue_init(&q, put_line, &out);
	for (i = 0; i < N; i++) {
		k = (int)seeded(CONVERSATIONS);
		waiting[k][n[k]++] = i;
		if (n[k] == 5 || seeded(4) == 0) {
			give_waiting(&q, waiting[k], n[k]);
			n[k] = 0;
		}
	}
	for (k = 0; k < CONVERSATIONS; k++)
		if (n[k] > 0)
			give_waiting(&q, waiting[k], n[k]);
	CHECK_INT(q.nwait, 0);
	CHECK_INT(ctx_out_flush(&out, NULL), 0);
	for (i = 0, p = written(fd); i < N; i++) {
		snprintf(want, sizeof(want), "%d ", i);
		if (!CHECK(strncmp(p, want, strlen(want)) == 0))
			break;
		p += strlen(want);
	}
	ctx_queue_done(&q);
	ctx_out_done(&out);
	close(fd);
}

/*
 * A record that waits too long is overtaken.  Memory stays below the limit,
 * each conversation keeps its order, and nothing is lost.
 */
static void
test_overtaking(void)
{
	static const struct turn late = { { 0, 10, -1 }, "0t1" };
	static const struct turn last = { { 11, -1 }, "0" };
	struct turn t = { { 0, -1 }, "0" };
	struct ctx_queue q;
	struct ctx_out out;
	int fd = temporary(), i;

	ctx_out_init(&out, fd, "test");
	ctx_queue_init(&q, put_line, &out);
	for (i = 1; i < 10; i++) {
		t.seq[0] = i;
		give(&q, &t, CTX_QUEUE_MAX / 8);
		CHECK(q.bytes <= CTX_QUEUE_MAX);
	}
	give(&q, &late, 0);
	give(&q, &last, 0);
	CHECK_INT(q.nwait, 0);
	CHECK_INT(q.bytes, 0);
	CHECK_INT(ctx_out_flush(&out, NULL), 0);
	CHECK_STR(written(fd), "1 2 3 4 5 6 7 8 9 0 new 10 11 ");
	ctx_queue_done(&q);
	ctx_out_done(&out);
	close(fd);
}

int
main(void)
{
	RUN(test_table());
	RUN(test_random());
	RUN(test_overtaking());
	return CHECK_DONE("queue");
}
