/* SPDX-License-Identifier: MIT */
/* The choice of a code path, and what all paths share; see span_scan.h. */
#include "read/span_scan.h"

#include "base/cpu.h"
#include "base/utf8.h"
#include "base/vec.h"

const unsigned char ctx_scan_class_lo[16] = {
	[0x0] = CTX_HEX_3,
	[0x1] = CTX_HEX_3 | CTX_HEX_46,
	[0x2] = CTX_HEX_3 | CTX_HEX_46 | CTX_ESC_2 | CTX_ESC_6 | CTX_ESC_7,
	[0x3] = CTX_HEX_3 | CTX_HEX_46,
	[0x4] = CTX_HEX_3 | CTX_HEX_46 | CTX_ESC_7,
	[0x5] = CTX_HEX_3 | CTX_HEX_46 | CTX_ESC_7,
	[0x6] = CTX_HEX_3 | CTX_HEX_46 | CTX_ESC_6,
	[0x7] = CTX_HEX_3,
	[0x8] = CTX_HEX_3,
	[0x9] = CTX_HEX_3,
	[0xc] = CTX_ESC_5,
	[0xe] = CTX_ESC_6,
	[0xf] = CTX_ESC_2
};

const unsigned char ctx_scan_class_hi[16] = {
	[0x2] = CTX_ESC_2,
	[0x3] = CTX_HEX_3,
	[0x4] = CTX_HEX_46,
	[0x5] = CTX_ESC_5,
	[0x6] = CTX_HEX_46 | CTX_ESC_6,
	[0x7] = CTX_ESC_7
};

const struct ctx_scan_kernel *
ctx_scan_current(void)
{
	switch (ctx_cpu_now()) {
#ifdef CTX_X86
	case CTX_CPU_AVX512:
		return &ctx_scan_avx512;
#endif
#ifdef VEC
	case CTX_CPU_VECTOR:
		return &ctx_scan_vector;
#endif
	default:
		return &ctx_scan_portable;
	}
}

size_t
ctx_scan_utf8(const char *p, size_t len)
{
	return ctx_scan_current()->utf8(p, len) ? len : ctx_utf8_check(p, len);
}

size_t
ctx_scan_newline(const char *p, size_t len)
{
	const char *nl = len > 0 ? memchr(p, '\n', len) : NULL;

	return nl != NULL ? (size_t)(nl - p) : len;
}

size_t
ctx_str_chars(const char *s, size_t len)
{
	return ctx_scan_current()->chars(s, len);
}

int
ctx_scan_grow(struct ctx_doc *doc, uint32_t n)
{
	if (n >= CTX_NONE - 1)
		return -1;
	if (CTX_ROOM(doc->node, n, &doc->cap) == -1)
		return -1;
	return 0;
}

/* Does the line end before p[0 .. len) is known to be an escape or not? */
static int
escape_cut(const char *p, size_t len)
{
	size_t i;

	if (len < 2)
		return 1;
	if (p[1] != 'u' || len >= 6)
		return 0;
	for (i = 2; i < len; i++)
		if ((ctx_scan_class(p[i]) & CTX_HEX_ANY) == 0)
			return 0;
	return 1;
}

enum ctx_scan_rc
ctx_scan_bad_string(struct ctx_scan *s, const char *p)
{
	const char *end = s->raw + s->len;
	size_t step;

	for (; p < end; p += step) {
		step = 1;
		s->bad = (size_t)(p - s->raw);
		if ((unsigned char)*p < 0x20)
			return CTX_SCAN_CONTROL;
		if (*p != '\\')
			continue;
		step = ctx_scan_escape(p, (size_t)(end - p));
		if (step == 0 && escape_cut(p, (size_t)(end - p)))
			break;
		if (step == 0)
			return CTX_SCAN_ESCAPE;
	}
	s->bad = s->len;
	return CTX_SCAN_END;
}
