/* SPDX-License-Identifier: MIT */
/* Run ctx-embed as a process; see embedder.h. */
#include "store/search/embedder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/fd.h"
#include "base/float32.h"
#include "base/helper.h"
#include "store/search/near.h"

#define PROGRAM	"ctx-embed"
#define LOOK_MS	200	/* between calls of waiting */

/* --- the process --------------------------------------------------------- */

/* Wait until the next bytes of an answer are there. */
static int
await(void *arg, struct ctx_err *err)
{
	struct ctx_embedder *e = arg;
	struct pollfd p = { .fd = e->from.fd, .events = POLLIN };

	(void)err;
	while (e->waiting != NULL && poll(&p, 1, LOOK_MS) == 0)
		e->waiting(e->arg);
	return 0;
}

static int
start(struct ctx_embedder *e, struct ctx_err *err)
{
	int fd[4] = { -1, -1, -1, -1 }, i, rc;	/* to it, and from it */
	struct ctx_buf path = { 0 };

	rc = ctx_helper_find(PROGRAM, &path, err);
	if (rc == 0 && (pipe(fd) == -1 || pipe(fd + 2) == -1))
		rc = ctx_fail_errno(err, errno, "pipe");
	for (i = 0; i < 4 && rc == 0; i++)
		fcntl(fd[i], F_SETFD, FD_CLOEXEC);
	if (rc == 0 && (i = ctx_helper_start(path.data, e->argv, fd[0], fd[3],
	    &e->pid)) != 0) {
		e->pid = 0;
		rc = ctx_fail_errno(err, i, "cannot start " PROGRAM);
	}
	ctx_buf_done(&path);
	for (i = 0; i < 4; i++)
		if (fd[i] != -1 && (rc == -1 || i == 0 || i == 3))
			close(fd[i]);
	if (rc == -1)
		return -1;
	e->to = fd[1];
	ctx_reader_init(&e->from, fd[2]);
	e->from.before_read = await;
	e->from.arg = e;
	return 0;
}

