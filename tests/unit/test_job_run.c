/* SPDX-License-Identifier: MIT */
/*
 * A job that only prints what it gets, with one and several threads, so that a
 * wrong order, an additional line or a lost figure is found at once.
 */
#include <inttypes.h>
#include <pthread.h>

#include "check.h"
#include "jobs.h"
#include "seeded.h"

struct toy {
	struct ctx_job job;
	uint64_t turns;
	uint64_t fail_at;	/* the line at which it fails; 0: never */
};

static int
toy_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	const struct ctx_rec *r = &turn->convo->rec[0];
	struct ctx_row row = { .rule = "turn", .line = r->line };
	struct ctx_edit e = { 0 };
	struct ctx_piece piece;
	struct toy *t = job;

	t->turns++;
	if (t->fail_at > 0 && r->line >= t->fail_at)
		return ctx_fail(err, CTX_ESYSTEM, "failed");
	if (turn->strand != NULL) {
		turn->strand->state = t;
		row.name = turn->strand->key;
		row.namelen = turn->strand->keylen;
	}
	if (ctx_job_put_row(&t->job, &row, err) == -1 || ctx_job_put(&t->job,
	    CTX_TO_SIDE, r->raw, r->len, NULL, err) == -1)
		return -1;
	memset(&piece, 0, sizeof(piece));
	e.piece = &piece;
	e.npiece = 1;
	return ctx_job_put_turn(&t->job, turn->convo, &e, err);
}

static int
toy_end(struct ctx_strand *th, void *job, struct ctx_err *err)
{
	struct ctx_row row = { .rule = "end", .name = th->key,
	    .namelen = th->keylen };

	if (th->state == NULL)
		return 0;
	return ctx_job_put_row(job, &row, err);
}

static struct ctx_job *toy_another(const struct ctx_job *, struct ctx_err *);

static void
toy_add(struct ctx_job *to, struct ctx_job *from)
{
	if (to != NULL)
		((struct toy *)to)->turns += ((struct toy *)from)->turns;
	((struct toy *)from)->turns = 0;
}

static const struct ctx_job_kind toy_kind = { .turn = toy_turn,
	.end = toy_end, .another = toy_another, .add = toy_add };

static struct toy *
toy_new(const char *by)
{
	struct toy *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	ctx_job_init(&t->job, &toy_kind);
	t->job.turns.by = by;
	return t;
}

static struct ctx_job *
toy_another(const struct ctx_job *job, struct ctx_err *err)
{
	struct toy *t = toy_new(NULL);

	(void)err;
	t->fail_at = ((const struct toy *)job)->fail_at;
	return &t->job;
}

/* --- inputs ------------------------------------------------------------ */

static void
pad(struct ctx_buf *b)
{
	char x[300];

	memset(x, 'x', sizeof(x));
	ctx_buf_add(b, x, seeded(sizeof(x)));
}

/*
 * Add a line of this kind: c conversation, m message, a call, d message with
 * 30,000 nodes, b bad, n blank, o other.
 */
static void
add_line(struct ctx_buf *b, char kind)
{
	int i;

	switch (kind) {
	case 'c':
		ctx_buf_adds(b, "{\"messages\":[{\"role\":\"user\","
		    "\"content\":\"");
		pad(b);
		ctx_buf_adds(b, "\"}]}\n");
		break;
	case 'm':
		ctx_buf_addf(b, "{\"k\":\"%d\",\"role\":\"user\","
		    "\"content\":\"", (int)seeded(40));
		pad(b);
		ctx_buf_adds(b, "\"}\n");
		break;
	case 'a':	/* a call, whose turn stays open until the next line */
		ctx_buf_addf(b, "{\"k\":\"%d\",\"role\":\"assistant\","
		    "\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":"
		    "\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
		    "\"{}\"}}]}\n", (int)seeded(40));
		break;
	case 'd':
		ctx_buf_addf(b, "{\"k\":\"%d\",\"role\":\"user\","
		    "\"content\":\"\",\"x\":[{}", (int)seeded(4));
		for (i = 0; i < 30000; i++)
			ctx_buf_adds(b, ",{}");
		ctx_buf_adds(b, "]}\n");
		break;
	case 'b':
		ctx_buf_adds(b, "{\"k\":\"3\", oops\n");
		break;
	case 'n':
		ctx_buf_adds(b, "\n");
		break;
	case 'o':
		ctx_buf_adds(b, "{\"meta\":1}\n");
		break;
	}
}

