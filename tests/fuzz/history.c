/* SPDX-License-Identifier: MIT */
/* Histories for fuzz targets; see history.h. */
#include "history.h"

#include <stdio.h>

#include "base/strmap.h"

/* Those with a list of messages, and how their requests begin. */
static const struct {
	const struct ctx_dialect *dialect;
	const char *list, *request;
} dialects[] = {
	{ &ctx_dialect_openai, "messages", "\"model\":\"m\"," },
	{ &ctx_dialect_anthropic, "messages",
	    "\"model\":\"m\",\"max_tokens\":9," },
	{ &ctx_dialect_responses, "input", "\"model\":\"m\"," },
	{ &ctx_dialect_gemini, "contents", "\"generationConfig\":{}," },
	{ &ctx_dialect_langchain, "messages", NULL },
	{ &ctx_dialect_pydantic, "messages", NULL },
	{ &ctx_dialect_ai_sdk, "messages", NULL },
	{ &ctx_dialect_sharegpt, "conversations", NULL },
	{ &ctx_dialect_bedrock, "messages",
	    "\"modelId\":\"m\",\"inferenceConfig\":{}," },
	{ &ctx_dialect_cohere, "messages", "\"model\":\"m\"," },
	{ &ctx_dialect_ollama, "messages", "\"model\":\"m\"," },
	{ &ctx_dialect_mistral, "messages", "\"model\":\"m\"," },
	/* session files have lines only */
	{ &ctx_dialect_claude_code, NULL, NULL },
	{ &ctx_dialect_codex, NULL, NULL },
	{ &ctx_dialect_qwen_code, NULL, NULL },
	{ &ctx_dialect_pi, NULL, NULL },
	{ &ctx_dialect_opencode, NULL, NULL },
	{ &ctx_dialect_continue, NULL, NULL },
	{ &ctx_dialect_gemini_cli, NULL, NULL },
	{ &ctx_dialect_goose, NULL, NULL }
};

#define NDIALECTS	(sizeof(dialects) / sizeof(dialects[0]))

void
history_done(struct history *h)
{
	ctx_buf_done(&h->lines);
	ctx_buf_done(&h->whole);
	ctx_buf_done(&h->request);
	ctx_doc_done(&h->doc);
	ctx_convo_done(&h->convo);
}

/*
 * Add a line, and what it is in a list.  Returns 0 if it is not JSON, or is a
 * conversation itself.
 */
static int
add_line(struct history *h, const char *p, size_t len)
{
	struct ctx_err err = { 0 };
	int rc;

	while (len > 0 && strchr(" \t\r", p[len - 1]) != NULL && p[len - 1])
		len--;
	ctx_buf_add(&h->lines, p, len);
	ctx_buf_addc(&h->lines, '\n');
	if (h->n == HISTORY_LINES || len == 0 || *p != '{' ||
	    ctx_doc_try(&h->doc, p, len) != 1)
		return 0;
	rc = ctx_dialect_line_of(&h->convo, h->dialect, p, len, &err);
	if (rc == -1 || h->convo.nrec == 0 ||
	    h->convo.rec[0].shape == CTX_REC_CONVERSATION)
		return 0;
	if (h->n > 0)
		ctx_buf_addc(&h->whole, ',');
	h->at[h->n++] = h->whole.len;
	if (h->convo.nmsg > 0)
		h->last = h->n;
	return ctx_buf_add(&h->whole, p, len) == 0;
}

/* Put the list of messages into a conversation and a request. */
static void
wrap(struct history *h, const char *list, const char *more)
{
	struct ctx_buf all = h->whole;
	size_t i;

	h->whole = (struct ctx_buf){ 0 };
	ctx_buf_addf(&h->whole, "{\"%s\":[", list);
	if (more != NULL)
		ctx_buf_addf(&h->request, "{%s\"%s\":[", more, list);
	for (i = 0; i < h->n; i++)
		h->at[i] += h->whole.len;
	h->head = more != NULL ? strlen(more) : 0;
	ctx_buf_add(&h->whole, all.data, all.len);
	ctx_buf_adds(&h->whole, "]}\n");
	if (more != NULL) {
		/* for the verdict of the other forms, which name none */
		h->model = strstr(more, "odel") != NULL ? "m" : NULL;
		ctx_buf_add(&h->request, all.data, all.len);
		ctx_buf_adds(&h->request, "]}\n");
	}
	ctx_buf_done(&all);
}

