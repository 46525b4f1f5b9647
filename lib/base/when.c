/* SPDX-License-Identifier: MIT */
/* Points in time; see when.h. */
#include "base/when.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/num.h"

#define DAY	86400

int64_t
ctx_when_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * CTX_SECOND + ts.tv_nsec / 1000;
}

/* The number of days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t era, yoe, doy;

	/* Let the year begin in March, so that the leap day is its last. */
	year -= month <= 2;
	era = (year >= 0 ? year : year - 399) / 400;
	yoe = year - era * 400;
	doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void
date_of(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t era, doe, yoe, doy, m;

	days += 719468;
	era = (days >= 0 ? days : days - 146096) / 146097;
	doe = days - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	m = (5 * doy + 2) / 153;
	*day = (int)(doy - (153 * m + 2) / 5 + 1);
	*month = (int)(m < 10 ? m + 3 : m - 9);
	*year = yoe + era * 400 + (*month <= 2);
}

char *
ctx_when_text(int64_t t, char out[CTX_WHEN_SIZE])
{
	int64_t us = t % CTX_SECOND, s = t / CTX_SECOND, days, year;
	int month, day;

	if (us < 0) {
		us += CTX_SECOND;
		s--;
	}
	days = s / DAY;
	if ((s %= DAY) < 0) {
		s += DAY;
		days--;
	}
	date_of(days, &year, &month, &day);
	if (year < 0 || year > 9999)
		year = year < 0 ? 0 : 9999;
	snprintf(out, CTX_WHEN_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ",
	    (unsigned)year % 10000, (unsigned)month % 100,
	    (unsigned)day % 100, (unsigned)(s / 3600) % 100,
	    (unsigned)(s / 60 % 60), (unsigned)(s % 60),
	    (unsigned)us % CTX_SECOND);
	return out;
}

/* Read n digits at *s into *v. */
static int
digits(const char **s, const char *end, int n, int *v)
{
	for (*v = 0; n > 0; n--, (*s)++) {
		if (*s >= end || **s < '0' || **s > '9')
			return -1;
		*v = *v * 10 + (**s - '0');
	}
	return 0;
}

static int
mark(const char **s, const char *end, const char *set)
{
	if (*s >= end || strchr(set, **s) == NULL || **s == '\0')
		return -1;
	(*s)++;
	return 0;
}

static int
scan_date(const char **s, const char *end, int64_t *days)
{
	static const int last[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31,
	    30, 31 };
	int y, m, d, leap;

	if (digits(s, end, 4, &y) == -1 || mark(s, end, "-") == -1 ||
	    digits(s, end, 2, &m) == -1 || mark(s, end, "-") == -1 ||
	    digits(s, end, 2, &d) == -1 || m < 1 || m > 12 || d < 1)
		return -1;
	leap = m == 2 && y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
	if (d > last[m - 1] + leap)
		return -1;
	*days = days_of(y, m, d);
	return 0;
}

/* Read the digits after the point as microseconds, dropping what is smaller. */
static int
scan_fraction(const char **s, const char *end, int64_t *us)
{
	int64_t unit = 100000;
	int n = 0, v;

	*us = 0;
	if (*s >= end || **s != '.')
		return 0;
	for ((*s)++; digits(s, end, 1, &v) == 0; n++, unit /= 10)
		*us += v * unit;
	return n >= 1 && n <= 9 ? 0 : -1;
}

static int
scan_zone(const char **s, const char *end, int64_t *seconds)
{
	int h, m, minus;

	*seconds = 0;
	if (mark(s, end, "Zz") == 0)
		return 0;
	minus = *s < end && **s == '-';
	if (mark(s, end, "+-") == -1 || digits(s, end, 2, &h) == -1 ||
	    mark(s, end, ":") == -1 || digits(s, end, 2, &m) == -1 ||
	    h > 23 || m > 59)
		return -1;
	*seconds = (h * 60 + m) * (minus ? -60 : 60);
	return 0;
}

int
ctx_when_scan(const char *text, size_t len, int64_t *out)
{
	const char *s = text, *end = text + len;
	int64_t days, us, zone;
	int h, m, sec;

	if (scan_date(&s, end, &days) == -1)
		return -1;
	if (s == end) {
		*out = days * DAY * CTX_SECOND;
		return 0;
	}
	if (mark(&s, end, "Tt ") == -1 || digits(&s, end, 2, &h) == -1 ||
	    mark(&s, end, ":") == -1 || digits(&s, end, 2, &m) == -1 ||
	    mark(&s, end, ":") == -1 || digits(&s, end, 2, &sec) == -1 ||
	    h > 23 || m > 59 || sec > 60 ||
	    scan_fraction(&s, end, &us) == -1 ||
	    scan_zone(&s, end, &zone) == -1 || s != end)
		return -1;
	*out = (days * DAY + h * 3600 + m * 60 + sec - zone) * CTX_SECOND + us;
	return 0;
}

int
ctx_when_parse(const char *text, int64_t now, int64_t *out,
    struct ctx_err *err)
{
	char quoted[64];
	uint64_t age;

	if (ctx_when_scan(text, strlen(text), out) == 0)
		return 0;
	if (*text != '\0' && text[strspn(text, "0123456789")] == '\0')
		return ctx_age_parse(text, &age, err);
	if (ctx_age_parse(text, &age, NULL) == -1 ||
	    age > (uint64_t)INT64_MAX / CTX_SECOND / 2)
		return ctx_fail(err, CTX_EUSAGE,
		    "'%s' is neither an age such as 7d nor a date such as "
		    "2026-03-01",
		    ctx_err_quote(quoted, sizeof(quoted), text, strlen(text)));
	*out = now - (int64_t)age * CTX_SECOND;
	return 0;
}