/* Add n random lines of these kinds. */
static void
add_lines(struct ctx_buf *b, const char *kinds, int n)
{
	while (n-- > 0)
		add_line(b, kinds[seeded(strlen(kinds))]);
}

/* --- several threads give the same result as one ----------------------- */

static void
compare(const struct ctx_buf *in, const char *by, enum ctx_on_error how,
    uint64_t fail_at)
{
	static const unsigned threads[] = { 2, 3, 5 };
	struct gave one = { 0 }, many = { 0 };
	struct toy *t = toy_new(by), *m;
	int rc;
	size_t i;

	t->fail_at = fail_at;
	rc = run_text(&t->job, &one, in, 1, how);
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		m = toy_new(by);
		m->fail_at = fail_at;
		CHECK_INT(run_text(&m->job, &many, in, threads[i], how), rc);
		check_same(&many, &one);
		if (fail_at == 0) {
			CHECK_INT(m->turns, t->turns);
			CHECK_INT(m->job.changed, t->job.changed);
			CHECK_INT(m->job.cut_off, t->job.cut_off);
		}
		gave_done(&many);
		ctx_job_free(&m->job);
	}
	gave_done(&one);
	ctx_job_free(&t->job);
}

/* Lines of the first kinds, then of the second; they fill several batches. */
static const struct {
	const char *first, *second;
} mixes[] = {
	{ "c", "" }, { "ccccccccccn", "" }, { "cccccccccco", "" },
	{ "c", "m" }, { "c", "mma" }, { "ma", "" }, { "ma", "c" },
	{ "cma", "" }, { "cccccccccccccccccccccccb", "m" }, { "mamamamamab", "" },
	{ "mmmmmmmmmmmmmman", "" }, { "n", "c" }, { "b", "" }, { "nob", "m" }
};

static void
test_mixes(const char *by, enum ctx_on_error how)
{
	struct ctx_buf in = { 0 };
	size_t i;

	for (i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++) {
		ctx_buf_reset(&in);
		add_lines(&in, mixes[i].first, 1000);
		if (*mixes[i].second != '\0')
			add_lines(&in, mixes[i].second, 500);
		compare(&in, by, how, 0);
		in.len -= in.len > 3 ? 3 : 0;	/* truncate the last line */
		compare(&in, by, how, 0);
	}
	ctx_buf_done(&in);
}

/* Enough lines for several batches. */
static void
test_many(const char *by, const char *kinds, int n, const char *then)
{
	struct ctx_buf in = { 0 };

	add_lines(&in, kinds, n);
	add_lines(&in, then, 2000);
	compare(&in, by, CTX_BAD_STOP, 0);
	compare(&in, by, CTX_BAD_SKIP, 0);
	ctx_buf_done(&in);
}

/* More nodes in a batch than are kept from the search for keys. */
static void
test_dense(void)
{
	struct ctx_buf in = { 0 };

	add_lines(&in, "dmma", 60);
	compare(&in, "k", CTX_BAD_STOP, 0);
	ctx_buf_done(&in);
}

/* A failure in a thread gives the same result as in a single thread. */
static void
test_failure(const char *by)
{
	struct ctx_buf in = { 0 };

	add_lines(&in, by != NULL ? "m" : "c", 30000);
	compare(&in, by, CTX_BAD_STOP, 1);
	compare(&in, by, CTX_BAD_STOP, 12345);
	compare(&in, by, CTX_BAD_STOP, 29990);
	ctx_buf_done(&in);
}

/* --- cases written by hand --------------------------------------------- */

