/* SPDX-License-Identifier: MIT */
#include "token/onig.h"

#include <string.h>

#include "base/utf8.h"

/* PCRE2's \s also includes U+180E. */
#define SPACES	"\\x09-\\x0d\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}" \
	"\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"

/* Characters that PCRE2 may not know yet, in order, with their categories. */
struct fresh {
	uint32_t from;
	uint32_t to;
	char category[3];
};

#include "token/onig_data.inc"

static int
refuse(const char *p, size_t n, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM,
	    "its split pattern has '%.*s', which is not supported", (int)n, p);
}

/*
 * Translate the escape at p, in a class or not; returns its length, or 0 with
 * *err set.
 */
static size_t
escape(const char *p, int in_class, struct ctx_buf *out, struct ctx_err *err)
{
	size_t n;

	if ((p[1] == 's' || p[1] == 'S') && !in_class) {
		ctx_buf_adds(out, p[1] == 's' ? "[" SPACES "]" :
		    "[^" SPACES "]");
		return 2;
	}
	if (p[1] == 's') {
		ctx_buf_adds(out, SPACES);
		return 2;
	}
	if (p[1] == 'p' || p[1] == 'P' || p[1] == 'x') {
		n = p[2] == '{' ? strcspn(p, "}") : 0;
		if (n > 0 && p[n] == '}') {
			ctx_buf_add(out, p, n + 1);
			return n + 1;
		}
	} else if (p[1] != '\0' && (strchr("rntfdD", p[1]) != NULL ||
	    (!in_class && strchr("Az", p[1]) != NULL) ||
	    strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ", p[1]) != NULL)) {
		ctx_buf_add(out, p, 2);
		return 2;
	}
	refuse(p, p[1] == '\0' ? 1 : 2, err);
	return 0;
}

/* Groups that have the same meaning in both. */
static int
group_is_known(const char *p)
{
	static const char *const known[] = {
		"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!", "(?i:"
	};
	size_t i;

	if (p[1] != '?' && p[1] != '*')
		return 1;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strncmp(p, known[i], strlen(known[i])) == 0)
			return 1;
	return 0;
}

int
ctx_onig_to_pcre(const char *pattern, struct ctx_buf *out, struct ctx_err *err)
{
	const char *p = pattern;
	int in_class = 0;
	size_t n;

	for (; *p != '\0'; p += n) {
		n = 1;
		if (*p == '\\') {
			if ((n = escape(p, in_class, out, err)) == 0)
				return -1;
			continue;
		}
		/* A class in a class, an intersection, (a{2})+, or a group. */
		if ((in_class && (*p == '[' || strncmp(p, "&&", 2) == 0)) ||
		    (!in_class && strncmp(p, "}+", 2) == 0) ||
		    (!in_class && *p == '(' && !group_is_known(p)))
			return refuse(p, 2, err);
		if (*p == '[') {
			in_class = 1;
			n += p[1] == '^';
			/* A bracket that comes first belongs to the class. */
			n += p[n] == ']';
		} else if (*p == ']')
			in_class = 0;
		ctx_buf_add(out, p, n);
	}
	return ctx_buf_fail(out, err);
}

int
ctx_onig_late(const uint8_t *p, size_t len)
{
	size_t i, n, lo, hi, mid;
	uint32_t cp = 0;

	for (i = 0; i < len; i += n) {
		n = 1;
		if (p[i] < 0xe0)
			continue;
		n = ctx_utf8_step((const char *)p + i, len - i, &cp);
		if (n == 0)
			break;
		for (lo = 0, hi = sizeof(fresh) / sizeof(*fresh); lo < hi;) {
			mid = (lo + hi) / 2;
			if (fresh[mid].to < cp)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < sizeof(fresh) / sizeof(*fresh) && fresh[lo].from <= cp)
			return 1;
	}
	return 0;
}

/* Add \p{L}, a general category of one or two letters; p has length n. */
static void
add_category(const char *p, size_t n, int in_class, struct ctx_buf *out)
{
	size_t i;

	if (!in_class)
		ctx_buf_adds(out, p[1] == 'P' ? "[^" : "[");
	ctx_buf_adds(out, "\\p");
	ctx_buf_add(out, p + 2, n - 2);
	for (i = 0; i < sizeof(fresh) / sizeof(*fresh); i++)
		if (memcmp(fresh[i].category, p + 3, n - 4) == 0)
			ctx_buf_addf(out, "\\x{%x}-\\x{%x}", fresh[i].from,
			    fresh[i].to);
	if (!in_class)
		ctx_buf_addc(out, ']');
}

int
ctx_onig_add_late(const char *pattern, struct ctx_buf *out,
    struct ctx_err *err)
{
	const char *p = pattern;
	int in_class = 0;
	size_t n;

	for (; *p != '\0'; p += n) {
		n = 1;
		if (*p == '\\' && p[1] != '\0') {
			n = 2;
			if ((p[1] == 'p' || p[1] == 'P') && p[2] == '{')
				n = strcspn(p, "}") + 1;
			/* A negated category in a class is left as it is. */
			if ((n == 5 || n == 6) && (p[1] == 'p' || !in_class)) {
				add_category(p, n, in_class, out);
				continue;
			}
		} else if (*p == '[') {
			in_class = 1;
			n += p[1] == '^';
			n += p[n] == ']';
		} else if (*p == ']')
			in_class = 0;
		ctx_buf_add(out, p, n);
	}
	return ctx_buf_fail(out, err);
}
