/* SPDX-License-Identifier: MIT */
/* Noise in texts that tools print; see scrub.h. */
#include "text/scrub.h"

#include <string.h>

#include "base/utf8.h"
#include "text/textline.h"

#define ESC	0x1b
#define REPEATS	4		/* equal lines from which folding is worth it */
#define BLOB	200		/* characters from which omission is worth it */

/* --- terminal escapes ---------------------------------------------------- */

/* The end of a control sequence whose parameters begin at i. */
static size_t
csi_end(const unsigned char *s, size_t i, size_t len)
{
	while (i < len && s[i] >= 0x20 && s[i] <= 0x3f)
		i++;
	return i < len && s[i] >= 0x40 && s[i] <= 0x7e ? i + 1 : i;
}

/* The end of a control string (OSC and the like), at BEL or ESC \. */
static size_t
string_end(const unsigned char *s, size_t i, size_t len)
{
	size_t from = i;

	for (; i < len; i++) {
		if (s[i] == 0x07)
			return i + 1;
		if (s[i] == ESC)
			return i + 1 < len && s[i + 1] == '\\' ? i + 2 : i;
		if (s[i] == '\n')
			break;
	}
	/* unterminated: only its introducer is not text */
	return from;
}

static size_t
escape_end(const unsigned char *s, size_t i, size_t len)
{
	if (++i >= len)
		return i;
	switch (s[i]) {
	case '[':
		return csi_end(s, i + 1, len);
	case ']':
	case 'P':
	case 'X':
	case '^':
	case '_':
		return string_end(s, i + 1, len);
	}
	while (i < len && s[i] >= 0x20 && s[i] <= 0x2f)
		i++;
	return i < len && s[i] >= 0x30 && s[i] <= 0x7e ? i + 1 : i;
}

/* Remove the last character of out, unless it ends a line. */
static void
backspace(struct ctx_buf *out)
{
	if (out->len == 0 || out->data[out->len - 1] == '\n')
		return;
	do
		out->len--;
	while (out->len > 0 && (out->data[out->len] & 0xc0) == 0x80);
}

int
ctx_scrub_ansi(const char *text, size_t len, const struct ctx_markers *notes,
    struct ctx_buf *out)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0, from = 0, next;
	int changed = 0;

	(void)notes;
	if (len == 0)		/* text may be NULL */
		return 0;
	while (i < len) {
		next = i;
		if (s[i] == ESC)
			next = escape_end(s, i, len);
		else if (s[i] == 0xc2 && i + 1 < len && s[i + 1] >= 0x80 &&
		    s[i + 1] < 0xa0)
			next = s[i + 1] == 0x9b ? csi_end(s, i + 2, len) :
			    i + 2;
		else if ((s[i] < 0x20 && s[i] != '\t' && s[i] != '\n' &&
		    s[i] != '\r') || s[i] == 0x7f)
			next = i + 1;
		if (next == i) {
			i++;
			continue;
		}
		ctx_buf_add(out, text + from, i - from);
		if (s[i] == '\b')
			backspace(out);
		changed = 1;
		i = from = next;
	}
	ctx_buf_add(out, text + from, len - from);
	return out->failed ? -1 : changed;
}

/* --- repetition ---------------------------------------------------------- */

/* What a terminal shows of a line: the text after its last redraw. */
static struct ctx_textline
redrawn(struct ctx_textline l)
{
	size_t i = l.len;

	while (i > 0 && l.p[i - 1] == '\r')
		i--;		/* ends in a carriage return: nothing was drawn
				   over it */
	while (i > 0 && l.p[i - 1] != '\r')
		i--;
	l.len -= i;
	l.p += i;
	while (l.len > 0 && l.p[l.len - 1] == '\r')
		l.len--;
	return l;
}

static int
is_blank(const struct ctx_textline *l)
{
	size_t i;

	for (i = 0; i < l->len; i++)
		if (l->p[i] != ' ' && l->p[i] != '\t')
			return 0;
	return 1;
}

