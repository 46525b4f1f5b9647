/* SPDX-License-Identifier: MIT */
/* Errors as values; see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void
fill(struct ctx_err *err, enum ctx_code code, const char *fmt, va_list ap)
{
	err->code = code;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
}

int
ctx_fail(struct ctx_err *err, enum ctx_code code, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL || err->code != CTX_OK)
		return -1;
	va_start(ap, fmt);
	fill(err, code, fmt, ap);
	va_end(ap);
	return -1;
}

int
ctx_fail_errno(struct ctx_err *err, int errnum, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	if (err == NULL || err->code != CTX_OK)
		return -1;
	va_start(ap, fmt);
	fill(err, errnum == ENOMEM ? CTX_ENOMEM : CTX_ESYSTEM, fmt, ap);
	va_end(ap);
	n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s",
	    strerror(errnum));
	return -1;
}

int
ctx_fail_nomem(struct ctx_err *err)
{
	return ctx_fail(err, CTX_ENOMEM, "out of memory");
}

void
ctx_err_clear(struct ctx_err *err)
{
	memset(err, 0, sizeof(*err));
}

/*
 * Characters that show nothing and may change how others look: marks, overrides
 * and isolates of direction, joiners, separators of lines, and tags; and U+FFFE and
 * U+FFFF, which are no characters, and make XML invalid.
 */
static int
is_hidden(uint32_t cp)
{
	static const struct { uint32_t first, last; } hidden[] = {
		{ 0xad, 0xad }, { 0x61c, 0x61c }, { 0x180e, 0x180e },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xfffe, 0xffff },
		{ 0xe0000, 0xe007f }
	};
	size_t i;

	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (cp >= hidden[i].first && cp <= hidden[i].last)
			return 1;
	return 0;
}

size_t
ctx_err_escape(const char *p, size_t len, char out[CTX_ERR_ESCAPED])
{
	unsigned char c = (unsigned char)*p;
	size_t step = ctx_utf8_step(p, len, NULL);
	uint32_t cp = 0;

	if (c >= 0x20 && c < 0x7f)
		return 0;
	if (step < 2)
		snprintf(out, CTX_ERR_ESCAPED, "\\x%02x", c);
	else if (c == 0xc2 && (unsigned char)p[1] < 0xa0)
		/* a C1 control */
		snprintf(out, CTX_ERR_ESCAPED, "\\xc2\\x%02x",
		    (unsigned)(unsigned char)p[1]);
	else if (ctx_utf8_step(p, len, &cp) != 0 && is_hidden(cp))
		snprintf(out, CTX_ERR_ESCAPED, cp > 0xffff ? "\\U%08x" :
		    "\\u%04x", (unsigned)cp);
	else
		return 0;
	return step > 0 ? step : 1;
}

char *
ctx_err_quote(char *out, size_t size, const char *text, size_t len)
{
	char escaped[CTX_ERR_ESCAPED];
	size_t i = 0, o = 0, step, n;
	const char *p;

	if (size == 0)
		return out;
	for (; i < len; i += step, o += n) {
		step = ctx_err_escape(text + i, len - i, escaped);
		p = step > 0 ? escaped : text + i;
		n = step > 0 ? strlen(escaped) :
		    (step = ctx_utf8_step(text + i, len - i, NULL));
		if (o + n + 4 > size)
			break;
		memcpy(out + o, p, n);
	}
	if (i < len && o + 4 <= size) {
		memcpy(out + o, "...", 3);
		o += 3;
	}
	out[o < size ? o : size - 1] = '\0';
	return out;
}
