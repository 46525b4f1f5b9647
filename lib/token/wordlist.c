/* SPDX-License-Identifier: MIT */
/*
 * As google-research/bert reads it (tokenization.py), and Hugging Face's
 * BertTokenizer with its options.
 */
#include "token/wordlist.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "token/hf.h"
#include "token/norm.h"
#include "token/rankdir.h"

#define UNKNOWN		"[UNK]"
#define LONGEST_WORD	100

int
ctx_wordlist_add(struct ctx_vocab *v, uint32_t id, const char *text, size_t len,
    struct ctx_err *err)
{
	size_t mark = sizeof(CTX_WORDLIST_MARK) - 1;
	struct ctx_buf bytes = { 0 };
	unsigned flags = 0;
	int rc;

	/* A word has no space, so one in front says that a word begins. */
	if (memchr(text, ' ', len) != NULL)
		flags = CTX_TOKEN_OUTSIDE;
	if (len > mark && memcmp(text, CTX_WORDLIST_MARK, mark) == 0) {
		text += mark;
		len -= mark;
	} else
		ctx_buf_addc(&bytes, ' ');
	ctx_buf_add(&bytes, text, len);
	rc = ctx_buf_fail(&bytes, err);
	if (rc == 0)
		rc = ctx_vocab_add(v, id, bytes.data, bytes.len, flags, err);
	ctx_buf_done(&bytes);
	return rc;
}

/* A token in square brackets, as [CLS]. */
static int
is_special(const char *text, size_t len)
{
	size_t i;

	if (len < 3 || text[0] != '[' || text[len - 1] != ']')
		return 0;
	for (i = 1; i + 1 < len; i++)
		if (!isupper((unsigned char)text[i]))
			return 0;
	return 1;
}

static int
add_line(struct ctx_vocab *v, uint32_t id, const char *text, size_t len,
    struct ctx_err *err)
{
	static const char *const named[] = {
		"[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]"
	};
	size_t i;

	if (len == strlen(UNKNOWN) && memcmp(text, UNKNOWN, len) == 0)
		v->unknown = id;
	for (i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (len == strlen(named[i]) && memcmp(text, named[i], len) ==
		    0 && ctx_vocab_add_special(v, id, text, len, 0, err) == -1)
			return -1;
	if (len == 0)
		return ctx_vocab_reach(v, id, err);
	return ctx_wordlist_add(v, id, text, len, err);
}

/* Read the tokens; *capital is set if one has a capital letter. */
static int
read_lines(struct ctx_vocab *v, FILE *f, int *capital, struct ctx_err *err)
{
	char *line = NULL;
	size_t cap = 0, i;
	ssize_t len;
	uint32_t id = 0;
	int rc = 0;

	errno = 0;
	while (rc == 0 && (len = getline(&line, &cap, f)) != -1) {
		while (len > 0 && (line[len - 1] == '\n' ||
		    line[len - 1] == '\r'))
			len--;
		for (i = 0; i < (size_t)len && !is_special(line, (size_t)len);
		    i++)
			*capital |= line[i] >= 'A' && line[i] <= 'Z';
		rc = add_line(v, id++, line, (size_t)len, err);
	}
	if (rc == 0 && ferror(f))
		rc = ctx_fail(err, CTX_ESYSTEM, "%s", strerror(errno));
	free(line);
	return rc;
}

/* What the options say about the text; NULL: there are none. */
static unsigned
norm_of(const json_t *root, int capital)
{
	const json_t *lower = json_object_get(root, "do_lower_case");
	const json_t *accents = json_object_get(root, "strip_accents");
	const json_t *chinese = json_object_get(root, "tokenize_chinese_chars");
	unsigned norm = CTX_NORM_BERT | CTX_NORM_CLEAN | CTX_NORM_STRIP;
	int low = json_is_boolean(lower) ? json_is_true(lower) : !capital;

	if (low)
		norm |= CTX_NORM_LOWER;
	if (json_is_boolean(accents) ? json_is_true(accents) : low)
		norm |= CTX_NORM_ACCENTS;
	if (!json_is_false(chinese))
		norm |= CTX_NORM_CHINESE;
	return norm;
}

int
ctx_wordlist_read(struct ctx_vocab *v, const char *path, struct ctx_err *err)
{
	FILE *f = fopen(path, "rb");
	struct ctx_err e = { 0 };
	json_t *config = NULL;
	int capital = 0, rc;

	if (f == NULL)
		return ctx_fail_errno(err, errno, "%s", path);
	rc = read_lines(v, f, &capital, &e);
	fclose(f);
	if (rc == 0 && v->unknown == CTX_ID_MAX)
		rc = ctx_fail(&e, CTX_ESYSTEM, "it has no token " UNKNOWN
		    ", so it is no vocabulary of WordPiece");
	if (rc == 0)
		rc = ctx_rankdir_config(path, &config, &e);
	if (rc == -1)
		return ctx_fail(err, e.code, "%s: %s", path, e.text);
	v->norm = norm_of(config, capital);
	v->flags = CTX_TABLE_WORDS;
	v->split = CTX_SPLIT_BERT;
	v->longest_word = LONGEST_WORD;
	json_decref(config);
	return 0;
}
