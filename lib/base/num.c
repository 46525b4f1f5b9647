/* SPDX-License-Identifier: MIT */
/* Numbers with units; see num.h. */
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* The decimal digits at *s, at most 15 fraction digits; -1 if there are none. */
static int
decimal(const char **s, uint64_t *whole, uint64_t *frac, uint64_t *scale)
{
	const char *p = *s;

	*whole = *frac = 0;
	*scale = 1;
	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (*whole > (UINT64_MAX - 9) / 10)
			return -1;
		*whole = *whole * 10 + (uint64_t)(*p - '0');
	}
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++) {
			if (*scale >= 1000000000000000u)
				return -1;
			*frac = *frac * 10 + (uint64_t)(*p - '0');
			*scale *= 10;
		}
		if (*scale == 1)
			return -1;
	}
	*s = p;
	return 0;
}

int
ctx_num_parse(const char *text, uint64_t *out, struct ctx_err *err)
{
	static const char units[] = "kmg";
	const char *s = text, *u;
	uint64_t whole, frac, scale, unit = 1, base = 1000;
	char quoted[64];
	int i;

	if (decimal(&s, &whole, &frac, &scale) == -1)
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
	if (*s != '\0' || (unit == 1 && scale != 1))
		goto bad;
	if (whole > UINT64_MAX / unit / 2)
		goto bad;
	*out = whole * unit + (uint64_t)((double)frac / (double)scale *
	    (double)unit + 0.5);
	return 0;
bad:
	return ctx_fail(err, CTX_EUSAGE, "'%s' is not a number (40, 8k, 8Ki)",
	    ctx_err_quote(quoted, sizeof(quoted), text, strlen(text)));
}

int
ctx_ratio_parse(const char *text, double *out, struct ctx_err *err)
{
	const char *s = text;
	uint64_t whole, frac, scale;
	char quoted[64];
	double v;

	if (decimal(&s, &whole, &frac, &scale) == -1 || *s != '\0')
		goto bad;
	v = (double)whole + (double)frac / (double)scale;
	if (v > 1)
		goto bad;
	*out = v;
	return 0;
bad:
	return ctx_fail(err, CTX_EUSAGE, "'%s' is not a ratio from 0 to 1",
	    ctx_err_quote(quoted, sizeof(quoted), text, strlen(text)));
}

/* Seconds to one reader are days to the next. */
static int
no_unit(const char *number, struct ctx_err *err)
{
	char n[24];

	ctx_err_quote(n, sizeof(n), number, strlen(number));
	return ctx_fail(err, CTX_EUSAGE,
	    "'%s' has no unit (%ss, %sm, %sh, %sd, %sw)", n, n, n, n, n, n);
}

int
ctx_age_parse(const char *text, uint64_t *out, struct ctx_err *err)
{
	static const char units[] = "smhdw";
	static const uint64_t seconds[] = { 1, 60, 3600, 86400, 604800 };
	const char *s = text, *u;
	uint64_t whole, frac, scale, unit;
	char quoted[64];

	if (decimal(&s, &whole, &frac, &scale) == -1 || scale != 1)
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
	return ctx_fail(err, CTX_EUSAGE, "'%s' is not an age (90s, 30m, 7d)",
	    ctx_err_quote(quoted, sizeof(quoted), text, strlen(text)));
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
		    "%s is %llu, outside %llu to %llu", name,
		    (unsigned long long)n, (unsigned long long)min,
		    (unsigned long long)max);
	*out = n;
	return 0;
}

int
ctx_env_ratio(const char *name, double *out, struct ctx_err *err)
{
	const char *text = getenv(name);
	struct ctx_err why = { 0 };

	if (text == NULL || *text == '\0')
		return 0;
	if (ctx_ratio_parse(text, out, &why) == -1)
		return ctx_fail(err, CTX_EUSAGE, "%s: %s", name, why.text);
	return 0;
}

int
ctx_env_age(const char *name, uint64_t *out, struct ctx_err *err)
{
	const char *text = getenv(name);
	struct ctx_err why = { 0 };

	if (text == NULL || *text == '\0')
		return 0;
	if (ctx_age_parse(text, out, &why) == -1)
		return ctx_fail(err, CTX_EUSAGE, "%s: %s", name, why.text);
	return 0;
}
