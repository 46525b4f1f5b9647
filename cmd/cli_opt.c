/* SPDX-License-Identifier: MIT */
/* Parse options into structs; see cli_opt.h. */
#include "cli_opt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/when.h"
#include "cli.h"
#include "cli_help.h"

void
cli_args_done(struct cli_args *l)
{
	free(l->v);
	*l = (struct cli_args){ 0 };
}

/* --- the table ----------------------------------------------------------- */

void
cli_walk_begin(struct cli_walk *w, const struct cli_opt *table)
{
	*w = (struct cli_walk){ .row[0] = table };
}

const struct cli_opt *
cli_walk_next(struct cli_walk *w, size_t *at)
{
	const struct cli_opt *o;

	for (;;) {
		o = w->row[w->depth];
		if (o->name == NULL) {
			if (w->depth-- == 0)
				return NULL;
			continue;
		}
		w->row[w->depth]++;
		if (o->kind == CLI_K_SUB) {
			w->base[w->depth + 1] = w->base[w->depth] + o->at;
			w->row[++w->depth] = o->sub;
		} else if (o->kind == CLI_K_GROUP)
			w->group = o->help;
		else
			break;
	}
	*at = w->base[w->depth] + o->at;
	w->n++;
	return o;
}

/* Does the option have that letter or, if it is 0, that name? */
static int
is(const struct cli_opt *o, int letter, const char *name, size_t len)
{
	if (letter != 0)
		return o->ch == letter;
	return strlen(o->name) == len && memcmp(o->name, name, len) == 0;
}

/*
 * Find an option; *n is its number in the table, *at its offset.  NULL if
 * there is none.
 */
static const struct cli_opt *
find(const struct cli *c, int letter, const char *name, size_t len,
    size_t *n, size_t *at)
{
	const struct cli_opt *o;
	struct cli_walk w;

	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, at)) != NULL)
		if (is(o, letter, name, len)) {
			*n = w.n - 1;
			return o;
		}
	return NULL;
}

const char *
cli_opt_word(const struct cli_opt *o, size_t i)
{
	if (o->word != NULL)
		return o->word(i);
	return o->words != NULL ? o->words[i] : NULL;
}

int
cli_given(const struct cli *c, const char *name)
{
	size_t n, at;

	return find(c, 0, name, strlen(name), &n, &at) != NULL &&
	    c->given[n] != 0;
}

const char *
cli_argument(const struct cli *c, const char *name)
{
	size_t n, at;

	return find(c, 0, name, strlen(name), &n, &at) != NULL ?
	    c->argument[n] : NULL;
}

/*
 * The option as the user wrote it, "-n" or "--last"; "--last" if it was not
 * given.
 */
static const char *
spelled(const struct cli *c, const char *name, char out[64])
{
	size_t n, at;
	const struct cli_opt *o = find(c, 0, name, strlen(name), &n, &at);

	if (o != NULL && c->given[n] == CLI_BY_LETTER)
		snprintf(out, 64, "-%c", o->ch);
	else
		snprintf(out, 64, "--%s", name);
	return out;
}

/* --- suggestions --------------------------------------------------------- */

#define LIKE_MAX 31

/*
 * The number of letters to insert, delete, change, or swap with the next one
 * to turn a into b (optimal string alignment).
 */
static size_t
distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t d[LIKE_MAX + 2][LIKE_MAX + 2], i, j, v;

	if (n > LIKE_MAX || m > LIKE_MAX)
		return SIZE_MAX;
	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			v = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < v)
				v = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < v)
				v = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < v)
				v = d[i - 2][j - 2] + 1;
			d[i][j] = v;
		}
	return d[n][m];
}

void
cli_like(struct cli_like *best, const char *s, size_t len, const char *word)
{
	size_t far = distance(s, len, word, strlen(word));

	/* the beginning of a word is an abbreviation of it */
	if (len >= 3 && strncmp(s, word, len) == 0)
		far = 1;
	if (far <= 1 + len / 4 && far < len &&
	    (best->word == NULL || far < best->far)) {
		best->word = word;
		best->far = far;
	}
}

