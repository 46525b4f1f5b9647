/* SPDX-License-Identifier: MIT */
/*
 * ctx-embed - get vectors for texts, for ctx-store, which has no network code.
 *
 * Each line of standard input is a JSON array of texts.  When all vectors of
 * the array have arrived, a line is written for each text: the base64 of its
 * vector's 32-bit floats, lowest byte first.  The program ends at the first
 * array that gets no vectors.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/float32.h"
#include "base/json.h"
#include "base/num.h"
#include "cli_endpoint.h"
#include "cli.h"
#include "redact/redact.h"
#include "net/embed.h"
#include "net/endpoint.h"
#include "read/line.h"

struct embed {
	struct cli cli;
	struct ctx_endpoint_want want;
	struct ctx_endpoint endpoint;
	struct ctx_embed ask;
	struct ctx_redact *redact;	/* NULL with --no-redact */
	int no_redact;
	struct ctx_embed_text *text;	/* of the current array */
	struct ctx_buf clean;		/* texts without their secrets */
	struct ctx_buf floats, out;
};

#define OPT_OF struct embed
static const struct cli_opt opts[] = {
	OPT_SUB(want, cli_endpoint_opts),
	OPT_SUB(ask.limits, cli_limits_opts),
	OPT_TEXT(0, "cacert", "FILE", ask.cacert,
	    "file of CA certificates to trust"),
	OPT_FLAG(0, "no-redact", no_redact,
	    "send texts without redacting secrets"),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-embed", "",
	"Ask an endpoint for the vectors of texts.  This program is run by "
	"ctx-store.",
	opts, NULL
};

static void
on_waiting(void *arg, unsigned try, uint64_t ms, const char *why)
{
	struct cli *c = arg;

	if (c->verbose)
		cli_warn(c, "try %u failed: %s; trying again in %.1f s", try,
		    why,
		    (double)ms / 1000);
}

static void
options(struct embed *e)
{
	struct cli *c = &e->cli;
	struct ctx_redact_opts all = { 0 };
	struct ctx_err err = { 0 };

	cli_options(c, e);
	if (e->no_redact)
		return;
	if (ctx_redact_env(&all, &err) == -1 || (e->redact = ctx_redact_new(
	    &all, &err)) == NULL)
		cli_report(c, NULL, &err);
}

/* Find the endpoint; -1 has been reported. */
static int
find_endpoint(struct embed *e)
{
	struct ctx_err err = { 0 };

	e->want.embed = 1;
	e->want.env = getenv;
	if (ctx_endpoint_find(&e->want, &e->endpoint, &err) == -1) {
		cli_report(&e->cli, NULL, &err);
		return -1;
	}
	if (e->endpoint.withheld != NULL)
		cli_warn(&e->cli, "%s is not sent to %s, which is not its "
		    "provider's endpoint; use --key-file to send a key",
		    e->endpoint.withheld,
		    e->endpoint.url);
	e->ask.url = e->endpoint.url;
	e->ask.model = e->endpoint.model;
	e->ask.key = e->endpoint.key;
	e->ask.waiting = on_waiting;
	e->ask.arg = &e->cli;
	if (e->cli.verbose)
		cli_warn(&e->cli, "asking %s at %s", e->ask.model,
		    e->ask.url);
	return 0;
}

/*
 * Put the texts of the array, without secrets, into e->clean; text[] points
 * into it.
 */
static int
take_texts(struct embed *e, const json_t *list, struct ctx_err *err)
{
	const json_t *element;
	size_t i, from;

	ctx_buf_reset(&e->clean);
	json_array_foreach(list, i, element) {
		if (!json_is_string(element))
			return ctx_fail(err, CTX_EINPUT,
			    "an element of the array is not a string");
		from = e->clean.len;
		if (e->redact == NULL)
			ctx_buf_add(&e->clean, json_string_value(element),
			    json_string_length(element));
		else if (ctx_redact_text(e->redact,
		    json_string_value(element), json_string_length(element),
		    &e->clean, NULL, err) == -1)
			return -1;
		e->text[i].len = e->clean.len - from;
	}
	for (i = 0, from = 0; i < json_array_size(list); i++) {
		e->text[i].p = e->clean.data + from;
		from += e->text[i].len;
	}
	return ctx_buf_fail(&e->clean, err);
}

static int
write_vectors(struct embed *e, const struct ctx_embed_vectors *v,
    struct ctx_err *err)
{
	size_t i;

	ctx_buf_reset(&e->out);
	for (i = 0; i < v->n; i++) {
		ctx_buf_reset(&e->floats);
		if (ctx_float32_put(&e->floats, v->v + i * v->dim,
		    v->dim) == -1)
			return ctx_fail_nomem(err);
		ctx_base64_encode(&e->out, e->floats.data, e->floats.len);
		ctx_buf_addc(&e->out, '\n');
	}
	if (ctx_buf_fail(&e->out, err) == -1)
		return -1;
	if (fwrite(e->out.data, 1, e->out.len, stdout) != e->out.len ||
	    fflush(stdout) != 0)
		return ctx_fail(err, CTX_ESYSTEM, "standard output");
	return 0;
}

/* Get the vectors for one array of texts and write them. */
static int
answer(struct embed *e, const struct ctx_line *line, struct ctx_err *err)
{
	const struct ctx_json_text in = { .p = line->raw, .len = line->len,
	    .flags = JSON_ALLOW_NUL };
	json_t *list = ctx_json_read(&in, NULL);
	struct ctx_embed_vectors v = { 0 };
	struct ctx_embed_text *text;
	size_t n = json_array_size(list);
	int rc = -1;

	if (ctx_json_starved()) {
		ctx_fail_nomem(err);
		goto out;
	}
	if (n == 0) {
		ctx_fail(err, CTX_EINPUT, "not an array of texts");
		goto out;
	}
	text = realloc(e->text, n * sizeof(*text));
	if (text == NULL) {
		ctx_fail_nomem(err);
		goto out;
	}
	e->text = text;
	if (take_texts(e, list, err) == 0 && ctx_embed_ask(&e->ask, e->text,
	    n, &v, err) == 0)
		rc = write_vectors(e, &v, err);
out:
	ctx_embed_done(&v);
	json_decref(list);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct embed e = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	int rc;

	cli_init(&e.cli, &cmd, argc, argv);
	e.cli.page = "ctx-store-search";
	/* ctx-store may show there that it waits */
	e.cli.progress = isatty(STDERR_FILENO);
	ctx_http_limits_init(&e.ask.limits);
	e.ask.limits.body_max = 256u << 20;
	options(&e);
	if (e.cli.worst == CLI_OK && find_endpoint(&e) == 0) {
		ctx_reader_init(&r, STDIN_FILENO);
		while ((rc = ctx_reader_next(&r, &line, &err)) == 1 &&
		    answer(&e, &line, &err) == 0)
			continue;
		if (rc != 0)
			cli_report(&e.cli, NULL, &err);
		ctx_reader_done(&r);
	}
	ctx_endpoint_done(&e.endpoint);
	ctx_redact_free(e.redact);
	ctx_buf_done(&e.clean);
	ctx_buf_done(&e.floats);
	ctx_buf_done(&e.out);
	free(e.text);
	return cli_end(&e.cli);
}
