/* SPDX-License-Identifier: MIT */
/*
 * Convert a history to another dialect and back.  What comes out is JSON, and a
 * request has no fault that ctx-clean could mend.  Each text of the source that
 * is not in the result, or not in what comes back, is named by the report.  A
 * clean history that is in the dialect already stays as it is.
 */
#include "history.h"

#include <stdio.h>

#include "job/convert_job.h"
#include "read/node.h"

#define LEAST	6		/* bytes of a text that is looked for */
#define DEPTH	3		/* of JSON in strings of JSON */

static struct ctx_convert_job_opts opts;
static struct ctx_buf instead;	/* what the last run wrote something else for */

static const char tools[] = "[{\"type\":\"function\",\"function\":{"
    "\"name\":\"f\",\"description\":\"d\",\"parameters\":{\"type\":"
    "\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":"
    "[\"x\"]},\"b\":{\"type\":[\"integer\",\"null\"]}},\"required\":"
    "[\"a\"]}}},{\"name\":\"shell\",\"input_schema\":{\"type\":\"object\""
    "}}]";

/* What a request has besides its messages. */
static void
set_request(const struct history *h)
{
	static const char *const choices[] = { NULL, "auto", "none",
	    "required", "shell" };
	static const struct ctx_set set[] = { { "temperature", "0.5" },
	    { "extra.deep", "x" } };
	static struct ctx_tools list;
	static struct ctx_doc doc;
	struct ctx_err err = { 0 };
	unsigned how = h->option[6], more = h->option[7];

	if (list.n == 0)
		MUST(ctx_doc_try(&doc, tools, sizeof(tools) - 1) == 1 &&
		    ctx_tools_read(&list, &doc, 0, &err) == 0 && list.n == 2);
	opts.api = ctx_api_find(opts.to->name);
	if (how & 1)
		opts.want.system = (struct ctx_str){ "Be brief.", 9 };
	if (how & 2)
		opts.want.tools = &list;
	/* one that needs a tool is an error without any */
	opts.want.choice = choices[(how >> 2) % (how & 2 ? 5 : 3)];
	if (opts.want.choice != NULL &&
	    !ctx_request_can_choose(opts.to, opts.want.choice))
		opts.want.choice = NULL;
	opts.want.max_output = more & 1 ? 100 : 0;
	opts.want.stream = more >> 1 & 1;
	opts.want.cache = more >> 2 & 1;
	opts.want.set = set;
	opts.want.nset = more >> 2 & 2;
}

static void
set_all(const struct history *h)
{
	static const struct ctx_markers notes = { 0 };
	size_t n = 0;

	while (ctx_target_at(n) != NULL)
		n++;
	memset(&opts, 0, sizeof(opts));
	opts.to = ctx_target_at(h->option[0] % n);
	if (opts.to->step == NULL)	/* not of a history */
		opts.to = &ctx_to_openai;
	opts.shape = (enum ctx_convert_shape)(h->option[1] % 3);
	opts.request = h->option[2] % 2 && opts.to->request != NULL;
	opts.want.model = opts.request ? "m" : NULL;
	opts.goes_on = h->option[3] % 2;
	opts.all_branches = h->option[3] >> 1 & 1;
	opts.notes = &notes;
	opts.report = 1;
	opts.strict = h->option[7] >> 4 & 1;
	if (opts.to->only_text && h->option[7] & 1) {
		opts.cost = history_cost();
		opts.budget = 400;
	}
	if (opts.request)
		set_request(h);
	if (opts.to->only_text || opts.to->only_waiting || opts.request)
		opts.shape = CTX_AS_CAME;
}

/* --- runs -------------------------------------------------------------- */

/* " line path\n", or "-" where something is left out. */
static void
tell_fare(struct gave *g, const struct ctx_row *row)
{
	if (row->what != CTX_CONVERT_ROW_FARE)
		ctx_buf_addf(&g->side, "-");
	else if (row->n[0] != CTX_MADE && row->n[0] != CTX_CARRIED) {
		ctx_buf_addf(&g->told, " %d ", (int)row->line);
		ctx_buf_add(&g->told, row->name, row->namelen);
		ctx_buf_addc(&g->told, '\n');
		if (row->n[3] > 0) {
			ctx_buf_add(&instead, row->text, row->n[3]);
			ctx_buf_addc(&instead, '\n');
		}
		if (row->n[0] == CTX_LEFT_OUT)
			ctx_buf_addf(&g->side, "-");
	}
}