const char *
cli_like_ask(const struct cli_like *best, char *out, size_t size)
{
	*out = '\0';
	if (best->word != NULL)
		snprintf(out, size, "; did you mean %s?", best->word);
	return out;
}

/* --- values -------------------------------------------------------------- */

/* Report what is wrong with the argument and end with exit 2. */
static _Noreturn void
refuse(const struct cli *c, const char *why)
{
	cli_usage(c, "%s: %s", c->spelled, why);
}

static void
store_number(struct cli *c, const struct cli_opt *o, char *place)
{
	uint64_t n = c->arg != NULL ? cli_num(c, o->min, o->max) : o->unless;
	uint32_t small = (uint32_t)n;

	if (o->size == sizeof(small))
		memcpy(place, &small, sizeof(small));
	else
		memcpy(place, &n, sizeof(n));
}

/* Store a decimal that is not above the row's limit. */
static void
store_decimal(const struct cli *c, const struct cli_opt *o, char *place)
{
	struct ctx_err err = { 0 };
	struct ctx_ratio r;
	uint64_t whole;

	if ((o->kind == CLI_K_RATIO ? ctx_ratio_parse(c->arg, &r, &err) :
	    ctx_decimal_parse(c->arg, &r, &err)) == -1)
		refuse(c, err.text);
	whole = r.num / r.den;
	if (o->kind == CLI_K_DECIMAL && (whole > o->max ||
	    (whole == o->max && r.num % r.den > 0)))
		cli_usage(c, "%s: %s is out of range (0 to %llu)", c->spelled,
		    c->arg, (unsigned long long)o->max);
	memcpy(place, &r, sizeof(r));
}

/* Store an age, as users write them, in seconds. */
static void
store_age(const struct cli *c, const struct cli_opt *o, char *place)
{
	uint64_t s = cli_age(c);

	if (s > o->max)
		cli_usage(c, "%s: %s is out of range (1s to %llud)", c->spelled,
		    c->arg, (unsigned long long)o->max / 86400);
	s *= o->min > 0 ? o->min : 1;
	memcpy(place, &s, sizeof(s));
}

/* List the words of an option, separated by commas. */
static const char *
list_words(const struct cli_opt *o, char *out, size_t size)
{
	const char *word;
	size_t i, n = 0;

	*out = '\0';
	for (i = 0; n < size && (word = cli_opt_word(o, i)) != NULL; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    i > 0 ? ", " : "", word);
	return out;
}

int
cli_opt_find_word(const struct cli *c)
{
	const struct cli_opt *o = c->opt;
	char list[400], quoted[64], near[64];
	struct cli_like best = { 0 };
	const char *word;
	size_t i;

	if (c->arg == NULL)
		return (int)o->unless;
	for (i = 0; (word = cli_opt_word(o, i)) != NULL; i++) {
		if (strcmp(word, c->arg) == 0)
			return (int)i;
		cli_like(&best, c->arg, strlen(c->arg), word);
	}
	cli_usage(c, "%s: '%s' is not %s%s%s", c->spelled,
	    ctx_err_quote(quoted, sizeof(quoted), c->arg, strlen(c->arg)),
	    i > 1 ? "one of " : "", list_words(o, list, sizeof(list)),
	    cli_like_ask(&best, near, sizeof(near)));
}

static void
store_int(int n, char *place)
{
	memcpy(place, &n, sizeof(n));
}

static void
store_string(struct cli *c, char *place)
{
	struct cli_args *l = (void *)place;

	if (CTX_ROOM(l->v, l->n, &l->cap) == -1)
		cli_nomem(c);
	l->v[l->n++] = c->arg;
}

static void
store_when(struct cli *c, char *place)
{
	struct ctx_err err = { 0 };
	int64_t when;

	if (ctx_when_parse(c->arg, ctx_when_now(), &when, &err) == -1)
		refuse(c, err.text);
	memcpy(place, &when, sizeof(when));
}

