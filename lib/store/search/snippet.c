/* SPDX-License-Identifier: MIT */
/* Find the text around a word; see snippet.h. */
#include "store/search/snippet.h"

#include <string.h>

#include "base/utf8.h"

#define SNIPPET		60	/* characters on each side */
#define WORDS		256	/* most words searched for */
#define TRIES		100	/* most occurrences of a word examined */

static int
same_letter(char a, char b)
{
	if (a >= 'A' && a <= 'Z')
		a = (char)(a | 0x20);
	if (b >= 'A' && b <= 'Z')
		b = (char)(b | 0x20);
	return a == b;
}

const char *
ctx_snippet_find(const char *text, size_t len, const char *needle, size_t n)
{
	size_t i, j;

	for (i = 0; n > 0 && i + n <= len; i++) {
		for (j = 0; j < n && same_letter(text[i + j], needle[j]); j++)
			continue;
		if (j == n)
			return text + i;
	}
	return NULL;
}

static int
is_letter(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' &&
	    (c | 0x20) <= 'z');
}

/*
 * The first place where needle begins a word, or else where it occurs at all.
 */
static const char *
find_start(const char *text, size_t len, const char *needle, size_t n)
{
	const char *first = ctx_snippet_find(text, len, needle, n), *p = first;
	int i;

	for (i = 0; p != NULL && i < TRIES; i++) {
		if (p == text || !is_letter(*p) || !is_letter(p[-1]))
			return p;
		p = ctx_snippet_find(p + 1, (size_t)(text + len - p - 1),
		    needle, n);
	}
	return first;
}

/* The first of the words that occurs in the text, or NULL. */
static const char *
find_word(const char *text, size_t len, const char *words, size_t *n)
{
	const char *found;
	int i;

	for (i = 0; i < WORDS &&
	    *(words += strspn(words, " \t\r\n\"")) != '\0'; i++) {
		*n = strcspn(words, " \t\r\n\"");
		if ((found = find_start(text, len, words, *n)) != NULL)
			return found;
		words += *n;
	}
	return NULL;
}

/*
 * Add one character of the text, or a space or a replacement for an invalid
 * one.
 */
static size_t
add_char(struct ctx_buf *out, const char *p, size_t len)
{
	size_t n = ctx_utf8_step(p, len, NULL);

	if (n == 0)
		ctx_buf_addc(out, '?');
	else if ((unsigned char)*p < ' ')
		ctx_buf_addc(out, ' ');
	else
		ctx_buf_add(out, p, n);
	return n > 0 ? n : 1;
}

int
ctx_snippet_make(struct ctx_buf *out, const char *text, size_t len,
    const char *words, int whole)
{
	const char *p, *begin, *end = text + len;
	size_t i, n = whole ? strlen(words) : 0;

	ctx_buf_reset(out);
	if (len == 0)
		return 0;
	p = whole ? ctx_snippet_find(text, len, words, n) :
	    find_word(text, len, words, &n);
	begin = p != NULL ? p : text;
	end = begin + (p != NULL ? n : 0);
	for (i = 0; i < SNIPPET && begin > text; i++)
		for (begin--; begin > text &&
		    ((unsigned char)*begin & 0xc0) == 0x80; begin--)
			continue;
	if (begin > text)
		ctx_buf_adds(out, "...");
	while (begin < end)
		begin += add_char(out, begin, (size_t)(text + len - begin));
	for (i = 0; i < SNIPPET && begin < text + len; i++)
		begin += add_char(out, begin, (size_t)(text + len - begin));
	if (begin < text + len)
		ctx_buf_adds(out, "...");
	return out->failed ? -1 : p != NULL;
}
