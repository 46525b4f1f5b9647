/* SPDX-License-Identifier: MIT */
/* Sessions; see ctx.h. */
#include "api/ctx_impl.h"

#include <stdlib.h>
#include <string.h>

#include "session/intake.h"

_Static_assert((int)CTX_LIB_CREATE == (int)CTX_STORE_CREATE,
    "modes are the same");

struct ctx_lib_store {
	struct ctx_store *st;
};

struct ctx_lib_store *
ctx_lib_store_open(const char *path, enum ctx_lib_mode mode,
    struct ctx_lib_err *err)
{
	struct ctx_lib_store *s = calloc(1, sizeof(*s));
	struct ctx_err why = { 0 };

	if (s == NULL)
		ctx_fail_nomem(&why);
	else if (ctx_store_open(&s->st, path, (enum ctx_store_mode)mode,
	    &why) == 0)
		return s;
	free(s);
	ctx_lib_fail(err, &why);
	return NULL;
}

void
ctx_lib_store_close(struct ctx_lib_store *s)
{
	if (s != NULL)
		ctx_store_close(s->st, NULL);
	free(s);
}

/* A number of messages as the log takes it. */
static int64_t
bound(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* Put all lines of the history into the batch.  Returns 0, or -1 with *err. */
static int
take(struct ctx_intake *in, const char *history, size_t len,
    struct ctx_err *err)
{
	struct ctx_reader r;
	struct ctx_line line;
	int rc;

	if (ctx_reader_text(&r, history, len, err) == -1)
		return -1;
	r.documents = 1;
	while ((rc = ctx_reader_next(&r, &line, err)) == 1)
		if ((rc = ctx_intake_line(in, &line, err)) == -1)
			break;
	ctx_reader_done(&r);
	return rc;
}

int64_t
ctx_lib_append(struct ctx_lib_store *s, const char *thread,
    const struct ctx_lib_append_opts *opts, const char *history, size_t len,
    struct ctx_lib_err *err)
{
	static const struct ctx_lib_append_opts none;
	const struct ctx_lib_append_opts *o = opts != NULL ? opts : &none;
	struct ctx_intake in = { .st = s->st, .split = o->split,
	    .how.atomic = 1, .how.make.parent_seq = -1 };
	struct ctx_err why = { 0 };
	size_t done;
	int64_t n = -1;

	in.how.where = (struct ctx_where){ thread, o->context };
	ctx_store_user(s->st, o->user);
	in.how.expect_seq = bound(o->expect_seq);
	if ((o->user == NULL || ctx_store_name_check("user", o->user,
	    strlen(o->user), &why) == 0) &&
	    take(&in, history, len, &why) == 0 && (in.n == 0 ||
	    ctx_intake_commit(&in, &done, &why) == 0))
		n = (int64_t)in.stored;
	else
		ctx_lib_fail(err, &why);
	ctx_store_user(s->st, NULL);
	ctx_intake_done(&in);
	return n;
}

/* Put a message into a buffer, on a line of its own. */
static int
put(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct ctx_buf *b = arg;

	if (b->len > 0 && b->data[b->len - 1] != '\n')
		ctx_buf_addc(b, '\n');
	ctx_buf_add(b, m->raw, m->len);
	return ctx_buf_fail(b, err);
}

int
ctx_lib_load(struct ctx_lib_store *s, const char *thread,
    const struct ctx_lib_load_opts *opts, struct ctx_lib_text *out,
    struct ctx_lib_err *err)
{
	static const struct ctx_lib_load_opts none;
	const struct ctx_lib_load_opts *o = opts != NULL ? opts : &none;
	struct ctx_where w = { thread, o->context };
	struct ctx_range r = CTX_RANGE_ALL;
	struct ctx_err why = { 0 };
	struct ctx_buf b = { 0 };

	ctx_store_user(s->st, NULL);	/* "@last" is found anew */
	r.last = bound(o->last);
	r.from_seq = bound(o->from_seq);
	r.to_seq = bound(o->to_seq);
	r.view = o->view;
	if (ctx_log_read(s->st, &w, &r, put, &b, &why) == -1 &&
	    why.code == CTX_OK)
		ctx_fail(&why, CTX_ERANGE, "reading failed");
	return ctx_lib_give(&b, out, &why, err);
}