/* Only one of the rows that are stored in the same place may be given. */
static void
check_pick(const struct cli *c, const struct cli_opt *mine, size_t at)
{
	const struct cli_opt *o;
	struct cli_walk w;
	char other[64];
	size_t to;

	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &to)) != NULL)
		if (o != mine && o->kind == CLI_K_PICK && to == at &&
		    c->given[w.n - 1])
			cli_usage(c, "%s and %s cannot be used together",
			    spelled(c, o->name, other), c->spelled);
}

static void
check_utf8(const struct cli *c)
{
	size_t len = c->opt->utf8 ? strlen(c->arg) : 0;

	if (len > 0 && ctx_utf8_check(c->arg, len) < len)
		cli_usage(c, "%s: '%s' is not UTF-8", c->spelled, c->arg);
}

static void
store(struct cli *c, const struct cli_opt *o, char *place, size_t at)
{
	switch (o->kind) {
	case CLI_K_PICK:
		check_pick(c, o, at);
		store_int((int)o->min, place);
		break;
	case CLI_K_FLAG:
		store_int(1, place);
		break;
	case CLI_K_NUM:
		store_number(c, o, place);
		break;
	case CLI_K_RATIO:
	case CLI_K_DECIMAL:
		store_decimal(c, o, place);
		break;
	case CLI_K_AGE:
		store_age(c, o, place);
		break;
	case CLI_K_WHEN:
		store_when(c, place);
		break;
	case CLI_K_WORD:
		store_int(cli_opt_find_word(c) + (int)o->min, place);
		break;
	case CLI_K_TEXT:
		if (cli_opt_word(o, 0) != NULL)
			cli_opt_find_word(c);
		memcpy(place, &c->arg, sizeof(c->arg));
		break;
	case CLI_K_LIST:
		store_string(c, place);
		break;
	case CLI_K_CALL:
		o->call(c, place);
		break;
	case CLI_K_SUB:
	case CLI_K_GROUP:
		break;
	}
}

/* --- the command line ---------------------------------------------------- */

static _Noreturn void
unknown(const struct cli *c, const char *name, size_t len)
{
	struct cli_like best = { 0 };
	const struct cli_opt *o;
	struct cli_walk w;
	char quoted[64];
	size_t at;

	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL)
		cli_like(&best, name, len, o->name);
	cli_usage(c, "unknown option --%s%s%s%s",
	    ctx_err_quote(quoted, sizeof(quoted), name, len),
	    best.word != NULL ? "; did you mean --" : "",
	    best.word != NULL ? best.word : "", best.word != NULL ? "?" : "");
}

/* Take the required argument from the next word. */
static void
next_word(struct cli *c)
{
	if (c->next >= c->argc)
		cli_usage(c, "%s needs an argument", c->spelled);
	c->arg = c->argv[c->next++];
}

/* --help=options is for programs. */
static void
take_long(struct cli *c, const char *word, size_t *n, size_t *at)
{
	size_t len = strcspn(word, "=");

	if (strcmp(word, "help=options") == 0)
		cli_help_options(c);
	if ((c->opt = find(c, 0, word, len, n, at)) == NULL)
		unknown(c, word, len);
	snprintf(c->spelled, sizeof(c->spelled), "--%s", c->opt->name);
	c->given[*n] = CLI_BY_NAME;
	c->arg = word[len] == '=' ? word + len + 1 : NULL;
	if (c->opt->arg == NULL && c->arg != NULL)
		cli_usage(c, "%s takes no argument", c->spelled);
	if (c->opt->arg != NULL && *c->opt->arg != '=' && c->arg == NULL)
		next_word(c);
}

/* A long option after one hyphen: "; did you mean --check?", or "". */
static const char *
meant(const struct cli *c, char *out, size_t size)
{
	const char *name = c->word + 1;
	size_t n, at, len = strcspn(name, "=");

	*out = '\0';
	if (len > 1 && find(c, 0, name, len, &n, &at) != NULL)
		snprintf(out, size, "; did you mean --%.*s?", (int)len, name);
	return out;
}

