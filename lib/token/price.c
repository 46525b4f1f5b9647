/* SPDX-License-Identifier: MIT */
/* What tokens cost; see price.h. */
#include "token/price.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/num.h"
#include "token/model.h"

#define FIELDS		(3 + CTX_PRICE_N)
#define RATE_MAX	10000		/* dollars */
#define TOKENS_MAX	1000000000	/* of one kind in a request */

static const char known[] =
#include "token/price_data.inc"
    ;

static int
is_day(const char *s)
{
	static const char form[] = "0000-00-00";
	size_t i;

	for (i = 0; form[i] != '\0'; i++)
		if (form[i] == '0' ? s[i] < '0' || s[i] > '9' :
		    s[i] != form[i])
			return 0;
	return s[i] == '\0';
}

static int
read_model(struct ctx_price *row, char *s, struct ctx_err *err)
{
	size_t len = strlen(s);

	row->any_before = *s == '*';
	s += row->any_before;
	len -= (size_t)row->any_before;
	row->any_after = len > 0 && s[len - 1] == '*';
	len -= (size_t)row->any_after;
	if (len >= sizeof(row->model) || memchr(s, '*', len) != NULL)
		return ctx_fail(err, CTX_EINPUT, "'%.80s' is no name of "
		    "models: a * may be at its start and end", s);
	memcpy(row->model, s, len);
	row->model[len] = '\0';
	return 0;
}

static int
read_rate(uint64_t *rate, const char *s, struct ctx_err *err)
{
	struct ctx_ratio r;

	*rate = CTX_PRICE_NONE;
	if (strcmp(s, "-") == 0)
		return 0;
	if (strchr(s, '%') != NULL || ctx_decimal_parse(s, &r, NULL) == -1 ||
	    r.num / r.den > RATE_MAX)
		return ctx_fail(err, CTX_EINPUT, "'%.40s' is no price of a "
		    "million tokens: it is a number up to %d, or -", s,
		    RATE_MAX);
	*rate = ctx_ratio_of(r, 1000000);
	return 0;
}

/* Divide a line into words; returns their number, at most FIELDS + 1. */
static size_t
words(char *line, char *word[FIELDS + 1])
{
	char *rest = NULL, *w;
	size_t n = 0;

	for (w = strtok_r(line, " \t\r", &rest); w != NULL && n <= FIELDS;
	    w = strtok_r(NULL, " \t\r", &rest))
		word[n++] = w;
	return n;
}

/* Read a line into a row; returns 1, 0 if it says nothing, or -1 with *err. */
static int
read_line(struct ctx_price *row, char *line, struct ctx_err *err)
{
	char *word[FIELDS + 1], *end;
	size_t n, i;

	line[strcspn(line, "#")] = '\0';
	memset(row, 0, sizeof(*row));
	if ((n = words(line, word)) == 0)
		return 0;
	if (n != FIELDS)
		return ctx_fail(err, CTX_EINPUT, "a line has eight words: the "
		    "model, the day since when, the tokens above which, and "
		    "five prices");
	if (read_model(row, word[0], err) == -1)
		return -1;
	if (is_day(word[1]))
		snprintf(row->since, sizeof(row->since), "%s", word[1]);
	else if (strcmp(word[1], "-") != 0)
		return ctx_fail(err, CTX_EINPUT, "'%.40s' is no day such as "
		    "2026-03-01, and not -", word[1]);
	row->above = strtoull(word[2], &end, 10);
	if (*word[2] < '0' || *word[2] > '9' || *end != '\0')
		return ctx_fail(err, CTX_EINPUT, "'%.40s' is no number of "
		    "tokens", word[2]);
	for (i = 0; i < CTX_PRICE_N; i++)
		if (read_rate(&row->rate[i], word[3 + i], err) == -1)
			return -1;
	return 1;
}

