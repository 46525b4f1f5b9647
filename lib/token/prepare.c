/* SPDX-License-Identifier: MIT */
#include "token/prepare.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "token/hf.h"
#include "token/table.h"
#include "token/vocab.h"

/* Read the first bytes of the file; returns their number, or -1 on failure. */
static int
first_bytes(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL)
		return -1;
	n = fread(out, 1, size, f);
	fclose(f);
	return (int)n;
}

int
ctx_prepare_is_done(const char *path)
{
	char head[8];
	int n = first_bytes(path, head, sizeof(head));

	return n == -1 || (n == 8 && memcmp(head, "ctxvocab", 8) == 0);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static enum ctx_split_kind
guess_split(const char *path, uint32_t size)
{
	static const struct {
		const char *part;
		enum ctx_split_kind kind;
	} known[] = {
		{ "o200k", CTX_SPLIT_O200K }, { "cl100k", CTX_SPLIT_CL100K },
		{ "p50k", CTX_SPLIT_R50K }, { "r50k", CTX_SPLIT_R50K },
		{ "gpt2", CTX_SPLIT_R50K }, { "qwen", CTX_SPLIT_QWEN },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(base_name(path), known[i].part) != NULL)
			return known[i].kind;
	return size < 60000 ? CTX_SPLIT_R50K :
	    size < 190000 ? CTX_SPLIT_CL100K : CTX_SPLIT_O200K;
}

/*
 * A table is named after its file or, since those are all called
 * tokenizer.json, after its directory, without anything after a dot.
 */
static void
table_name(const char *path, char *out, size_t size)
{
	const char *base = base_name(path), *end = base + strlen(base);
	size_t i;

	if (strncmp(base, "tokenizer.", 10) == 0 && base > path + 1) {
		end = base - 1;
		for (base = end; base > path && base[-1] != '/'; base--)
			;
	}
	for (i = 0; i + 1 < size && base + i < end && base[i] != '.'; i++)
		out[i] = isprint((unsigned char)base[i]) ? base[i] : '_';
	out[i] = '\0';
}

int
ctx_prepare(const char *in, const char *out, struct ctx_err *err)
{
	struct ctx_vocab v;
	char head[64], name[32];
	int n = first_bytes(in, head, sizeof(head)), i = 0, rc;

	if (n == -1)
		return ctx_fail_errno(err, errno, "%s", in);
	while (i < n && isspace((unsigned char)head[i]))
		i++;
	table_name(in, name, sizeof(name));
	ctx_vocab_init(&v, name);
	if (i < n && head[i] == '{') {
		rc = ctx_hf_read(&v, in, err);
	} else {
		v.flags = CTX_TABLE_WHOLE;
		rc = ctx_vocab_read_ranks(&v, in, err);
		v.split = guess_split(in, v.size);
	}
	if (rc == 0)
		rc = ctx_vocab_write(&v, out, err);
	ctx_vocab_done(&v);
	return rc;
}