static void
convert(const struct ctx_dialect *from, const struct ctx_buf *text,
    struct gave *g)
{
	struct ctx_err err = { 0 };

	ctx_buf_reset(&instead);
	g->tell = tell_fare;
	history_run(ctx_convert_job_new(&opts, &err), from, text, g);
}

/* --- laws -------------------------------------------------------------- */

/* Fill doc if a text is an object or a list, as arguments may be spelled. */
static int
is_json(const struct ctx_buf *text, struct ctx_doc *doc)
{
	size_t i = 0;

	while (i < text->len && memchr(" \t\r\n", text->data[i], 4) != NULL)
		i++;
	return i < text->len && memchr("{[", text->data[i], 2) != NULL &&
	    ctx_doc_try(doc, text->data, text->len) == 1;
}

/* Append all strings of a value, decoded; of JSON in a string those in it. */
static void
add_strings(const struct ctx_doc *doc, struct ctx_buf *out, int depth)
{
	struct ctx_buf text = { 0 };
	struct ctx_doc in = { 0 };
	uint32_t i;

	for (i = 0; i < doc->n; i++) {
		if (ctx_node_type(doc, i) != '"')
			continue;
		ctx_buf_reset(&text);
		ctx_node_decode(&text, doc, i);
		if (depth > 0 && is_json(&text, &in))
			add_strings(&in, out, depth - 1);
		ctx_buf_add(out, text.data, text.len);
		ctx_buf_addc(out, '\0');
	}
	ctx_buf_done(&text);
	ctx_doc_done(&in);
}

/* The same for all lines of a text, each of which must be JSON. */
static void
strings_of(const struct ctx_buf *text, struct ctx_buf *out)
{
	struct ctx_doc doc = { 0 };
	size_t at, n;

	for (at = 0; at < text->len; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		MUST(ctx_doc_try(&doc, text->data + at, n) == 1);
		add_strings(&doc, out, DEPTH);
	}
	MUST(!out->failed);
	ctx_doc_done(&doc);
}

/* Is it somebody's text, and not a word of the dialect? */
static int
is_text(const struct ctx_buf *s)
{
	size_t i;

	for (i = 0; s->len >= LEAST && i < s->len; i++)
		if (s->data[i] == ' ' || s->data[i] == '\n' ||
		    (unsigned char)s->data[i] >= 0x80 ||
		    (s->data[i] >= '0' && s->data[i] <= '9'))
			return 1;
	return 0;
}

/* Does the report name this value of the line, or something around it? */
static int
is_named(const struct ctx_buf *told, int line, const struct ctx_doc *doc,
    uint32_t i)
{
	struct ctx_buf path = { 0 };
	size_t head, n;
	int found = 0;

	ctx_buf_addf(&path, " %d ", line);
	head = path.len;
	ctx_node_path(&path, doc, 0, i);
	for (n = path.len; n >= head && !found; n--) {
		if (n < path.len && n > head && path.data[n] != '/')
			continue;
		path.len = n;
		ctx_buf_addc(&path, '\n');
		found = memmem(told->data, told->len, path.data,
		    path.len) != NULL;
		path.len = n;
		if (n < path.cap)
			path.data[n] = '/';
	}
	ctx_buf_done(&path);
	return found;
}

/* Has got the text or, if that is JSON, each text in it? */
static int
has_text(const struct ctx_buf *got, const struct ctx_buf *text, int depth)
{
	struct ctx_buf inner = { 0 };
	struct ctx_doc doc = { 0 };
	uint32_t i;
	int all = 1;

	if (!is_text(text) || memmem(got->data, got->len, text->data,
	    text->len) != NULL)
		return 1;
	if (depth == 0 || !is_json(text, &doc))
		all = 0;
	for (i = 0; all && i < doc.n; i++) {
		if (ctx_node_type(&doc, i) != '"' || ctx_node_is_key(&doc, i))
			continue;
		ctx_buf_reset(&inner);
		ctx_node_decode(&inner, &doc, i);
		all = has_text(got, &inner, depth - 1);
	}
	ctx_buf_done(&inner);
	ctx_doc_done(&doc);
	return all;
}

