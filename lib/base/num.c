/* SPDX-License-Identifier: MIT */
/* Numbers with units; see num.h. */
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/*
 * Read the decimal digits at *s, at most 15 of them after the point.  The
 * number is *num / *den.  Returns -1 if there are none.
 */
static int
decimal(const char **s, uint64_t *num, uint64_t *den)
{
	const char *p = *s;

	*num = 0;
	*den = 1;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (*num > (UINT64_MAX - 9) / 10)
			return -1;
		*num = *num * 10 + (uint64_t)(*p - '0');
	}
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++) {
			if (*den >= 1000000000000000u ||
			    *num > (UINT64_MAX - 9) / 10)
				return -1;
			*num = *num * 10 + (uint64_t)(*p - '0');
			*den *= 10;
		}
		if (*den == 1)
			return -1;
	}
	if (p == *s)
		return -1;
	*s = p;
	return 0;
}

/*
 * Multiply one digit of the ratio at a time, the last one first.  The result is
 * the same as if only the end had been rounded, and no product exceeds ten
 * times n.
 */
static uint64_t
times(struct ctx_ratio r, uint64_t n, uint64_t more)
{
	uint64_t t = 0;

	for (; r.den > 1; r.den /= 10, r.num /= 10)
		t = (r.num % 10 * n + t + more) / 10;
	return r.num * n + t;
}

uint64_t
ctx_ratio_of(struct ctx_ratio r, uint64_t n)
{
	return times(r, n, 0);
}

uint64_t
ctx_ratio_up(struct ctx_ratio r, uint64_t n)
{
	return times(r, n, 9);
}

uint64_t
ctx_root(uint64_t n)
{
	uint64_t r = 0, bit = (uint64_t)1 << 31;

	for (; bit > 0; bit >>= 1)
		if ((r | bit) * (r | bit) <= n)
			r |= bit;
	return r;
}

/* Fail with "'abc' is not ...". */
static int
is_not(const char *text, const char *what, struct ctx_err *err)
{
	char quoted[64];

	return ctx_fail(err, CTX_EUSAGE, "'%s' is not %s",
	    ctx_err_quote(quoted, sizeof(quoted), text, strlen(text)), what);
}

int
ctx_num_parse(const char *text, uint64_t *out, struct ctx_err *err)
{
	static const char units[] = "kmg";
	const char *s = text, *u;
	struct ctx_ratio r;
	uint64_t unit = 1, base = 1000;
	int i;

	if (*s == '.' || decimal(&s, &r.num, &r.den) == -1)
		goto bad;
	if (*s != '\0') {
		if ((u = strchr(units, *s | 0x20)) == NULL)
			goto bad;
		s++;
		if (*s == 'i') {
			base = 1024;
			s++;
		}
		for (i = 0; i <= u - units; i++)
			unit *= base;
	}
	if (*s != '\0' || (unit == 1 && r.den != 1))
		goto bad;
	if (r.num / r.den > UINT64_MAX / unit / 4)
		return ctx_fail(err, CTX_EUSAGE, "%.40s is too large", text);
	/* round to the nearest */
	*out = (ctx_ratio_of(r, 2 * unit) + 1) / 2;
	return 0;
bad:
	return is_not(text, "a number such as 40, 8k or 8Ki", err);
}

int
ctx_decimal_parse(const char *text, struct ctx_ratio *out,
    struct ctx_err *err)
{
	const char *s = text;
	struct ctx_ratio r;
	int rc = decimal(&s, &r.num, &r.den);

	if (rc == 0 && *s == '%') {
		r.den *= 100;
		s++;
	}
	if (rc == -1 || *s != '\0')
		return is_not(text, "a number such as 0.6, .6 or 60%", err);
	*out = r;
	return 0;
}

/* Refuse a number without a unit, since it could be seconds or days. */
static int
no_unit(const char *number, struct ctx_err *err)
{
	char n[24];

	ctx_err_quote(n, sizeof(n), number, strlen(number));
	return ctx_fail(err, CTX_EUSAGE,
	    "'%s' has no unit; write %ss, %sm, %sh, %sd or %sw", n, n, n, n, n,
	    n);
}

int
ctx_ratio_parse(const char *text, struct ctx_ratio *out, struct ctx_err *err)
{
	struct ctx_ratio r;

	if (ctx_decimal_parse(text, &r, NULL) == -1 || r.num > r.den)
		return is_not(text,
		    "a ratio from 0 to 1 such as 0.6, .6 or 60%",
		    err);
	*out = r;
	return 0;
}

int
ctx_age_parse(const char *text, uint64_t *out, struct ctx_err *err)
{
	static const char units[] = "smhdw";
	static const uint64_t seconds[] = { 1, 60, 3600, 86400, 604800 };
	const char *s = text, *u;
	uint64_t whole, scale, unit;

	if (decimal(&s, &whole, &scale) == -1 || scale != 1)
		goto bad;
	if (*s == '\0')
		return no_unit(text, err);
	if ((u = strchr(units, *s)) == NULL || s[1] != '\0')
		goto bad;
	unit = seconds[u - units];
	if (whole == 0 || whole > UINT64_MAX / unit / 2)
		goto bad;
	*out = whole * unit;
	return 0;
bad:
	return is_not(text, "an age such as 90s, 30m or 7d", err);
}

int
ctx_env_num(const char *name, uint64_t min, uint64_t max, uint64_t *out,
    struct ctx_err *err)
{
	const char *text = getenv(name);
	struct ctx_err why = { 0 };
	uint64_t n;

	if (text == NULL || *text == '\0')
		return 0;
	if (ctx_num_parse(text, &n, &why) == -1)
		return ctx_fail(err, CTX_EUSAGE, "%s: %s", name, why.text);
	if (n < min || n > max)
		return ctx_fail(err, CTX_EUSAGE,
		    "%s: %llu is out of range (%llu to %llu)", name,
		    (unsigned long long)n, (unsigned long long)min,
		    (unsigned long long)max);
	*out = n;
	return 0;
}

int
ctx_env_ratio(const char *name, struct ctx_ratio *out, struct ctx_err *err)
{
	const char *text = getenv(name);
	struct ctx_err why = { 0 };

	if (text == NULL || *text == '\0' ||
	    ctx_ratio_parse(text, out, &why) == 0)
		return 0;
	return ctx_fail(err, CTX_EUSAGE, "%s: %s", name, why.text);
}

int
ctx_env_age(const char *name, uint64_t *out, struct ctx_err *err)
{
	const char *text = getenv(name);
	struct ctx_err why = { 0 };

	if (text == NULL || *text == '\0' ||
	    ctx_age_parse(text, out, &why) == 0)
		return 0;
	return ctx_fail(err, CTX_EUSAGE, "%s: %s", name, why.text);
}
