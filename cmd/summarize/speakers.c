/* SPDX-License-Identifier: MIT */
/* Lines of messages that look like the beginning of another; see speakers.h. */
#include "cmd/summarize/speakers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define MARK "> "

/* The length of what ends a line at p, to somebody, or 0. */
static size_t
break_at(const char *p, const char *end)
{
	uint32_t cp;
	const size_t n = ctx_utf8_step(p, (size_t)(end - p), &cp);

	return n > 0 && ((cp >= '\n' && cp <= '\r') || cp == 0x85 ||
	    cp == 0x2028 || cp == 0x2029) ? n : 0;
}

/* Skip what cannot be seen at the beginning of a line. */
static const char *
skip_blank(const char *p, const char *end)
{
	uint32_t cp;
	size_t n;

	while (break_at(p, end) == 0 &&
	    (n = ctx_utf8_step(p, (size_t)(end - p), &cp)) > 0 &&
	    (cp <= ' ' || (cp >= 0x7f && cp <= 0xa0) || cp == 0xad ||
	    (cp >= 0x2000 && cp <= 0x200f) || cp == 0x2060 || cp == 0x3000 ||
	    cp == 0xfeff))
		p += n;
	return p;
}

static int
is_colon(const char *p, const char *end)
{
	return p < end && (*p == ':' || (end - p >= 3 &&
	    memcmp(p, "\357\274\232", 3) == 0));	/* the full-width one */
}

/* Does the line that p begins look as if a speaker, or a mark, began it? */
static int
poses(const char *p, const char *end)
{
	static const char *const names[] = { "user", "assistant", "system" };
	size_t i, n;

	/* a NUL is sent as a space */
	while (end - p >= 2 && *p == '>' && (p[1] == ' ' || p[1] == '\0'))
		p += 2;
	p = skip_blank(p, end);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		n = strlen(names[i]);
		if ((size_t)(end - p) < n || strncasecmp(p, names[i], n) != 0)
			continue;
		p = skip_blank(p + n, end);
		return is_colon(p, end) || (p < end && *p == '[');
	}
	/* the name of a tool is between the word and the colon */
	if (end - p < 4 || strncasecmp(p, "tool", 4) != 0 ||
	    (!is_colon(p + 4, end) && skip_blank(p + 4, end) == p + 4))
		return 0;
	for (p += 4; p < end && break_at(p, end) == 0; p++)
		if (is_colon(p, end))
			return 1;
	return 0;
}

/* Append a text with marks, unless out is NULL.  Returns their number. */
static size_t
mark(const char *text, size_t len, struct ctx_buf *out)
{
	const char *p = text, *from = text, *end = text + len;
	size_t n, marks = 0;

	while (p < end) {
		n = break_at(p, end);
		p += n > 0 ? n : 1;
		if (n == 0 || !poses(p, end))
			continue;
		marks++;
		if (out == NULL)
			continue;
		ctx_buf_add(out, from, (size_t)(p - from));
		ctx_buf_adds(out, MARK);
		from = p;
	}
	if (out != NULL && len > 0)
		ctx_buf_add(out, from, (size_t)(end - from));
	return marks;
}

/*
 * Append the name of a tool with what might end it as "_", unless out is NULL.
 * Returns how many bytes that are.
 */
static size_t
mend_name(const char *p, size_t len, struct ctx_buf *out)
{
	const char *end = len > 0 ? p + len : p;
	size_t odd = 0, n;

	while (p < end) {
		n = break_at(p, end);
		if (n == 0 && strchr(":]", *p) != NULL)
			n = 1;	/* or a NUL */
		if (out != NULL)
			ctx_buf_add(out, n > 0 ? "_" : p, 1);
		odd += n > 0;
		p += n > 0 ? n : 1;
	}
	return odd;
}

/* The bytes of all texts and names that are altered. */
static size_t
room(struct summarize_speakers *s, const struct ctx_talk *said, size_t n)
{
	size_t i, k, sum = 0;

	for (i = 0; i < n; i++) {
		k = mark(said[i].text, said[i].len, NULL);
		s->marks += k;
		if (k > 0)
			sum += said[i].len + k * strlen(MARK);
		if (mend_name(said[i].tool, said[i].toollen, NULL) > 0)
			sum += said[i].toollen;
	}
	return sum;
}

int
summarize_speakers_mark(struct summarize_speakers *s,
    const struct ctx_talk *said, size_t n, struct ctx_err *err)
{
	const size_t need = room(s, said, n);
	struct ctx_talk *t;
	size_t i, from;

	if (need == 0)
		return 0;
	if ((s->said = calloc(n, sizeof(*s->said))) == NULL ||
	    ctx_buf_reserve(&s->text, need) == -1)
		return ctx_fail_nomem(err);
	memcpy(s->said, said, n * sizeof(*said));
	for (i = 0; i < n; i++) {
		t = &s->said[i];
		from = s->text.len;
		if (mark(t->text, t->len, NULL) > 0) {
			mark(t->text, t->len, &s->text);
			t->text = s->text.data + from;
			t->len = s->text.len - from;
		}
		from = s->text.len;
		if (mend_name(t->tool, t->toollen, NULL) > 0) {
			mend_name(t->tool, t->toollen, &s->text);
			t->tool = s->text.data + from;
			t->toollen = s->text.len - from;
		}
	}
	return ctx_buf_fail(&s->text, err);
}

void
summarize_speakers_done(struct summarize_speakers *s)
{
	free(s->said);
	ctx_buf_done(&s->text);
}
