/* SPDX-License-Identifier: MIT */
/* Blocks that go on in a later text; see pem.h. */
#include "redact/pem.h"

#include <ctype.h>
#include <string.h>

#define LINE_MIN	60	/* base64 digits in a whole line of a block, */
#define LINE_MAX	80	/* which has 64, 70 or 76 */
#define LINES_BEFORE	8	/* that may precede it in a text */

/* A line of the text, from its first byte that is not in front of the line. */
struct line {
	const char *p;
	size_t len;
	const char *next;	/* the next line, or the end of the text */
};

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_base64(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c == '+' || c == '/' || c == '=';
}

/* Skip the name of a file before a number, as grep writes it. */
static const char *
skip_name(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && *q != '\0' &&
	    (isalnum((unsigned char)*q) || strchr("._/~-", *q) != NULL))
		q++;
	return end - q > 1 && *q == ':' && is_digit(q[1]) ? q + 1 : p;
}

/* Skip a number with the signs after it, as cat -n and editors write it. */
static const char *
skip_number(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && q - p < 7 && is_digit(*q))
		q++;
	if (q == p || q == end || strchr("\t:| ", *q) == NULL) {
		if (q == p || end - q < 3 || memcmp(q, "\xe2\x86\x92", 3) != 0)
			return p;
		return q + 3;
	}
	while (q < end && strchr("\t:| ", *q) != NULL)
		q++;
	return q;
}

/* The line at p; what stands in front of it is skipped. */
static struct line
line_at(const char *p, const char *end)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));
	struct line l = { .next = eol != NULL ? eol + 1 : end };

	if (eol == NULL)
		eol = end;
	while (p < eol && (*p == ' ' || *p == '\t'))
		p++;
	p = skip_number(skip_name(p, eol), eol);
	if (p < eol && (*p == '>' || (*p == '-' && eol - p > 1 && p[1] != '-')))
		p += eol - p > 1 && p[1] == ' ' ? 2 : 1;
	while (eol > p && (eol[-1] == '\r' || eol[-1] == ' '))
		eol--;
	l.p = p;
	l.len = (size_t)(eol - p);
	return l;
}

/* Is it base64 of any length? */
static int
is_digits(const struct line *l)
{
	size_t i;

	for (i = 0; i < l->len && is_base64(l->p[i]); i++)
		;
	return l->len > 0 && i == l->len;
}

/* Is it a whole line of a block, and no hash in hexadecimal digits? */
static int
is_body(const struct line *l)
{
	size_t i, upper = 0, lower = 0;

	for (i = 0; i < l->len; i++) {
		upper += l->p[i] >= 'A' && l->p[i] <= 'Z';
		lower += l->p[i] >= 'a' && l->p[i] <= 'z';
	}
	return l->len >= LINE_MIN && l->len <= LINE_MAX && upper >= 3 &&
	    lower >= 3 && is_digits(l);
}

static int
is_end(const struct line *l)
{
	return l->len >= 9 && memcmp(l->p, "-----END ", 9) == 0 &&
	    memmem(l->p, l->len, "PRIVATE KEY", 11) != NULL;
}

void
ctx_pem_message(struct ctx_pem_block *b)
{
	if (b->opens)
		b->left = CTX_PEM_MESSAGES;
	else if (b->ends)
		b->left = 0;
	else if (b->left > 0)
		b->left--;
	b->opens = b->ends = 0;
}

int
ctx_pem_opens(const char *text, size_t len)
{
	const char *end = text + len, *p = text, *last = NULL;
	const size_t n = sizeof(CTX_PEM_BEGIN) - 1;
	struct line l;

	while ((p = memmem(p, (size_t)(end - p), CTX_PEM_BEGIN, n)) != NULL)
		last = p++;
	if (last == NULL || memmem(last, (size_t)(end - last), "-----END", 8) !=
	    NULL)
		return 0;
	l = line_at(last, end);
	if (l.len < 27 || l.len > 90 || memmem(l.p, l.len, "PRIVATE KEY", 11) ==
	    NULL || memcmp(l.p + l.len - 5, "-----", 5) != 0)
		return 0;
	for (p = l.next; p < end; p = l.next) {
		l = line_at(p, end);
		/* legacy encryption has headers, and an empty line */
		if (l.len > 0 && memchr(l.p, ':', l.len) == NULL)
			return is_body(&l) || (l.next == end && is_digits(&l));
	}
	return 1;
}

int
ctx_pem_goes_on(const char *text, size_t len, size_t *off, size_t *end,
    int *open)
{
	const char *stop = text + len, *p = text;
	struct line l = line_at(p, stop), next;
	int i;

	/* the first line may be the rest of one */
	for (i = 0; i < LINES_BEFORE && p < stop; i++, p = l.next, l = next) {
		next = line_at(l.next, stop);
		if (is_body(&l) || (is_digits(&l) && l.next < stop &&
		    (is_body(&next) || is_end(&next))))
			break;
	}
	if (i == LINES_BEFORE || p >= stop)
		return 0;
	*off = (size_t)(l.p - text);
	while (is_digits(&l) && l.next < stop) {
		next = line_at(l.next, stop);
		if (!is_digits(&next) && !is_end(&next))
			break;
		l = next;
	}
	*open = !is_end(&l);
	*end = (size_t)(l.p + l.len - text);
	return 1;
}