/* Calls of two conversations: turns are passed on when they end. */
static void
test_order(unsigned threads)
{
	static const char in[] =
	    "{\"k\":1,\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":2,\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
	    "[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":"
	    "\"f\",\"arguments\":\"{}\"}}]}\n"
	    "{\"k\":1,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":2,\"role\":\"assistant\",\"content\":\"c\"}\n"
	    "{\"k\":3,\"role\":\"user\",\"content\":\"d\"}\n"
	    "nonsense\n"
	    "{\"k\":1,\"role\":\"user\",\"content\":\"e\"}\n";
	struct toy *t = toy_new("k");
	struct ctx_buf text = { (char *)(uintptr_t)in, sizeof(in) - 1, 0, 0 };
	struct gave g = { 0 };

	CHECK_INT(run_text(&t->job, &g, &text, threads, CTX_BAD_SKIP), 0);
	CHECK_BUF(&g.rows,
	    "turn 1 1 \n" "turn 3 1 \n" "turn 5 3 \n" "turn 7 1 \n"
	    "end 0 1 \n" "turn 2 2 \n" "end 0 2 \n" "end 0 3 \n");
	CHECK_BUF(&g.bad, "6:2\n");
	CHECK_INT(t->job.changed, 1);
	gave_done(&g);
	ctx_job_free(&t->job);
}

/* The last line has no newline: it may have been cut off, if it is bad. */
static void
test_last(const char *in, unsigned threads, const char *rows, const char *bad)
{
	struct toy *t = toy_new(NULL);
	struct ctx_buf text = { 0 };
	struct gave g = { 0 };

	ctx_buf_adds(&text, in);
	CHECK_INT(run_text(&t->job, &g, &text, threads, CTX_BAD_TELL), 0);
	CHECK_BUF(&g.rows, rows);
	CHECK_BUF(&g.bad, bad);
	CHECK_INT(t->job.changed, 0);
	CHECK_INT(t->job.cut_off, 0);
	gave_done(&g);
	ctx_buf_done(&text);
	ctx_job_free(&t->job);
}

/* When the output is full, there is an error, and nothing follows it. */
static void
test_full(unsigned threads)
{
	struct toy *t = toy_new(NULL);
	struct ctx_buf in = { 0 };
	struct gave g = { .fail_at = 5000000 };

	add_lines(&in, "c", 40000);
	CHECK(in.len > 2 * g.fail_at / 2);
	CHECK_INT(run_text(&t->job, &g, &in, threads, CTX_BAD_STOP), -1);
	CHECK(g.out.len > g.fail_at - 1000 && g.out.len <= g.fail_at);
	CHECK(memcmp(g.out.data, in.data, g.out.len) == 0);
	gave_done(&g);
	ctx_buf_done(&in);
	ctx_job_free(&t->job);
}

/* --- several files, and what is asked before a read ---------------------- */

/* What a run with callbacks is asked. */
struct asked {
	struct gave gave;
	int waits, firsts;
	int no;			/* number of waits at which there is an error */
	int taken;		/* what first returns */
	struct ctx_buf lines;	/* the lines that first was given */
};

static int
wait_for(void *arg, struct ctx_err *err)
{
	struct asked *a = arg;

	return ++a->waits == a->no ? ctx_fail(err, CTX_ESYSTEM, "no") : 0;
}

static int
first_of(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct asked *a = arg;

	(void)r;
	a->firsts++;
	ctx_buf_addf(&a->lines, "%d ", (int)line->no);
	return a->taken == -1 ? ctx_fail(err, CTX_EINPUT, "not this") :
	    a->taken;
}

static void
asked_bad(void *arg, const struct ctx_line *line, const struct ctx_err *err)
{
	struct asked *a = arg;

	gave_bad(&a->gave, line, err);
}

/* Files one after the other, with the same run. */
static void
run_files(const struct ctx_buf *in, size_t n, const char *by, unsigned threads,
    struct asked *a, int *rc)
{
	struct toy *t = toy_new(by);
	struct ctx_run r = { .job = &t->job, .threads = threads,
	    .on_error = CTX_BAD_STOP, .waiting = wait_for, .first = first_of,
	    .bad = asked_bad, .arg = a };
	struct ctx_err err;
	size_t i;
	int fd;

