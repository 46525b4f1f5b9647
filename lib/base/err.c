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

char *
ctx_err_quote(char *out, size_t size, const char *text, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	size_t i = 0, o = 0, step;

	if (size == 0)
		return out;
	while (i < len) {
		unsigned char c = (unsigned char)text[i];

		step = ctx_utf8_step(text + i, len - i, NULL);
		if (step == 0 || c < 0x20 || c == 0x7f ||
		    (c == 0xc2 && (unsigned char)text[i + 1] < 0xa0)) {
			/* a C1 control is two bytes, and both are escaped */
			if (o + 8 > size)
				break;
			out[o++] = '\\';
			out[o++] = 'x';
			out[o++] = hex[c >> 4];
			out[o++] = hex[c & 15];
			i++;
			continue;
		}
		if (o + step + 4 > size)
			break;
		memcpy(out + o, text + i, step);
		o += step;
		i += step;
	}
	if (i < len && o + 4 <= size) {
		memcpy(out + o, "...", 3);
		o += 3;
	}
	out[o < size ? o : size - 1] = '\0';
	return out;
}
