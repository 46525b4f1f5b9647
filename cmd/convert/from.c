/* SPDX-License-Identifier: MIT */
/* What ctx-convert reads besides histories; see from.h. */
#include "cmd/convert/from.h"

#include <string.h>

#include "job/answers.h"
#include "job/document.h"
#include "job/plain.h"
#include "job/response.h"

static const char *const roles[] = { "user", "assistant", "system", "tool",
	NULL };

#define OPT_OF struct convert_from
const struct cli_opt convert_from_opts[] = {
	OPT_TEXT(0, "role", "NAME", role,
	    "with --from text: role of the message",
	    .words = roles),
	OPT_TEXT(0, "call", "ID", call,
	    "with --role tool: id of the call whose result the text is",
	    .needs = "role"),
	OPT_TEXT(0, "name", "NAME", name,
	    "with --role tool: name of the tool", .needs = "role"),
	OPT_FLAG(0, "error", error,
	    "with --role tool: the tool failed", .needs = "role"),
	OPT_END
};

/* Is the text a result? */
static int
is_result(const struct convert_from *f)
{
	return f->role != NULL && strcmp(f->role, "tool") == 0;
}

int
convert_from_goes_on(const struct convert_from *f)
{
	return f->what == CONVERT_RESPONSE || f->role != NULL;
}

/* An argument as the contents of a JSON string. */
static struct ctx_str
escaped(struct convert_from *f, const char *text, const struct cli *c)
{
	struct ctx_str s = { NULL, 0 };
	size_t from = f->strings.len, n;

	if (text == NULL)
		return s;
	n = strlen(text);
	if (ctx_scan_utf8(text, n) < n)
		cli_usage(c, "--call and --name take UTF-8");
	ctx_str_encode(&f->strings, text, n);
	s.len = (uint32_t)(f->strings.len - from);
	return s;
}

/* Settle what a result needs. */
static void
settle_result(struct convert_from *f, const struct cli *c)
{
	struct ctx_said *it = &f->result;

	if (f->call == NULL && (!(f->to->needs & CTX_NEED_NO_ID) ||
	    f->name == NULL))
		cli_usage(c, "--role tool needs --call ID");
	if (f->name == NULL && f->to->named)
		cli_usage(c, "--role tool needs --name NAME for %s",
		    f->to->name);
	if (c->nfile > 1)
		cli_usage(c, "--role tool takes one FILE");
	it->kind = CTX_RESULT;
	it->flags = f->error ? CTX_ERROR : 0;
	it->id = escaped(f, f->call, c);
	it->name = escaped(f, f->name, c);
	if (ctx_buf_str(&f->strings) == NULL)
		cli_nomem(c);
	it->id.p = f->strings.data;
	it->name.p = f->name == NULL ? NULL : f->strings.data + it->id.len;
}

void
convert_from_settle(struct convert_from *f, struct cli_stream *s, struct cli *c)
{
	/* what has a meaning only for a history */
	static const char *const other[] = { "by", "report", "request",
	    "shape", "strict" };
	size_t i;

	if (f->role != NULL && f->what != CONVERT_TEXT)
		cli_usage(c, "--role needs --from text");
	if (f->role != NULL && !is_result(f) && (f->call != NULL ||
	    f->name != NULL || f->error))
		cli_usage(c, "--call, --name and --error need --role tool");
	if (f->what != CONVERT_RESULTS && !is_result(f))
		return;
	if (f->to->results == NULL)
		cli_usage(c, "results have no message of their own in %s",
		    f->to->name);
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (cli_given(c, other[i]))
			cli_usage(c, "--%s is not for results", other[i]);
	if (is_result(f))
		settle_result(f, c);
	s->texts = is_result(f);
}

int
convert_from_first(struct convert_from *f, struct cli_stream *s,
    struct ctx_reader *r, const struct ctx_line *line, struct ctx_err *err)
{
	f->began = s->file;
	switch (f->what) {
	case CONVERT_TEXT:
		return is_result(f) ? ctx_answer_text(s->job, f->to,
		    &f->result, r, line, err) :
		    ctx_plain(s->job, f->role, r, line, err);
	case CONVERT_RESPONSE:
		return ctx_response(s->job, r, line, err);
	case CONVERT_RESULTS:
		return ctx_answers(s->job, f->to, r, line, err);
	default:
		return ctx_documents(s->job, r, line, err);
	}
}

int
convert_from_end(struct convert_from *f, struct cli_stream *s,
    struct ctx_err *err)
{
	int empty = f->began != s->file;

	f->began = NULL;
	/* a tool that said nothing has a result too */
	if (empty && is_result(f))
		return ctx_answer_text(s->job, f->to, &f->result, NULL, NULL,
		    err) == -1 ? -1 : 0;
	return 0;
}

void
convert_from_done(struct convert_from *f)
{
	ctx_buf_done(&f->strings);
}
