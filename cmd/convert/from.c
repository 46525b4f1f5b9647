/* SPDX-License-Identifier: MIT */
/* What ctx-convert reads besides histories; see from.h. */
#include "cmd/convert/from.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cli_files.h"
#include "job/answers.h"
#include "job/document.h"
#include "job/plain.h"

static const char *const roles[] = { "user", "assistant", "system", "tool",
	NULL };

#define OPT_OF struct convert_from
const struct cli_opt convert_from_opts[] = {
	OPT_TEXT(0, "role", "NAME", role,
	    "with --from text: role of the message",
	    .words = roles),
	OPT_TEXT(0, "call", "ID", call,
	    "with --role tool: id of the call whose result the text is",
	    .needs = "role", .utf8 = 1),
	OPT_TEXT(0, "name", "NAME", name,
	    "with --role tool: name of the tool", .needs = "role",
	    .utf8 = 1),
	OPT_FLAG(0, "error", error,
	    "with --role tool: the tool failed", .needs = "role"),
	OPT_FLAG(0, "follow-text", follow,
	    "with --from response: show text on standard error as it comes"),
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
escaped(struct convert_from *f, const char *text)
{
	struct ctx_str s = { NULL, 0 };
	size_t from = f->strings.len;

	if (text == NULL)
		return s;
	ctx_str_encode(&f->strings, text, strlen(text));
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
	it->id = escaped(f, f->call);
	it->name = escaped(f, f->name);
	if (ctx_buf_str(&f->strings) == NULL)
		cli_nomem(c);
	it->id.p = f->strings.data;
	it->name.p = f->name == NULL ? NULL : f->strings.data + it->id.len;
}

/*
 * May the character be shown as it is?  Joiners are parts of words and of
 * emoji.
 */
static int
is_text(const char *p, size_t n)
{
	return *p == '\n' || *p == '\t' || (n == 3 &&
	    (memcmp(p, "\xe2\x80\x8c", 3) == 0 ||
	    memcmp(p, "\xe2\x80\x8d", 3) == 0));
}

/*
 * Show text as it comes.  A terminal gets line ends and tabs, but nothing else
 * that could act on it.
 */
static void
show(void *arg, struct ctx_str text)
{
	struct convert_from *f = arg;
	struct ctx_buf *b = &f->shown;
	char escaped[CTX_ERR_ESCAPED];
	size_t i, n;

	ctx_buf_reset(b);
	if (ctx_str_decode(b, text.p, text.len) == -1 || b->len == 0)
		return;
	for (i = 0; i < b->len; i += n) {
		n = ctx_err_escape(b->data + i, b->len - i, escaped);
		if (n > 0 && !is_text(b->data + i, n)) {
			fputs(escaped, stderr);
			continue;
		}
		n = n > 0 ? n : ctx_utf8_step(b->data + i, b->len - i, NULL);
		fwrite(b->data + i, 1, n, stderr);
	}
	f->in_line = b->data[b->len - 1] != '\n';
	fflush(stderr);
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
	if (f->follow && f->what != CONVERT_RESPONSE)
		cli_usage(c, "--follow-text needs --from response");
	if (f->follow) {
		f->response.text = show;
		f->response.arg = f;
	}
	if (f->what != CONVERT_HISTORY && s->shard.n > 0)
		cli_usage(c, "--shard is only for histories");
	s->texts = is_result(f) || f->what == CONVERT_RESPONSE;
	if (f->what != CONVERT_RESULTS && !is_result(f)) {
		if (f->to->step == NULL)
			cli_usage(c, "--to %s needs --from results, or --from "
			    "text --role tool", f->to->name);
		return;
	}
	if (f->to->results == NULL)
		cli_usage(c, "results have no message of their own in %s",
		    f->to->name);
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (cli_given(c, other[i]))
			cli_usage(c, "--%s is not for results", other[i]);
	if (is_result(f))
		settle_result(f, c);
}

/* Say how a response ended, if it is not an ordinary end. */
static void
tell_end(struct convert_from *f, struct cli_stream *s)
{
	const struct ctx_response *x = &f->response;
	char file[256], why[512], left[96] = "";

	ctx_err_quote(file, sizeof(file), s->file, strlen(s->file));
	ctx_err_quote(why, sizeof(why), x->reason.len > 0 ? x->reason.data :
	    "", x->reason.len);
	if (x->left > 0)
		snprintf(left, sizeof(left), "; %u call%s that had only begun "
		    "%s left out", (unsigned)x->left, CLI_S(x->left),
		    x->left == 1 ? "is" : "are");
	switch (x->end) {
	case CTX_RESPONSE_LENGTH:
		cli_error(s->cli, CLI_NO, "%s: length: the answer is cut off "
		    "at its limit (%s)", file, why);
		break;
	case CTX_RESPONSE_REFUSAL:
		cli_error(s->cli, CLI_NO, "%s: refusal: the model or its API "
		    "refused to answer (%s)", file, why);
		break;
	case CTX_RESPONSE_ERROR:
		cli_error(s->cli, x->retry ? CLI_REMOTE : CLI_INPUT,
		    "%s: error: the API reported: %s%s%s", file, why,
		    x->retry ? "; a retry may help" : "", left);
		break;
	case CTX_RESPONSE_CUT:
		cli_error(s->cli, CLI_REMOTE, "%s: unfinished: the response "
		    "ended before its end%s; a retry may help", file, left);
		break;
	default:
		break;
	}
}

/* The line of the report about a response. */
static int
report(struct convert_from *f, struct cli_stream *s, struct ctx_err *err)
{
	struct ctx_buf *b = &f->shown;

	if (f->report == NULL)
		return 0;
	ctx_buf_reset(b);
	ctx_buf_adds(b, "{\"file\":\"");
	cli_file_encode(b, s->file, strlen(s->file));
	ctx_buf_adds(b, "\",\"line\":1,\"what\":\"answer\"");
	ctx_buf_add(b, f->response.report.data, f->response.report.len);
	ctx_buf_adds(b, "}\n");
	return ctx_buf_fail(b, err) == -1 ? -1 :
	    ctx_out_line(f->report, b->data, b->len, NULL, err);
}

static int
take_response(struct convert_from *f, struct cli_stream *s,
    struct ctx_reader *r, const struct ctx_line *line, struct ctx_err *err)
{
	int rc = ctx_response_read(&f->response, s->job, r, line, err);

	if (f->in_line)
		fputc('\n', stderr);
	f->in_line = 0;
	return rc;
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
		return take_response(f, s, r, line, err);
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
	if (f->what == CONVERT_RESPONSE) {
		if (empty && take_response(f, s, NULL, NULL, err) == -1)
			return -1;
		tell_end(f, s);
		return report(f, s, err);
	}
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
	ctx_buf_done(&f->shown);
	ctx_response_done(&f->response);
}
