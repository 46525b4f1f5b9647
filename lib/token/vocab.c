/* SPDX-License-Identifier: MIT */
#include "token/vocab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "token/table.h"

void
ctx_vocab_init(struct ctx_vocab *v, const char *name)
{
	memset(v, 0, sizeof(*v));
	snprintf(v->name, sizeof(v->name), "%s", name);
	v->unknown = CTX_ID_MAX;
}

void
ctx_vocab_done(struct ctx_vocab *v)
{
	ctx_buf_done(&v->pattern);
	ctx_buf_done(&v->bytes);
	ctx_buf_done(&v->special_text);
	free(v->token);
	free(v->merge);
	free(v->special);
	free(v->order);
	free(v->score);
	ctx_buf_done(&v->charsmap);
	ctx_buf_done(&v->steps);
	free(v->user);
	ctx_buf_done(&v->file);
	memset(v, 0, sizeof(*v));
}

int
ctx_vocab_reach(struct ctx_vocab *v, uint32_t id, struct ctx_err *err)
{
	struct ctx_vocab_token *token;

	if (id >= CTX_ID_MAX - 1)
		return ctx_fail(err, CTX_ESYSTEM, "token id %u is too large",
		    id);
	if (id < v->size)
		return 0;
	if (CTX_ROOM(v->token, id, &v->cap) == -1)
		return ctx_fail_nomem(err);
	token = v->token;
	memset(token + v->size, 0, (id + 1 - v->size) * sizeof(*token));
	v->size = id + 1;
	return 0;
}

int
ctx_vocab_add(struct ctx_vocab *v, uint32_t id, const void *text, size_t len,
    unsigned flags, struct ctx_err *err)
{
	if (len == 0 || len > UINT16_MAX)
		return ctx_fail(err, CTX_ESYSTEM,
		    "token %u has a length of %zu bytes", id, len);
	if (ctx_vocab_reach(v, id, err) == -1)
		return -1;
	if (v->token[id].len != 0)
		return ctx_fail(err, CTX_ESYSTEM, "token %u occurs twice",
		    id);
	v->token[id] = (struct ctx_vocab_token){
		v->bytes.len, (uint32_t)len, flags
	};
	ctx_buf_add(&v->bytes, text, len);
	return ctx_buf_fail(&v->bytes, err);
}

int
ctx_vocab_add_special(struct ctx_vocab *v, uint32_t id, const void *text,
    size_t len, unsigned flags, struct ctx_err *err)
{
	if (len == 0 || len > UINT16_MAX)
		return ctx_fail(err, CTX_ESYSTEM,
		    "token %u has a length of %zu bytes", id, len);
	if (CTX_ROOM(v->special, v->nspecial, &v->special_cap) == -1)
		return ctx_fail_nomem(err);
	v->special[v->nspecial++] = (struct ctx_special){
		id, flags, (uint32_t)v->special_text.len, (uint32_t)len
	};
	ctx_buf_add(&v->special_text, text, len);
	return ctx_buf_fail(&v->special_text, err);
}

int
ctx_vocab_add_merge(struct ctx_vocab *v, uint32_t left, uint32_t right,
    uint32_t merged, struct ctx_err *err)
{
	if (v->nmerge >= CTX_RANK_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "too many merges");
	if (CTX_ROOM(v->merge, v->nmerge, &v->merge_cap) == -1)
		return ctx_fail_nomem(err);
	v->merge[v->nmerge++] = (struct ctx_vocab_merge){ left, right, merged };
	return 0;
}

static int
rank_line(struct ctx_vocab *v, char *line, struct ctx_err *err)
{
	unsigned long rank;
	size_t len = strlen(line), n, used;
	char *p, *end;

	if (*line == '\n' || *line == '\0')
		return 0;
	n = ctx_base64_begin(line, len, line, len, &used);
	for (p = line + used; *p == '='; p++)
		;
	if (n == 0 || *p != ' ' || p[1] < '0' || p[1] > '9')
		return ctx_fail(err, CTX_ESYSTEM, "not a token and its rank");
	rank = strtoul(p + 1, &end, 10);
	if ((*end != '\n' && *end != '\r' && *end != '\0') || rank > UINT32_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "not a token and its rank");
	return ctx_vocab_add(v, (uint32_t)rank, line, n, 0, err);
}

int
ctx_vocab_read_ranks(struct ctx_vocab *v, const char *path,
    struct ctx_err *err)
{
	struct ctx_err e = { 0 };
	size_t cap = 0;
	uint64_t n = 0;
	char *line = NULL;
	FILE *f;
	int rc = 0;

	f = fopen(path, "r");
	if (f == NULL)
		return ctx_fail_errno(err, errno, "%s", path);
	errno = 0;
	while (rc == 0 && getline(&line, &cap, f) != -1) {
		n++;
		rc = rank_line(v, line, &e);
	}
	if (rc == -1) {
		ctx_fail(err, e.code, "%s:%llu: %s", path,
		    (unsigned long long)n, e.text);
	} else if (ferror(f)) {
		rc = ctx_fail_errno(err, errno, "%s", path);
	} else if (v->size == 0)
		rc = ctx_fail(err, CTX_ESYSTEM, "%s: it contains no tokens",
		    path);
	free(line);
	fclose(f);
	return rc;
}
