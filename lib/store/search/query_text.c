/* SPDX-License-Identifier: MIT */
/* Which parts of a query occur in a text; see query.h. */
#include "store/search/query.h"

#include <string.h>

#define TOKEN_MAX	32768	/* FTS5 cuts longer words off here */

static int
take_word(void *arg, int flags, const char *word, int len, int from, int to)
{
	struct ctx_query_form *form = arg;

	(void)flags, (void)from, (void)to;
	if (len > TOKEN_MAX)
		len = TOKEN_MAX;
	ctx_buf_add(&form->words, word, (size_t)len);
	ctx_buf_addc(&form->words, '\0');
	form->n++;
	return form->words.failed ? SQLITE_NOMEM : SQLITE_OK;
}

/* The characters of ASCII that are part of words, as unicode61 folds them. */
static char
folded(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c | 0x20);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '\0';
}

/* Append a word of ASCII; returns its length. */
static size_t
take_ascii(struct ctx_query_form *form, const char *text, size_t len)
{
	char word[64];
	size_t i = 0, n;

	do {
		for (n = 0; n < sizeof(word) && i < len &&
		    (word[n] = folded(text[i])) != '\0'; n++)
			i++;
		if (i <= TOKEN_MAX)
			ctx_buf_add(&form->words, word, n);
	} while (n == sizeof(word));
	ctx_buf_addc(&form->words, '\0');
	form->n++;
	return i;
}

/* The length of what has no break in ASCII but other characters. */
static size_t
other_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && ((unsigned char)text[i] >= 0x80 ||
	    folded(text[i]) != '\0' || (i + 1 < len &&
	    (unsigned char)text[i + 1] >= 0x80)))
		i++;
	return i;
}

static size_t
ascii_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && folded(text[i]) != '\0')
		i++;
	return i;
}

/*
 * Words of ASCII are cut here, because that takes a quarter of the time; the
 * tokenizer cuts the others, with all that is joined to them.
 */
int
ctx_query_words_of(struct ctx_query *q, struct ctx_query_form *form,
    const char *text, size_t len, struct ctx_err *err)
{
	size_t i = 0, n;
	int rc;

	while (i < len && !form->words.failed) {
		n = ascii_len(text + i, len - i);
		if (i + n == len || (unsigned char)text[i + n] < 0x80) {
			if (n > 0)
				take_ascii(form, text + i, n);
			i += n + 1;
			continue;
		}
		n = other_len(text + i, len - i);
		rc = q->methods.xTokenize(q->tokenizer, form,
		    FTS5_TOKENIZE_DOCUMENT, text + i, (int)n, take_word);
		if (rc != SQLITE_OK)
			return ctx_db_fail(q->st, rc, err);
		i += n;
	}
	return ctx_buf_fail(&form->words, err);
}

int
ctx_query_cut(struct ctx_query *q, const char *cut, size_t len,
    struct ctx_err *err)
{
	ctx_buf_reset(&q->text.words);
	q->text.n = 0;
	return ctx_query_words_of(q, &q->text, cut, len, err);
}

/* Does a form occur at p, whose first word has that length? */
static int
form_at(const struct ctx_query_form *form, int prefix, const char *p,
    size_t len, const char *end)
{
	const char *w = form->words.data;
	size_t i, n;

	for (i = 0; i < form->n; i++) {
		n = strlen(w);
		if (p >= end || n > len || memcmp(p, w, n) != 0 ||
		    (n < len && !(prefix && i + 1 == form->n)))
			return 0;
		w += n + 1;
		p += len + 1;
		if (p < end)
			len = strlen(p);
	}
	return 1;
}

/* Chain the forms whose first words have the same first byte. */
static void
chain(struct ctx_query *q)
{
	size_t i;
	int k;

	for (i = 0; i < 256; i++)
		q->first[i] = -1;
	for (i = 0; i < q->n; i++)
		for (k = 0; k < q->part[i].nform; k++) {
			unsigned char c =
			    (unsigned char)q->part[i].form[k].words.data[0];

			q->next[2 * i + (size_t)k] = q->first[c];
			q->first[c] = (int16_t)(2 * i + (size_t)k);
		}
	q->chained = 1;
}

size_t
ctx_query_tally(struct ctx_query *q, uint32_t *count)
{
	const struct ctx_buf *words = &q->text.words;
	const char *p = words->data, *end = words->len > 0 ? p + words->len : p;
	const struct ctx_query_part *part;
	size_t len, parts = 0;
	int at;

	if (!q->chained)
		chain(q);
	memset(count, 0, q->n * sizeof(*count));
	for (; p < end; p += len + 1) {
		len = strlen(p);
		for (at = q->first[(unsigned char)*p]; at >= 0;
		    at = q->next[at]) {
			part = &q->part[at / 2];
			if (form_at(&part->form[at % 2], part->prefix, p, len,
			    end))
				parts += count[at / 2]++ == 0;
		}
	}
	return parts;
}

int
ctx_query_holds(struct ctx_query *q, int all, const char *cut, size_t len,
    struct ctx_err *err)
{
	uint32_t count[CTX_QUERY_PARTS];
	size_t i;

	if (ctx_query_cut(q, cut, len, err) == -1)
		return -1;
	ctx_query_tally(q, count);
	for (i = 0; i < q->n; i++)
		if ((all || q->part[i].wide) && count[i] == 0)
			return 0;
	return 1;
}