	t->job.sink = (struct ctx_sink){ gave_bytes, gave_row, &a->gave };
	for (i = 0; i < n; i++) {
		ctx_err_clear(&err);
		fd = file_of(in[i].data, in[i].len);
		rc[i] = ctx_run_fd(&r, fd, &err);
		ctx_buf_addf(&a->gave.rows, "file %d %d turns %d %d\n",
		    (int)i, t->job.cut_off, (int)t->job.turns.held.records,
		    (int)t->job.turns.held.messages);
		close(fd);
	}
	ctx_run_done(&r);
	ctx_job_free(&t->job);
}

static void
asked_done(struct asked *a)
{
	gave_done(&a->gave);
	ctx_buf_done(&a->lines);
	memset(a, 0, sizeof(*a));
}

#define FILES 5

static void
test_files(const char *by)
{
	static const char *const kinds[FILES] = { "c", "ma", "cccccccccmb",
	    "n", "cn" };
	struct ctx_buf in[FILES] = { { 0 } };
	struct asked one = { .taken = 0 }, many = { .taken = 0 };
	int want[FILES], got[FILES], i;
	unsigned threads;

	for (i = 0; i < FILES; i++)
		add_lines(&in[i], kinds[i], 3000);
	run_files(in, FILES, by, 1, &one, want);
	for (threads = 2; threads < 4; threads++) {
		run_files(in, FILES, by, threads, &many, got);
		for (i = 0; i < FILES; i++)
			CHECK_INT(got[i], want[i]);
		check_same(&many.gave, &one.gave);
		CHECK_SAME(&many.lines, &one.lines);
		CHECK_INT(many.firsts, 4);
		CHECK(many.waits >= FILES);
		asked_done(&many);
	}
	CHECK_INT(one.firsts, 4);
	asked_done(&one);
	for (i = 0; i < FILES; i++)
		ctx_buf_done(&in[i]);
}

/* The byte order mark is a line of its own. */
#define BLANK	"turn 1  \nturn 2  \nturn 3  \n"

/* The first line that is not blank may take the file, or fail. */
static void
test_first(int taken, unsigned threads)
{
	struct asked a = { .taken = taken };
	struct ctx_buf in = { 0 };
	int rc;

	ctx_buf_adds(&in, "\xef\xbb\xbf\n \t\r\n\n{\"k\":1,\"role\":\"user\","
	    "\"content\":\"a\"}\n{\"k\":2,\"role\":\"user\","
	    "\"content\":\"b\"}\n");
	run_files(&in, 1, NULL, threads, &a, &rc);
	CHECK_BUF(&a.lines, "4 ");
	CHECK_INT(rc, taken == -1 ? -1 : 0);
	if (taken != -1)
		CHECK_BUF(&a.gave.rows, taken == 0 ?
		    "turn 1  \n" BLANK "turn 4  \nturn 5  \nend 0  \n"
		    "file 0 0 turns 2 2\n" :
		    "turn 1  \n" BLANK "end 0  \nfile 0 0 turns 0 0\n");
	asked_done(&a);
	ctx_buf_done(&in);
}

/* An error before a read ends the file. */
static void
test_wait(unsigned threads, int no)
{
	struct asked a = { .no = no };
	struct ctx_buf in = { 0 };
	int rc[2];

	add_lines(&in, "c", 1000);
	run_files((const struct ctx_buf[]){ in, in }, 2, NULL, threads, &a,
	    rc);
	CHECK_INT(rc[0], no == 1 ? -1 : 0);
	CHECK_INT(a.waits > no, 1);
	asked_done(&a);
	ctx_buf_done(&in);
}

/* --- a slow stream ----------------------------------------------------- */

struct trickle {
	int pipe[2];
	struct gave gave;
	pthread_mutex_t lock;
	pthread_cond_t more;
	int lines;		/* lines that were output */
};