static void
line_kept(const struct ctx_doc *doc, int line, const struct ctx_buf *told,
    const struct ctx_buf *got)
{
	struct ctx_buf text = { 0 };
	uint32_t i;

	for (i = 0; i < doc->n; i++) {
		if (ctx_node_type(doc, i) != '"' || ctx_node_is_key(doc, i))
			continue;
		ctx_buf_reset(&text);
		ctx_node_decode(&text, doc, i);
		if (has_text(got, &text, DEPTH) || (told->len > 0 &&
		    is_named(told, line, doc, i)))
			continue;
		fprintf(stderr, "line %d: lost: %.*s\n", line, (int)text.len,
		    text.data);
		abort();
	}
	ctx_buf_done(&text);
}

/* Is each text of the source in the result, or in other, or named? */
static void
kept(const struct ctx_buf *source, const struct ctx_buf *told,
    const struct ctx_buf *result, const struct ctx_buf *other)
{
	struct ctx_buf got = { 0 };
	struct ctx_doc doc = { 0 };
	size_t at, n;
	int line = 1;

	strings_of(result, &got);
	if (other != NULL)
		ctx_buf_add(&got, other->data, other->len);
	ctx_buf_addc(&got, '\0');
	for (at = 0; at < source->len; at += n, line++) {
		n = ctx_scan_newline(source->data + at, source->len - at) + 1;
		if (ctx_doc_try(&doc, source->data + at, n) == 1)
			line_kept(&doc, line, told, &got);
	}
	ctx_doc_done(&doc);
	ctx_buf_done(&got);
}

static const struct ctx_target *
target_of(const struct ctx_dialect *d)
{
	const struct ctx_target *t;
	size_t i;

	for (i = 0; (t = ctx_target_at(i)) != NULL; i++)
		if (strcmp(ctx_target_dialect(t), d->name) == 0)
			return t;
	return NULL;
}

/* From the target back to where it came from, and once more to the target. */
static void
back(const struct history *h, const struct ctx_buf *source,
    const struct gave *there)
{
	const struct ctx_dialect *to =
	    ctx_dialect_find(ctx_target_dialect(opts.to));
	struct gave g = { 0 };

	MUST(to != NULL);
	convert(to, &there->out, &g);
	MUST(!g.failed && g.bad == 0);
	if (h->option[5] % 2)
		must_be(&g.out, &there->out);
	gave_done(&g);
	if ((opts.to = target_of(h->dialect)) == NULL)
		return;
	convert(to, &there->out, &g);
	MUST(!g.failed && g.bad == 0);
	if (g.side.len == 0)
		kept(source, &there->told, &g.out, &instead);
	gave_done(&g);
}

static void
check(struct history *h, const struct ctx_buf *source)
{
	struct gave g = { 0 };
	const struct ctx_dialect *from = h->dialect;

	convert(h->dialect, source, &g);
	/* what is strict may leave all of it out */
	if (g.failed || g.bad > 0 || opts.to->only_text ||
	    (opts.strict && g.side.len > 0)) {
		gave_done(&g);
		return;
	}
	if (!opts.to->only_waiting)
		kept(source, &g.told, &g.out, NULL);
	if (opts.request) {
		h->dialect = ctx_dialect_find(ctx_target_dialect(opts.to));
		history_valid(h, &g.out, NULL);
		h->dialect = from;
	} else if (!opts.to->only_waiting && !opts.goes_on && g.out.len > 0)
		back(h, source, &g);
	gave_done(&g);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct ctx_clean_opts plain = { 0 };
	struct gave clean = { 0 };
	const struct ctx_buf *source;
	static struct history h;

	if (history_read(&h, data, len)) {
		set_all(&h);
		source = h.whole.len > 0 && h.option[4] % 2 ? &h.whole :
		    h.request.len > 0 && h.option[4] % 4 == 2 ? &h.request :
		    &h.lines;
		if (h.option[5] % 2) {
			history_clean(&h, source, &plain, &clean);
			source = &clean.out;
		}
		if (!clean.failed && clean.bad == 0)
			check(&h, source);
	}
	gave_done(&clean);
	history_done(&h);
	return 0;
}
