/* SPDX-License-Identifier: MIT */
/* ctx-store code extract, expand: take code out of a stream and put it back. */
#include "cli_stream.h"
#include "cmd/store/code.h"

struct coderef {
	struct cli_stream stream;	/* first */
	struct store *s;
	struct ctx_coderef_opts how;
};

static int
row(struct cli_stream *stream, const struct ctx_row *r, struct ctx_err *err)
{
	struct store *s = ((struct coderef *)stream)->s;
	struct cli *c = &s->cli;
	char quoted[80];

	switch ((enum ctx_coderef_row)r->what) {
	case CTX_CODEREF_SAVED:
		return store_write(r->text, r->textlen, err) == -1 ? -1 :
		    store_flush(err);
	case CTX_CODEREF_LANGUAGE:
		store_code_unknown(s, r->name, r->namelen);
		break;
	case CTX_CODEREF_NO_ID:
		cli_error(c, CLI_INPUT,
		    "%s: '%s' is not a valid id; left unchanged", stream->file,
		    ctx_err_quote(quoted, sizeof(quoted), r->name,
		    r->namelen));
		break;
	case CTX_CODEREF_OPEN:
		cli_warn(c, "%s: a fence is never closed; left unchanged",
		    stream->file);
		break;
	case CTX_CODEREF_MISSING:
		cli_error(c, CLI_NO, "%s: no such code '%.*s'; left unchanged",
		    stream->file, (int)r->namelen, r->name);
	}
	return 0;
}

static int
before_read(struct cli_stream *stream, struct ctx_err *err)
{
	return ctx_coderef_commit(stream->job, err);
}

/* Open the store; the operands after the thread are streams. */
static int
begin(struct store *s, struct coderef *x, struct ctx_err *err)
{
	if (store_begin(s, x, err) == -1)
		return -1;
	s->cli.file++;
	s->cli.nfile--;
	x->s = s;
	x->how.st = s->st;
	x->how.where = s->where;
	x->stream.row = row;
	x->stream.no_reader = &store_no_reader;
	return 0;
}

#define OPT_OF struct coderef
static const struct cli_opt extract_opts[] = {
	OPT_FLAG(0, "any", how.any,
	    "also store fenced blocks of no known language, as python"),
	OPT_FLAG(0, "replace", how.replace,
	    "write the stream with references in place of code"),
	OPT_SUB(how.place, store_code_place_opts),
	OPT_SUB(stream, cli_stream_opts),
	STORE_COMMON
};
static const struct cli_opt expand_opts[] = {
	OPT_SUB(stream, cli_stream_opts),
	STORE_COMMON
};

static int
extract_run(struct store *s, struct ctx_err *err)
{
	struct coderef x = { .stream.before_read = before_read };

	if (begin(s, &x, err) == -1 || (x.stream.job =
	    ctx_coderef_keep_new(&x.how, err)) == NULL)
		return -1;
	cli_each_turn(&x.stream, &s->cli);
	if (ctx_coderef_end(x.stream.job, err) == -1)
		store_report(s, NULL, err);
	cli_figure(&s->cli, "blocks", ctx_coderef_count(x.stream.job));
	ctx_job_free(x.stream.job);
	return 0;
}

static int
expand_run(struct store *s, struct ctx_err *err)
{
	struct coderef x = { 0 };

	if (begin(s, &x, err) == -1 || (x.stream.job =
	    ctx_coderef_expand_new(&x.how, err)) == NULL)
		return -1;
	cli_each_turn(&x.stream, &s->cli);
	cli_figure(&s->cli, "references", ctx_coderef_count(x.stream.job));
	ctx_job_free(x.stream.job);
	return 0;
}

const struct store_cmd store_coderef_cmds[] = {
	STORE_CMD("code extract", CREATE, extract_run, "THREAD [FILE ...]",
	    "Store the code in the assistant messages of a stream.",
	    extract_opts),
	STORE_CMD("code expand", READ, expand_run, "THREAD [FILE ...]",
	    "Write a stream with the code in place of references to it.",
	    expand_opts),
	STORE_END
};
