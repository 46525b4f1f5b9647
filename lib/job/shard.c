/* SPDX-License-Identifier: MIT */
/* Lines for one of several processes; see shard.h. */
#include "job/shard.h"

#include <string.h>

#include "base/sha256.h"
#include "job/document.h"
#include "view/turn.h"

void
ctx_shard_done(struct ctx_shard *s)
{
	ctx_doc_done(&s->doc);
	ctx_buf_done(&s->key);
}

void
ctx_shard_begin(struct ctx_shard *s, const char *file)
{
	const char *slash = file != NULL ? strrchr(file, '/') : NULL;

	s->file = file == NULL ? "" : slash != NULL ? slash + 1 : file;
	s->how = CTX_SHARD_BEGINS;
	s->by_line = 0;
	s->keyed = 0;
}

/* Do these bytes belong to process i? */
static int
is_mine(const struct ctx_shard *s, const char *p, size_t len)
{
	unsigned char d[CTX_SHA256_LEN];
	struct ctx_sha256 sum;
	uint32_t no;

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, p, len);
	ctx_sha256_final(&sum, d);
	no = (uint32_t)d[0] << 24 | (uint32_t)d[1] << 16 |
	    (uint32_t)d[2] << 8 | d[3];
	return no % s->n == s->i - 1;
}

/* Is the line a whole conversation?  1 or 0, or -1 with *err. */
static int
is_conversation(const struct ctx_shard *s, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct ctx_convo c = { 0 };
	int rc;

	rc = ctx_dialect_line(&c, s->dialect, line->raw, line->len, &why) ==
	    0 && c.rec[0].shape == CTX_REC_CONVERSATION;
	ctx_convo_done(&c);
	return why.code == CTX_ENOMEM ? ctx_fail_nomem(err) : rc;
}

int
ctx_shard_first(struct ctx_shard *s, const struct ctx_line *line,
    struct ctx_err *err)
{
	int list = ctx_document_lists(line, err), one = 0;

	if (list == 0 && s->by == NULL)
		one = is_conversation(s, line, err);
	if (list == -1 || one == -1)
		return -1;
	if (list == 0 && s->by != NULL)
		s->how = CTX_SHARD_KEYS;
	else if (one == 1)
		s->how = CTX_SHARD_LINES;
	else
		s->how = is_mine(s, s->file, strlen(s->file)) ?
		    CTX_SHARD_ALL : CTX_SHARD_NONE;
	s->by_line = s->how == CTX_SHARD_LINES;
	return 0;
}

/* The same as ctx_shard_has, by the member. */
static int
has_key(struct ctx_shard *s, const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_str key = { "", 0 };
	int rc = ctx_doc_try(&s->doc, line->raw, line->len);

	if (rc == 1)
		key = ctx_turns_key(&s->doc, s->by, &s->key);
	if (rc == -1 || s->key.failed)
		return ctx_fail_nomem(err);
	s->keyed += key.len > 0;
	return is_mine(s, key.p, key.len);
}

static int
has_line(const struct ctx_shard *s, const struct ctx_line *line)
{
	size_t len = line->len;

	if (len > 0 && line->raw[len - 1] == '\n')
		len--;
	if (len > 0 && line->raw[len - 1] == '\r')
		len--;
	return is_mine(s, line->raw, len);
}

static int
is_mark(const struct ctx_line *line)
{
	return line->len == 3 && memcmp(line->raw, "\xef\xbb\xbf", 3) == 0;
}

int
ctx_shard_has(struct ctx_shard *s, const struct ctx_line *line,
    struct ctx_err *err)
{
	if (s->how == CTX_SHARD_ALL || s->how == CTX_SHARD_NONE)
		return s->how == CTX_SHARD_ALL;
	if (is_mark(line))
		return s->i == 1;
	if (ctx_line_blank(line->raw, line->len))
		return is_mine(s, "", 0);
	return s->how == CTX_SHARD_KEYS ? has_key(s, line, err) :
	    has_line(s, line);
}