int
ctx_prices_read(struct ctx_prices *p, const char *text, size_t len,
    struct ctx_err *err)
{
	const char *end = len > 0 ? text + len : text, *next;
	struct ctx_price row;
	char line[512];
	uint64_t no = 0;
	size_t n;
	int rc;

	p->tables++;
	for (; text < end; text = next) {
		next = memchr(text, '\n', (size_t)(end - text));
		next = next == NULL ? end : next + 1;
		n = (size_t)(next - text);
		n = n < sizeof(line) ? n - (next[-1] == '\n') :
		    sizeof(line) - 1;
		memcpy(line, text, n);
		line[n] = '\0';
		no++;
		rc = read_line(&row, line, err);
		if (rc == -1 && err != NULL)
			err->line = no;
		if (rc == -1)
			return -1;
		if (rc == 0)
			continue;
		if (CTX_ROOM(p->row, p->n, &p->cap) == -1)
			return ctx_fail_nomem(err);
		row.own = p->tables == 1;
		p->row[p->n++] = row;
	}
	return 0;
}

int
ctx_prices_known(struct ctx_prices *p, struct ctx_err *err)
{
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm) == NULL ||
	    strftime(p->today, sizeof(p->today), "%Y-%m-%d", &tm) == 0)
		*p->today = '\0';
	return ctx_prices_read(p, known, sizeof(known) - 1, err);
}

void
ctx_prices_done(struct ctx_prices *p)
{
	free(p->row);
	memset(p, 0, sizeof(*p));
}

/* Is the row for this model? */
static int
is_for(const struct ctx_price *row, const char *model)
{
	size_t len = strlen(row->model), n = strlen(model);

	if (len > n)
		return 0;
	if (row->any_before && row->any_after)
		return strcasestr(model, row->model) != NULL;
	if (row->any_before)
		return strcasecmp(model + n - len, row->model) == 0;
	return strncasecmp(model, row->model, len) == 0 &&
	    (row->any_after || n == len);
}

/* Does row a hold rather than b, if both are for a request? */
static int
goes_before(const struct ctx_price *a, const struct ctx_price *b)
{
	size_t m = strlen(a->model), n = strlen(b->model);
	int day = strcmp(a->since, b->since);

	if (a->own != b->own)
		return a->own;
	if (m != n)
		return m > n;
	if (day != 0)
		return day > 0;
	return a->above > b->above;
}

/* The row that holds for a request of so many tokens on a day; NULL: none. */
static const struct ctx_price *
best_row(const struct ctx_prices *p, const char *model, const char *day,
    uint64_t input)
{
	const struct ctx_price *row, *best = NULL;
	size_t k;

	for (k = 0; k < p->n; k++) {
		row = &p->row[k];
		if (is_for(row, model) && strcmp(row->since, day) <= 0 &&
		    (row->above == 0 || input > row->above) &&
		    (best == NULL || goes_before(row, best)))
			best = row;
	}
	return best;
}

int
ctx_prices_cost(const struct ctx_prices *p, const char *model,
    const char *day, const uint64_t tokens[CTX_PRICE_N], uint64_t *nano)
{
	const char *slash = strrchr(model, '/');
	const struct ctx_price *best;
	char plain[CTX_MODEL_NAME_MAX];
	uint64_t input = 0;
	size_t i;

	day = *day == '\0' ? p->today : day;
	for (i = 0; i < CTX_PRICE_OUTPUT; i++)
		input += tokens[i];
	best = best_row(p, slash != NULL ? slash + 1 : model, day, input);
	if (best == NULL)	/* perhaps a library's name of it */
		best = best_row(p, ctx_model_plain(model, plain), day, input);
	if (best == NULL)
		return 0;
	*nano = 0;
	for (i = 0; i < CTX_PRICE_N; i++) {
		if (tokens[i] == 0)
			continue;
		if (best->rate[i] == CTX_PRICE_NONE || tokens[i] > TOKENS_MAX)
			return 0;
		*nano += tokens[i] * best->rate[i] / 1000;
	}
	return 1;
}