static void
take_letter(struct cli *c, size_t *n, size_t *at)
{
	char bad[2] = { *c->cluster, '\0' }, quoted[8], ask[96];

	c->opt = find(c, (unsigned char)*c->cluster++, NULL, 0, n, at);
	if (c->opt == NULL)
		cli_usage(c, "unknown option -%s%s",
		    ctx_err_quote(quoted, sizeof(quoted), bad, 1),
		    meant(c, ask, sizeof(ask)));
	snprintf(c->spelled, sizeof(c->spelled), "-%c", c->opt->ch);
	c->given[*n] = CLI_BY_LETTER;
	c->arg = NULL;
	if (c->opt->arg != NULL) {
		if (*c->cluster != '\0')
			c->arg = c->cluster;
		else if (*c->opt->arg != '=')
			next_word(c);
		c->cluster = NULL;
	}
	if (c->cluster != NULL && *c->cluster == '\0')
		c->cluster = NULL;
}

/* Parse one option into c->opt and c->arg; returns 0 when there are no more. */
static int
take(struct cli *c, size_t *n, size_t *at)
{
	char *word;

	while (c->cluster == NULL) {
		if (c->next >= c->argc)
			return 0;
		word = c->argv[c->next++];
		if (c->ended || word[0] != '-' || word[1] == '\0') {
			c->argv[c->noperand++] = word;
		} else if (strcmp(word, "--") == 0) {
			c->ended = 1;
		} else if (word[1] == '-') {
			c->word = word;
			take_long(c, word + 2, n, at);
			return 1;
		} else {
			c->word = word;
			c->cluster = word + 1;
		}
	}
	take_letter(c, n, at);
	return 1;
}

/* --- combinations -------------------------------------------------------- */

/*
 * Find the first of the names that was given and store it in name[64]; if list
 * is set, store all of them as a user writes them, "--a, --b or --c".  Returns
 * 1 if one was given.
 */
static int
any_given(const struct cli *c, const char *names, char name[64],
    struct ctx_buf *list)
{
	const char *p;
	size_t n;

	for (p = names; *p != '\0'; p += n + (p[n] != '\0')) {
		n = strcspn(p, " ");
		snprintf(name, 64, "%.*s", (int)n, p);
		if (cli_given(c, name))
			return 1;
		if (list != NULL)
			ctx_buf_addf(list, "%s--%s", p == names ? "" :
			    p[n] == '\0' ? " or " : ", ", name);
	}
	return 0;
}

static void
check_row(struct cli *c, const struct cli_opt *o, int given)
{
	char name[64], mine[64], other[64];
	struct ctx_buf list = { 0 };

	if (o->must && !given)
		cli_usage(c, "--%s %s is required", o->name, o->arg);
	if (!given)
		return;
	spelled(c, o->name, mine);
	if (o->needs != NULL && !any_given(c, o->needs, name, &list)) {
		if (ctx_buf_str(&list) == NULL)
			cli_nomem(c);
		cli_usage(c, "%s needs %s", mine, list.data);
	}
	ctx_buf_done(&list);
	if (o->excludes != NULL && any_given(c, o->excludes, name, NULL))
		cli_usage(c, "%s and %s cannot be used together", mine,
		    spelled(c, name, other));
}

void
cli_options(struct cli *c, void *place)
{
	const struct cli_opt *o;
	struct cli_walk w;
	size_t n = 0, at = 0;

	while (take(c, &n, &at)) {
		c->argument[n] = c->arg;
		check_utf8(c);
		store(c, c->opt, place == NULL ? NULL : (char *)place + at,
		    at);
	}
	c->file = c->argv + 1;
	c->nfile = c->noperand - 1;
	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL)
		check_row(c, o, c->given[w.n - 1]);
}