int
history_read(struct history *h, const uint8_t *data, size_t len)
{
	const char *p = (const char *)data, *end = p + len, *nl;
	size_t n = ctx_scan_newline(p, len), i;
	const char *list;
	int json = 1;

	memset(h, 0, sizeof(*h));
	if (n + 1 >= len || len > 1 << 20)
		return 0;
	i = (size_t)(uint8_t)(data[0] - 'a') % NDIALECTS;
	h->dialect = dialects[i].dialect;
	list = dialects[i].list;
	for (i = 0; i < HISTORY_OPTIONS && i + 1 < n; i++)
		h->option[i] = (uint8_t)(data[i + 1] - 'a');
	for (p += n + 1; p < end; p = nl + 1) {
		nl = p + ctx_scan_newline(p, (size_t)(end - p));
		json &= nl == p || add_line(h, p, (size_t)(nl - p));
	}
	if (h->lines.len == 0)
		return 0;
	if (json && list != NULL)
		wrap(h, list, dialects[(uint8_t)(data[0] - 'a') %
		    NDIALECTS].request);
	else
		ctx_buf_reset(&h->whole);
	MUST(!h->lines.failed && !h->whole.failed && !h->request.failed);
	return 1;
}

size_t
history_message(const struct history *h, size_t off)
{
	size_t i = 0;

	while (i + 1 < h->n && h->at[i + 1] <= off)
		i++;
	return i;
}

/* --- jobs -------------------------------------------------------------- */

void
gave_done(struct gave *g)
{
	ctx_buf_done(&g->out);
	ctx_buf_done(&g->side);
	ctx_buf_done(&g->told);
	memset(g, 0, sizeof(*g));
}

static int
take_bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct gave *g = arg;

	(void)block;
	(void)err;
	return ctx_buf_add(to == CTX_TO_SIDE ? &g->side : &g->out, p, len);
}

static int
take_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct gave *g = arg;

	(void)err;
	if (g->tell != NULL)
		g->tell(g, row);
	return 0;
}

static void
take_bad(void *arg, const struct ctx_line *line, const struct ctx_err *err)
{
	(void)line;
	MUST(err->text[0] != '\0');
	((struct gave *)arg)->bad++;
}

void
history_feed(struct ctx_job *j, const struct ctx_dialect *d,
    const struct ctx_buf *text, struct gave *g)
{
	struct ctx_run r = { .job = j, .on_error = CTX_BAD_KEEP,
	    .bad = take_bad, .arg = g };
	struct ctx_err err = { 0 };

	MUST(j != NULL);
	j->sink = (struct ctx_sink){ take_bytes, take_row, g };
	j->turns.dialect = d;
	if (ctx_run_text(&r, text->len > 0 ? text->data : "", text->len,
	    &err) == -1) {
		MUST(err.code == CTX_EINPUT && err.text[0] != '\0');
		g->failed = 1;
	}
	ctx_run_done(&r);
	MUST(!g->out.failed && !g->side.failed && !g->told.failed);
}

void
history_run(struct ctx_job *j, const struct ctx_dialect *d,
    const struct ctx_buf *text, struct gave *g)
{
	history_feed(j, d, text, g);
	ctx_job_free(j);
}

/* --- clean ------------------------------------------------------------- */

/* Is this a fault that is found but not mended?  See decide/plan.h. */
static int
is_left(const char *rule)
{
	int f = 0;

	while (f < CTX_F_N && strcmp(rule, ctx_fault_texts[f].id) != 0)
		f++;
	MUST(f < CTX_F_N);
	return f >= CTX_F_TWICE_ID || f == CTX_F_FIRST_ROLE ||
	    f == CTX_F_LONG_ID || f == CTX_F_NOT_JSON || f == CTX_F_UNKNOWN ||
	    f == CTX_F_NO_MESSAGE;
}

static void
tell_fault(struct gave *g, const struct ctx_row *row)
{
	if (row->what == CTX_CLEAN_FAULT)
		ctx_buf_addf(&g->told, "%d %d %d %d %s\n", (int)row->line,
		    (int)row->col, (int)row->n[0], (int)row->n[1], row->rule);
}

static void
tell_change(struct gave *g, const struct ctx_row *row)
{
	if (row->what == CTX_CLEAN_CHANGE)
		ctx_buf_addf(&g->told, " %d\n", (int)row->line);
}

void
history_clean(const struct history *h, const struct ctx_buf *text,
    const struct ctx_clean_opts *opts, struct gave *g)
{
	struct ctx_err err = { 0 };

	g->tell = opts->check ? tell_fault : tell_change;
	history_run(ctx_clean_new(opts, &err), h->dialect, text, g);
}

void
history_find(const struct history *h, const struct ctx_buf *text,
    const struct ctx_links_opts *links, struct gave *g)
{
	struct ctx_clean_opts o = { .check = 1, .model = h->model };

	if (links != NULL)
		o.links = *links;
	history_clean(h, text, &o, g);
}