void
ctx_embedder_done(struct ctx_embedder *e)
{
	int status = 0;

	ctx_buf_done(&e->bytes);
	if (e->pid == 0)
		return;
	close(e->to);
	close(e->from.fd);
	ctx_reader_done(&e->from);
	while (waitpid(e->pid, &status, 0) == -1 && errno == EINTR)
		continue;
	e->pid = 0;
	e->exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- a batch ------------------------------------------------------------- */

/* Write a line with a list of texts. */
static int
hand_over(struct ctx_embedder *e, const struct ctx_str *text, size_t n,
    struct ctx_err *err)
{
	struct ctx_buf *b = &e->bytes;
	size_t i;

	ctx_buf_reset(b);
	for (i = 0; i < n; i++)
		if (text[i].len > 0) {
			ctx_buf_adds(b, b->len == 0 ? "[\"" : ",\"");
			ctx_str_encode(b, text[i].p, text[i].len);
			ctx_buf_addc(b, '"');
		}
	ctx_buf_adds(b, b->len == 0 ? "[]\n" : "]\n");
	if (ctx_buf_fail(b, err) == -1)
		return -1;
	/* a failure here shows up as a missing answer */
	if (ctx_fd_write(e->to, b->data, b->len) == -1)
		ctx_buf_reset(b);
	return 0;
}

/*
 * Read a line of the answer, a vector, into e->bytes.  Returns 1, or 0 if it is
 * not there; -1 with *err.
 */
static int
take_line(struct ctx_embedder *e, struct ctx_err *err)
{
	struct ctx_line line;
	int rc = ctx_reader_next(&e->from, &line, err);

	ctx_buf_reset(&e->bytes);
	if (rc != 1 || line.len < 2 || line.raw[line.len - 1] != '\n')
		return rc == -1 ? -1 : 0;
	rc = ctx_base64_decode(&e->bytes, line.raw, line.len - 1);
	if (ctx_buf_fail(&e->bytes, err) == -1)
		return -1;
	return rc == 0;
}

/* The same for n vectors of one length, which are stored in *v. */
static int
take_vectors(struct ctx_embedder *e, size_t n, float **v, size_t *dim,
    struct ctx_err *err)
{
	size_t i;
	int rc;

	for (i = 0; i < n; i++) {
		if ((rc = take_line(e, err)) != 1)
			return rc;
		if (i == 0) {
			*dim = e->bytes.len / CTX_FLOAT32;
			if ((*v = calloc(n, e->bytes.len)) == NULL)
				return ctx_fail_nomem(err);
		}
		if (e->bytes.len != *dim * CTX_FLOAT32)
			return 0;
		ctx_float32_get(e->bytes.data, *v + i * *dim, *dim);
	}
	return 1;
}

int
ctx_embedder_ask(struct ctx_embedder *e, const struct ctx_str *text, size_t n,
    float **v, size_t *dim, struct ctx_err *err)
{
	size_t i, asked = 0;
	int rc;

	*v = NULL;
	for (i = 0; i < n; i++)
		asked += text[i].len > 0;
	if ((e->pid == 0 && start(e, err) == -1) ||
	    hand_over(e, text, n, err) == -1)
		return -1;
	if ((rc = take_vectors(e, asked, v, dim, err)) == 1)
		return 0;
	free(*v);
	*v = NULL;
	ctx_embedder_done(e);
	if (rc == 0 && e->exit == 0)
		ctx_fail(err, CTX_ESYSTEM, PROGRAM " did not return a vector "
		    "for each text, all of one length");
	return -1;
}

/* --- the store ------------------------------------------------------------ */

/* Request and store the vectors of a batch. */
static int
embed_batch(struct ctx_embedder *e, struct ctx_store *st,
    const struct ctx_vector_want *want, struct ctx_vector_batch *b,
    struct ctx_err *err)
{
	struct ctx_str *text = calloc(b->n, sizeof(*text));
	float *v = NULL;
	size_t dim = 0, i;
	int rc = 0;

	if (text == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < b->n; i++)
		if (b->item[i].len > 0)
			text[i] = (struct ctx_str){
			    b->text.data + b->item[i].off,
			    (uint32_t)b->item[i].len };
	if (b->ntext > 0)
		rc = ctx_embedder_ask(e, text, b->n, &v, &dim, err);
	if (rc == 0)
		rc = ctx_vector_put(st, want, b, v, dim, err);
	free(text);
	free(v);
	return rc;
}

int
ctx_embedder_all(struct ctx_embedder *e, struct ctx_store *st,
    const struct ctx_vector_want *want, int64_t *done, struct ctx_err *err)
{
	struct ctx_vector_batch b = { 0 };
	int rc;

	while ((rc = ctx_vector_next(st, want, &b, err)) == 1) {
		if ((rc = embed_batch(e, st, want, &b, err)) == -1)
			break;
		*done += (int64_t)b.ntext;
		if (st->watch != NULL)
			st->watch(st->watch_arg);
	}
	ctx_vector_batch_done(&b);
	return rc == 0 ? ctx_near_fill(st, err) : rc;
}

int
ctx_embedder_rank(struct ctx_embedder *e, struct ctx_store *st,
    const char *question, struct ctx_vector_like *how, struct ctx_rank *r,
    struct ctx_err *err)
{
	const struct ctx_str text = { question, (uint32_t)strlen(question) };
	float *v = NULL;
	int rc;

	how->model = e->model;
	rc = ctx_vector_of(st, e->model, &how->dim, err);
	if (rc == 0)
		rc = ctx_fail(err, CTX_ENO,
		    "no vectors of '%.100s' are stored; run 'ctx-store embed'",
		    e->model);
	if (rc == 1)
		rc = ctx_embedder_ask(e, &text, 1, &v, &how->dim, err);
	how->v = v;
	if (rc == 0)
		rc = ctx_vector_rank(st, how, r, err);
	free(v);
	return rc;
}