static int
same_line(const struct ctx_textline *a, const struct ctx_textline *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

static void
put_line(struct ctx_buf *out, const struct ctx_textline *l)
{
	ctx_buf_add(out, l->p, l->len);
	if (l->end == 2)
		ctx_buf_addc(out, '\r');
	if (l->end > 0)
		ctx_buf_addc(out, '\n');
}

/* Where folded lines go, and how they are noted. */
struct squeezing {
	struct ctx_buf *out;
	const struct ctx_markers *notes;
};

/* Put a line n times, or once with a note if that is shorter. */
static void
put_run(const struct squeezing *q, const struct ctx_textline *l, size_t n)
{
	const struct ctx_marker_said said = { .n = n - 1 };
	struct ctx_buf *out = q->out;
	size_t note = out->len + l->len + l->end, i;

	put_line(out, l);
	if (is_blank(l) && l->end > 0)
		return;
	if (n >= REPEATS && ctx_marker_put(out, q->notes, CTX_MARKER_REPEATED,
	    &said) == 0) {
		if (l->end > 0)
			ctx_buf_addc(out, '\n');
		if (ctx_utf8_count(out->data + note, out->len - note) +
		    ctx_marker_margin(q->notes, CTX_MARKER_REPEATED) <
		    (ctx_utf8_count(l->p, l->len) + l->end) * (n - 1))
			return;
		out->len = note;
	}
	for (i = 1; i < n; i++)
		put_line(out, l);
}

static void
squeeze_once(const char *text, size_t len, const struct squeezing *q)
{
	struct ctx_textline run = { NULL, 0, 0 }, l;
	size_t at = 0, n = 0;

	while (ctx_textline_next(text, len, &at, &l)) {
		l = redrawn(l);
		if (n > 0 && l.end == run.end && (same_line(&l, &run) ||
		    (is_blank(&l) && is_blank(&run)))) {
			n++;
			continue;
		}
		if (n > 0)
			put_run(q, &run, n);
		run = l;
		n = 1;
	}
	if (n > 0)
		put_run(q, &run, n);
}

int
ctx_scrub_squeeze(const char *text, size_t len,
    const struct ctx_markers *notes, struct ctx_buf *out)
{
	struct ctx_buf again = { 0 }, tmp;
	const struct squeezing first = { out, notes }, next = { &again, notes };
	int changed;

	squeeze_once(text, len, &first);
	changed = out->len != len ||
	    (len > 0 && memcmp(out->data, text, len) != 0);
	/* folding may bring equal lines together; each round is shorter */
	while (changed && !out->failed) {
		ctx_buf_reset(&again);
		squeeze_once(out->data, out->len, &next);
		if (again.failed || again.len >= out->len)
			break;
		tmp = *out;
		*out = again;
		again = tmp;
	}
	out->failed |= again.failed;
	ctx_buf_done(&again);
	return out->failed ? -1 : changed;
}

/* --- encoded blobs ------------------------------------------------------- */

enum { C_OTHER, C_UPPER, C_LOWER, C_DIGIT, C_SIGN };

static int
class_of(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return C_UPPER;
	if (c >= 'a' && c <= 'z')
		return C_LOWER;
	if (c >= '0' && c <= '9')
		return C_DIGIT;
	return c == '+' || c == '/' || c == '-' || c == '_' ? C_SIGN : C_OTHER;
}

/*
 * The end of a run that starts at i, with its lines joined; sets *n to its
 * number of characters.  It is a blob if upper case, lower case and digits are
 * mixed and signs are rare, as in encoded bytes but not in paths or rules of
 * dashes.
 */
static size_t
blob_end(const unsigned char *s, size_t i, size_t len, size_t *n)
{
	size_t count[5] = { 0 }, end = i, k;

	*n = 0;
	for (; i < len; i++) {
		k = (size_t)class_of(s[i]);
		if (k != C_OTHER) {
			count[k]++;
			end = i + 1;
			(*n)++;
		} else if (*n < 60 || (s[i] != '\n' && s[i] != '\r'))
			break;
	}
	while (*n > 0 && end < len && s[end] == '=') {
		end++;
		(*n)++;
	}
	if (*n < BLOB || count[C_UPPER] * 8 < *n || count[C_LOWER] * 8 < *n ||
	    count[C_DIGIT] * 32 < *n || count[C_SIGN] * 8 > *n)
		*n = 0;
	return end;
}

int
ctx_scrub_blobs(const char *text, size_t len, const struct ctx_markers *notes,
    struct ctx_buf *out)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0, from = 0, end, n;
	int changed = 0;

	while (i < len) {
		if (class_of(s[i]) == C_OTHER) {
			i++;
			continue;
		}
		end = blob_end(s, i, len, &n);
		if (n > 0) {
			ctx_buf_add(out, text + from, i - from);
			ctx_marker_put(out, notes, CTX_MARKER_BASE64,
			    &(struct ctx_marker_said){ .n = n });
			from = end;
			changed = 1;
		}
		i = end > i ? end : i + 1;
	}
	ctx_buf_add(out, text + from, len - from);
	return out->failed ? -1 : changed;
}