void
history_valid(const struct history *h, const struct ctx_buf *text,
    const struct ctx_links_opts *links)
{
	int line, col, warning, fixed, at = 0;
	struct gave g = { 0 };
	const char *p, *end;
	char rule[40];

	history_find(h, text, links, &g);
	ctx_buf_addc(&g.told, '\0');
	for (p = g.told.data, end = p + g.told.len - 1; p < end; p += at) {
		MUST(sscanf(p, "%d %d %d %d %39s\n%n", &line, &col, &warning,
		    &fixed, rule, &at) == 5);
		/* one stays where it would cut off a call that waits */
		if (links != NULL && links->keep_pending &&
		    strcmp(rule, "misplaced-result") == 0)
			continue;
		if (fixed || (!warning && !is_left(rule))) {
			fprintf(stderr, "line %d: %s, in\n%.*s", line, rule,
			    (int)text->len, text->data);
			abort();
		}
	}
	gave_done(&g);
}

/* The ids of a log's records so far, and the number of the last one's. */
struct written {
	struct ctx_strmap ids;
	size_t last;
};

/* Has the record at node the id of an earlier one that is not the last? */
static int
is_late(struct written *w, const struct ctx_doc *doc, uint32_t node)
{
	const struct ctx_str id = ctx_node_str(doc, CTX_GET(doc, node, "id"));
	const size_t known = w->ids.n, last = w->last;

	if (id.p == NULL)
		return 0;
	w->last = ctx_strmap_add(&w->ids, id.p, id.len);
	MUST(w->last != CTX_STRMAP_FULL);
	return w->last < known && w->last != last;
}

/* Does a log write a record again, by itself or in a list, after another one? */
static int
writes_late(const struct ctx_buf *text)
{
	struct written w = { 0 };
	struct ctx_doc doc = { 0 };
	uint32_t e, list;
	size_t at, n;
	int late = 0;

	for (at = 0; at < text->len; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		if (ctx_doc_try(&doc, text->data + at, n) != 1)
			continue;
		late |= is_late(&w, &doc, 0);
		list = ctx_node_if(&doc, CTX_GET(&doc, CTX_GET(&doc, 0, "$set"),
		    "messages"), '[');
		/* which takes the place of all before it */
		if (list != CTX_NONE)
			ctx_strmap_done(&w.ids);
		CTX_FOR_LIST(&doc, e, list)
			late |= is_late(&w, &doc, e);
	}
	ctx_doc_done(&doc);
	ctx_strmap_done(&w.ids);
	return late;
}

/* Have two lines the same id, that of a record?  --check asks only what follows. */
static int
repeats_id(const struct history *h, const struct ctx_buf *text)
{
	struct ctx_strmap ids = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_str id;
	size_t at, n, known;
	int found = 0;

	for (at = 0; at < text->len && !found; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		if (ctx_doc_try(&doc, text->data + at, n) != 1)
			continue;
		id = ctx_node_str(&doc, ctx_chain_member(&doc, 0,
		    h->dialect->chain->id));
		if (id.p == NULL)
			continue;
		known = ids.n;
		found = ctx_strmap_add(&ids, id.p, id.len) < known;
	}
	ctx_doc_done(&doc);
	ctx_strmap_done(&ids);
	return found;
}

int
history_has_twice(const struct history *h, const struct ctx_buf *text)
{
	struct gave g = { 0 };
	int found;

	if (h->dialect->rules & CTX_RULE_REWRITES && writes_late(text))
		return 1;
	if (h->dialect->chain != NULL && repeats_id(h, text))
		return 1;
	history_find(h, text, NULL, &g);
	found = g.told.len > 0 && memmem(g.told.data, g.told.len,
	    "twice-record", 12) != NULL;
	gave_done(&g);
	return found;
}

int
history_has(const struct ctx_buf *text, const char *line, size_t len)
{
	size_t at, n;

	for (at = 0; at < text->len; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		if (n == len && memcmp(text->data + at, line, n) == 0)
			return 1;
	}
	return 0;
}

void
history_wrap(const struct history *h, const struct ctx_buf *lines,
    const struct ctx_buf *form, struct ctx_buf *out)
{
	size_t head = h->at[0] + (form == &h->request ? h->head : 0), i;

	ctx_buf_add(out, form->data, head);
	for (i = 0; i + 1 < lines->len; i++)
		ctx_buf_addc(out, lines->data[i] == '\n' ? ',' :
		    lines->data[i]);
	ctx_buf_adds(out, "]}\n");
	MUST(!out->failed);
}

void
must_be(const struct ctx_buf *got, const struct ctx_buf *want)
{
	if (ctx_str_same(ctx_str_of(got), ctx_str_of(want)))
		return;
	fprintf(stderr, "got:\n%.*s\nwant:\n%.*s\n", (int)got->len,
	    got->len > 0 ? got->data : "", (int)want->len,
	    want->len > 0 ? want->data : "");
	abort();
}

struct ctx_cost *
history_cost(void)
{
	static struct ctx_cost cost = { .encoding = "chars",
	    .overhead = CTX_OVERHEAD };
	struct ctx_err err = { 0 };

	if (!cost.ready)
		MUST(ctx_cost_open(&cost, &err) == 0);
	return &cost;
}
