/* SPDX-License-Identifier: MIT */
/* Ids and tokens in ctx-count; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli_pager.h"
#include "cli_text.h"
#include "base/utf8.h"
#include "read/span.h"

/* Are the bytes of the tokens those of the text? */
static int
is_text(const struct ctx_tok *tok, const struct ctx_ids *ids,
    const struct ctx_buf *text)
{
	const char *p;
	size_t i, n, at = 0;

	for (i = 0; i < ids->n; i++, at += n) {
		p = ctx_tok_bytes(tok, ids->id[i], &n);
		if (p == NULL || n > text->len - at ||
		    memcmp(text->data + at, p, n) != 0)
			return 0;
	}
	return at == text->len;
}

static void
put_offsets(const struct ctx_tok *tok, const struct ctx_ids *ids)
{
	size_t i, n, at = 0;

	fputs(",\"offsets\":[", stdout);
	for (i = 0; i < ids->n; i++, at += n) {
		(void)ctx_tok_bytes(tok, ids->id[i], &n);
		printf("%s[%zu,%zu]", i > 0 ? "," : "", at, at + n);
	}
	fputs("]}", stdout);
}

static int
encode(struct ctx_cost *k, const struct ctx_buf *text, struct ctx_ids *ids,
    int offsets, struct ctx_err *err)
{
	size_t i;

	if (ctx_counter_encode(&k->counter, text->data, text->len, ids,
	    err) == -1)
		return -1;
	if (offsets && !is_text(k->choice.tok, ids, text))
		return ctx_fail(err, CTX_EINPUT, "the tokens are not those of "
		    "the text as it is, so they have no offsets: it is not "
		    "UTF-8, or the vocabulary normalizes it");
	fputs(offsets ? "{\"ids\":[" : "[", stdout);
	for (i = 0; i < ids->n; i++)
		printf("%s%" PRIu32, i > 0 ? "," : "", ids->id[i]);
	putchar(']');
	if (offsets)
		put_offsets(k->choice.tok, ids);
	putchar('\n');
	return 0;
}

/* Append the numbers in a line to ids. */
static int
read_ids(const char *p, size_t len, struct ctx_ids *ids, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	uint64_t n;
	size_t i;
	int rc;

	/* the scanner checks that it is JSON; it has no nodes for numbers */
	rc = ctx_doc_scan(&doc, p, len, err);
	if (rc == 0 && (ctx_node_type(&doc, 0) != '[' || doc.n != 1))
		rc = ctx_fail(err, CTX_EINPUT, "not a list of token ids");
	for (i = 0; rc == 0 && i < len; i++) {
		if (p[i] == '-' || p[i] == '.' || p[i] == 'e' || p[i] == 'E' ||
		    p[i] == 't' || p[i] == 'f' || p[i] == 'n')
			rc = ctx_fail(err, CTX_EINPUT,
			    "not a list of token ids");
		if (p[i] < '0' || p[i] > '9')
			continue;
		for (n = 0; i < len && p[i] >= '0' && p[i] <= '9'; i++)
			if (n < UINT32_MAX)
				n = n * 10 + (uint64_t)(p[i] - '0');
		i--;
		if (CTX_ROOM(ids->id, ids->n, &ids->cap) == -1)
			rc = ctx_fail_nomem(err);
		else
			ids->id[ids->n++] = n < UINT32_MAX ? (uint32_t)n :
			    UINT32_MAX;
	}
	ctx_doc_done(&doc);
	return rc;
}

static int
decode(struct ctx_cost *k, const struct ctx_buf *text, struct ctx_ids *ids,
    struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	size_t at = 0, end;
	uint64_t line = 0;
	int rc = 0;

	while (at < text->len && rc == 0) {
		end = at + ctx_scan_newline(text->data + at, text->len - at);
		line++;
		ids->n = 0;
		ctx_buf_reset(&out);
		if (end > at)
			rc = read_ids(text->data + at, end - at, ids, err);
		if (rc == 0)
			rc = ctx_tok_decode(k->choice.tok, ids->id, ids->n,
			    &out, err);
		if (rc == 0 && out.len > 0)
			fwrite(out.data, 1, out.len, stdout);
		at = end + 1;
	}
	if (rc == -1 && err->line == 0)
		err->line = line;
	ctx_buf_done(&out);
	return rc;
}

static void
show_text(const char *p, size_t len, int ground, int colour)
{
	char escaped[CTX_ERR_ESCAPED];
	size_t i, n;

	if (colour)
		printf("\033[97;%dm", ground);
	else
		fputs("\xe2\x80\xb9", stdout);
	for (i = 0; i < len; i += n) {
		n = ctx_err_escape(p + i, len - i, escaped);
		if (p[i] == '\n' && colour)
			printf("\xe2\x8f\x8e\033[0m\n\033[97;%dm", ground);
		else if (n > 0 && p[i] != '\n' && p[i] != '\t')
			fputs(escaped, stdout);
		else {
			n = ctx_utf8_step(p + i, len - i, NULL);
			fwrite(p + i, 1, n, stdout);
		}
	}
	fputs(colour ? "\033[0m" : "\xe2\x80\xba", stdout);
}

/*
 * Show the tokens one after the other, each on a different background colour
 * or, without colours, in angle brackets.  Tokens that are parts of one
 * character are shown together.  The text shown is that of the tokens, as the
 * vocabulary sees it: normalized, or with a space in front.
 */
static int
show(struct ctx_cost *k, const struct ctx_buf *text, struct ctx_ids *ids,
    struct ctx_err *err)
{
	static const int grounds[] = { 44, 42, 45, 46, 41 };
	int colour = cli_screen_colored(CLI_COLOR_AUTO);
	struct ctx_buf shown = { 0 };
	const char *p;
	size_t i, n = 0;

	if (ctx_counter_encode(&k->counter, text->data, text->len, ids,
	    err) == -1)
		return -1;
	for (i = 0; i < ids->n; i++) {
		p = ctx_tok_bytes(k->choice.tok, ids->id[i], &n);
		ctx_buf_add(&shown, p, p == NULL ? 0 : n);
		if (ctx_buf_fail(&shown, err) == -1)
			break;
		p = i + 1 < ids->n ?
		    ctx_tok_bytes(k->choice.tok, ids->id[i + 1], &n) : NULL;
		if (p != NULL && n > 0 && (*p & 0xc0) == 0x80)
			continue;	/* within a character */
		show_text(shown.data, shown.len, grounds[i % 5], colour);
		ctx_buf_reset(&shown);
	}
	i = shown.failed;
	if (!i)
		putchar('\n');
	ctx_buf_done(&shown);
	return i ? -1 : 0;
}

struct asked {
	struct ctx_cost *cost;
	enum count_ids what;
	int offsets;
};

static int
one(void *arg, const char *name, struct ctx_buf *text, struct ctx_err *err)
{
	const struct asked *a = arg;
	struct ctx_cost *k = a->cost;
	struct ctx_ids ids = { 0 };
	int rc;

	(void)name;
	rc = a->what == COUNT_ENCODE ? encode(k, text, &ids, a->offsets,
	    err) :
	    a->what == COUNT_DECODE ? decode(k, text, &ids, err) :
	    show(k, text, &ids, err);
	ctx_ids_done(&ids);
	return rc;
}

void
count_ids(struct ctx_cost *k, struct cli *c, enum count_ids what, int offsets)
{
	struct asked a = { k, what, offsets };

	cli_text_each(c, one, &a);
}