static int
trickle_bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct trickle *t = arg;

	(void)p;
	(void)len;
	(void)block;
	(void)err;
	if (to != CTX_TO_OUT)
		return 0;
	pthread_mutex_lock(&t->lock);
	t->lines++;
	pthread_cond_signal(&t->more);
	pthread_mutex_unlock(&t->lock);
	return 0;
}

static int
trickle_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	(void)arg;
	(void)row;
	(void)err;
	return 0;
}

/* Write each line when the one before has been output. */
static void *
trickle(void *arg)
{
	struct trickle *t = arg;
	struct ctx_buf b = { 0 };
	int i;

	for (i = 0; i < 20; i++) {
		ctx_buf_reset(&b);
		add_line(&b, 'c');
		if (write(t->pipe[1], b.data, b.len / 2) == -1 ||
		    write(t->pipe[1], b.data + b.len / 2, b.len - b.len / 2)
		    == -1)
			abort();
		pthread_mutex_lock(&t->lock);
		while (t->lines <= i)
			pthread_cond_wait(&t->more, &t->lock);
		pthread_mutex_unlock(&t->lock);
	}
	close(t->pipe[1]);
	ctx_buf_done(&b);
	return NULL;
}

static void
test_trickle(const char *by)
{
	struct trickle t = { .lock = PTHREAD_MUTEX_INITIALIZER,
	    .more = PTHREAD_COND_INITIALIZER };
	struct toy *toy = toy_new(by);
	struct ctx_run r = { .job = &toy->job, .threads = 3,
	    .bad = gave_bad, .arg = &t.gave };
	struct ctx_err err = { 0 };
	pthread_t writer;

	if (pipe(t.pipe) == -1 ||
	    pthread_create(&writer, NULL, trickle, &t) != 0)
		abort();
	toy->job.sink = (struct ctx_sink){ trickle_bytes, trickle_row, &t };
	CHECK_INT(ctx_run_fd(&r, t.pipe[0], &err), 0);
	pthread_join(writer, NULL);
	CHECK_INT(t.lines, 20);
	close(t.pipe[0]);
	ctx_run_done(&r);
	ctx_job_free(&toy->job);
}

int
main(void)
{
	unsigned i;
	int taken;

	RUN(test_order(1));
	RUN(test_order(2));
	RUN(test_mixes(NULL, CTX_BAD_STOP));
	RUN(test_mixes(NULL, CTX_BAD_SKIP));
	RUN(test_mixes(NULL, CTX_BAD_KEEP));
	RUN(test_mixes(NULL, CTX_BAD_TELL));
	RUN(test_mixes("k", CTX_BAD_STOP));
	RUN(test_mixes("k", CTX_BAD_SKIP));
	RUN(test_mixes("k", CTX_BAD_KEEP));
	RUN(test_mixes("k", CTX_BAD_TELL));
	RUN(test_many(NULL, "cccccccccn", 60000, "mb"));
	RUN(test_many(NULL, "c", 50000, "cm"));
	RUN(test_many("k", "mma", 60000, "mb"));
	RUN(test_dense());
	RUN(test_failure(NULL));
	RUN(test_failure("k"));
	for (i = 1; i <= 3; i += 2) {
		RUN(test_last("{}\n{", i, "turn 1  \nend 0  \n", "2:2 cut\n"));
		RUN(test_last("{}\n{\n", i, "turn 1  \nend 0  \n", "2:2\n"));
		RUN(test_last("{}\n{}", i, "turn 1  \nturn 2  \nend 0  \n",
		    ""));
	}
	RUN(test_full(1));
	RUN(test_full(3));
	RUN(test_files(NULL));
	RUN(test_files("k"));
	for (taken = -1; taken <= 1; taken++) {
		RUN(test_first(taken, 1));
		RUN(test_first(taken, 3));
	}
	RUN(test_wait(1, 1));
	RUN(test_wait(3, 1));
	RUN(test_trickle(NULL));
	RUN(test_trickle("k"));
	return CHECK_DONE("job_run");
}
