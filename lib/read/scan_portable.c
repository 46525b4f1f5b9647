/* SPDX-License-Identifier: MIT */
/* The path for every machine: eight bytes at a time in a 64-bit word. */
#include "read/span_scan.h"

#include "base/utf8.h"
#include "read/word.h"

#define SCAN_TARGET

struct high {
	uint64_t v, u;
};

static inline struct high
high_none(void)
{
	return (struct high){ 0, 0 };
}

static inline int
high_any(struct high high)
{
	return (high.v & WORD_HIGHS) != 0;
}

static inline const char *
string_end(const char *p, const char *limit, struct high *high)
{
	uint64_t w, stop;
	size_t step;

	for (;;) {
		while (limit - p >= 8) {
			w = word_load(p);
			high->v |= w;
			stop = word_less(w, 0x20) | word_eq(w, '"') |
			    word_eq(w, '\\');
			if (stop != 0) {
				p += word_first(stop);
				break;
			}
			p += 8;
		}
		if (p == limit || (unsigned char)*p < 0x20)
			return NULL;
		if (*p == '"')
			return p;
		if (*p == '\\') {
			step = ctx_scan_escape(p, (size_t)(limit - p));
			if (step == 0)
				return NULL;
			high->u |= step == 6;
			p += step;
		} else
			high->v |= (unsigned char)*p++;
	}
}

#include "read/scan_grammar.inc"

static int
scan_utf8(const char *p, size_t len)
{
	return ctx_utf8_check(p, len) == len;
}

static size_t
scan_chars(const char *s, size_t len)
{
	size_t i = 0, n = 0;
	uint64_t w;

	while (i < len) {
		for (; len - i >= 8; i += 8) {
			w = word_load(s + i);
			if (word_eq(w, '\\') != 0)
				break;
			n += word_chars(w);
		}
		if (i == len)
			break;
		if (s[i] != '\\') {
			n += (signed char)s[i++] >= -64;
			continue;
		}
		n++;
		if (ctx_scan_pair(s + i, len - i))
			i += 12;
		else
			i += i + 1 < len && s[i + 1] == 'u' ? 6 : 2;
		if (i > len)
			break;
	}
	return n;
}

const struct ctx_scan_kernel ctx_scan_portable = {
	scan_doc, scan_utf8, scan_chars
};
