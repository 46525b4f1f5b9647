/* SPDX-License-Identifier: MIT */
/*
 * ctx-yaml - read YAML for ctx-digest-files, which is not linked with libyaml.
 *
 * The answer is a JSON array of the documents.  Every scalar is a string as it
 * is spelled, except an empty plain one, which is null.  An alias becomes a copy
 * of what it stands for, within the limit of an answer, so that aliases of
 * aliases of aliases do not fill the memory.
 */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "cli_aide.h"
#include "read/span.h"

#define DEPTH_MAX	200

struct level {
	char close;		/* ']' or '}' */
	int value;		/* of an object: a value comes next */
	uint64_t n;		/* elements or keys so far */
	size_t anchor;		/* that is complete with it, plus 1 */
};

struct anchor {
	char *name;
	size_t from, to;	/* its value in the answer; to is 0 until
				   it is complete */
};

struct reader {
	yaml_parser_t parser;
	struct ctx_buf *out;
	struct level level[DEPTH_MAX];
	size_t depth;
	struct anchor *anchor;
	size_t nanchor, cap;
	const char *why;	/* it cannot be read */
};

static const struct cli_opt opts[] = { CLI_COMMON };

static const struct cli_cmd cmd = {
	"ctx-yaml", "",
	"Turn YAML into JSON.  This program is run by ctx-digest-files.",
	opts, NULL
};

/* Something begins where a key or a value may be; -1 if it may not. */
static int
begin(struct reader *r, int scalar)
{
	struct level *l = &r->level[r->depth - 1];

	if (l->close == '}' && !l->value && !scalar) {
		r->why = "a key is not a scalar";
		return -1;
	}
	if (l->value)
		ctx_buf_addc(r->out, ':');
	else if (l->n++ > 0)
		ctx_buf_addc(r->out, ',');
	if (l->close == '}')
		l->value = !l->value;
	return 0;
}

/* Remember where the value of an anchor begins; returns its place plus 1. */
static size_t
put_anchor(struct reader *r, const yaml_char_t *name)
{
	struct anchor *a;

	if (name == NULL)
		return 0;
	if (CTX_ROOM(r->anchor, r->nanchor, &r->cap) == -1 ||
	    (r->anchor[r->nanchor].name = strdup((const char *)name)) ==
	    NULL) {
		r->out->failed = 1;
		return 0;
	}
	a = &r->anchor[r->nanchor++];
	a->from = r->out->len;
	a->to = 0;
	return r->nanchor;
}

static int
put_alias(struct reader *r, const char *name)
{
	const struct anchor *a;
	size_t i = r->nanchor;
	int key = r->level[r->depth - 1].close == '}' &&
	    !r->level[r->depth - 1].value;

	while (i > 0 && strcmp(r->anchor[i - 1].name, name) != 0)
		i--;
	if (i == 0 || r->anchor[i - 1].to == 0) {
		r->why = "an alias has no anchor";
		return -1;
	}
	a = &r->anchor[i - 1];
	if (begin(r, key && r->out->data[a->from] == '"') == -1)
		return -1;
	if (a->to - a->from + r->out->len > CTX_AIDE_ANSWER_MAX) {
		r->why = "its aliases are too large";
		return -1;
	}
	/* the buffer may move while it grows */
	if (ctx_buf_reserve(r->out, a->to - a->from) == 0)
		ctx_buf_add(r->out, r->out->data + a->from, a->to - a->from);
	return 0;
}

static int
put_scalar(struct reader *r, const yaml_event_t *e)
{
	const char *p = (const char *)e->data.scalar.value;
	struct level *l = &r->level[r->depth - 1];
	int key = l->close == '}' && !l->value;
	size_t at;

	if (begin(r, 1) == -1)
		return -1;
	at = put_anchor(r, e->data.scalar.anchor);
	if (!key && e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    (*p == '\0' || strcmp(p, "~") == 0 || strcmp(p, "null") == 0))
		ctx_buf_adds(r->out, "null");
	else {
		ctx_buf_addc(r->out, '"');
		ctx_str_encode(r->out, p, e->data.scalar.length);
		ctx_buf_addc(r->out, '"');
	}
	if (at > 0)
		r->anchor[at - 1].to = r->out->len;
	return 0;
}

static int
open_level(struct reader *r, const char *brackets, const yaml_char_t *anchor)
{
	if (r->depth > 0 && begin(r, 0) == -1)
		return -1;
	if (r->depth == DEPTH_MAX) {
		r->why = "it is nested too deeply";
		return -1;
	}
	r->level[r->depth++] = (struct level){ .close = brackets[1],
	    .anchor = put_anchor(r, anchor) };
	ctx_buf_addc(r->out, brackets[0]);
	return 0;
}

static void
close_level(struct reader *r)
{
	const struct level *l = &r->level[--r->depth];

	ctx_buf_addc(r->out, l->close);
	if (l->anchor > 0)
		r->anchor[l->anchor - 1].to = r->out->len;
}

/* Returns 1, 0 at the end, or -1. */
static int
event(struct reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		return put_scalar(r, e) == -1 ? -1 : 1;
	case YAML_ALIAS_EVENT:
		return put_alias(r, (const char *)e->data.alias.anchor) ==
		    -1 ? -1 : 1;
	case YAML_SEQUENCE_START_EVENT:
		return open_level(r, "[]", e->data.sequence_start.anchor) ==
		    -1 ? -1 : 1;
	case YAML_MAPPING_START_EVENT:
		return open_level(r, "{}", e->data.mapping_start.anchor) ==
		    -1 ? -1 : 1;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_level(r);
		return 1;
	case YAML_STREAM_END_EVENT:
		return 0;
	default:
		return 1;
	}
}

static void
read_events(struct reader *r)
{
	yaml_event_t e;
	int rc = open_level(r, "[]", NULL) == -1 ? -1 : 1;

	while (rc == 1) {
		if (!yaml_parser_parse(&r->parser, &e)) {
			r->why = "it is not YAML";
			r->out->failed |= r->parser.error ==
			    YAML_MEMORY_ERROR;
			return;
		}
		rc = event(r, &e);
		yaml_event_delete(&e);
		if (r->out->failed || r->out->len > CTX_AIDE_ANSWER_MAX)
			return;
	}
	if (rc == 0)
		close_level(r);
}

static enum ctx_aide_state
answer(const char *data, size_t len, struct ctx_buf *out)
{
	struct reader r = { .out = out };
	size_t i;

	if (!yaml_parser_initialize(&r.parser)) {
		out->failed = 1;
		return CTX_AIDE_NOT;
	}
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const yaml_char_t *)data,
	    len);
	read_events(&r);
	yaml_parser_delete(&r.parser);
	for (i = 0; i < r.nanchor; i++)
		free(r.anchor[i].name);
	free(r.anchor);
	if (r.why == NULL || out->failed)
		return CTX_AIDE_ALL;
	ctx_buf_reset(out);
	ctx_buf_adds(out, r.why);
	return CTX_AIDE_NOT;
}

int
main(int argc, char *argv[])
{
	return cli_aide(&cmd, argc, argv, answer);
}
