/* SPDX-License-Identifier: MIT */
/* Usage and --help from the option table; see cli_help.h. */
#include "cli_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS	80
#define LABEL	30	/* a longer label gets a line of its own */
#define FOLD	4	/* most own options that a subcommand shows */

/* --- usage --------------------------------------------------------------- */

/* The options in a usage line, in order. */
struct usage {
	const struct cli_opt *opt[CLI_OPTIONS];
	size_t at[CLI_OPTIONS];
	size_t n;
	int wrap;
	size_t column;
};

/* Print a piece that must stay on one line. */
static void
piece(struct usage *u, const char *text)
{
	size_t len = strlen(text);

	if (u->wrap && u->column + 1 + len > COLUMNS)
		u->column = (size_t)printf("\n   ");
	u->column += (size_t)printf(" %s", text);
}

/*
 * Order:   required options, -i[SUFFIX], letters with an argument, long
 *          options.
 */
static int
rank(const struct cli_opt *o)
{
	int letter = o->ch != 0;

	return o->must ? 0 : !letter ? 3 : *o->arg == '=' ? 1 : 2;
}

static int
before(const struct cli_opt *a, const struct cli_opt *b)
{
	if (rank(a) != rank(b))
		return rank(a) < rank(b);
	return rank(a) == 2 ? a->ch < b->ch : strcmp(a->name, b->name) < 0;
}

/* Is it a flag with a letter, as for "[-qv]"? */
static int
in_cluster(const struct cli_opt *o)
{
	return o->arg == NULL && o->ch != 0;
}

/* Insert o in order; letters without an argument are collected in cluster. */
static void
sort_in(struct usage *u, const struct cli_opt *o, size_t at, char *cluster)
{
	char *p;
	size_t i;

	if (o->ch == 'h' || o->ch == 'V')
		return;
	if (in_cluster(o)) {
		for (p = cluster; *p != '\0' && *p < o->ch; p++)
			continue;
		memmove(p + 1, p, strlen(p) + 1);
		*p = (char)o->ch;
		return;
	}
	for (i = u->n++; i > 0 && before(o, u->opt[i - 1]); i--) {
		u->opt[i] = u->opt[i - 1];
		u->at[i] = u->at[i - 1];
	}
	u->opt[i] = o;
	u->at[i] = at;
}

/* "--last N", "-n N", "--dedupe[=N]", "-i[SUFFIX]" */
static int
form(const struct cli_opt *o, char *out, size_t size)
{
	const char *arg = o->arg != NULL ? o->arg : "";
	int letter = o->ch != 0;
	int skip = letter && *arg == '=';
	char name[64];

	snprintf(name, sizeof(name), "-%c", o->ch);
	if (!letter)
		snprintf(name, sizeof(name), "--%s", o->name);
	if (*arg == '=')
		return snprintf(out, size, "%s[%s]", name, arg + skip);
	return snprintf(out, size, "%s%s%s", name, *arg ? " " : "", arg);
}

/*
 * Do two options exclude each other because they are stored in the same place?
 */
static int
one_of(const struct usage *u, size_t i, size_t k)
{
	return u->opt[i]->kind == CLI_K_PICK &&
	    u->opt[k]->kind == CLI_K_PICK && u->at[i] == u->at[k];
}

/* Print option i of the usage with those that it excludes: "[--a | --b]". */
static void
option_piece(struct usage *u, size_t i)
{
	const char *open = u->opt[i]->must ? "" : "[";
	const char *end = u->opt[i]->must ? "" : "]";
	char text[160], one[128];
	size_t k, next;

	for (k = 0; k < i; k++)
		if (one_of(u, k, i))
			return;		/* printed with that option */
	for (k = i; k < u->n; k = next) {
		for (next = k + 1; next < u->n && !one_of(u, i, next); next++)
			continue;
		form(u->opt[k], one, sizeof(one));
		snprintf(text, sizeof(text), "%s%s%s", k == i ? open : "",
		    one, next < u->n ? " |" : end);
		piece(u, text);
	}
}

/*
 * Print the options of the usage.  A subcommand shows only its own; if there
 * are many, "[OPTION ...]".
 */
static void
usage_options(const struct cli_cmd *cmd, struct usage *u)
{
	int sub = strchr(cmd->name, ' ') != NULL;
	char flags[64] = "", cluster[72];
	const struct cli_opt *o;
	struct cli_walk w;
	size_t at, i;

	cli_walk_begin(&w, cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL)
		if (!sub || w.group == NULL || strcmp(w.group, CLI_EVERY) != 0)
			sort_in(u, o, at, flags);
	for (i = 0; i < u->n && u->opt[i]->must; i++)
		option_piece(u, i);
	if (sub && u->n - i > FOLD) {
		piece(u, "[OPTION ...]");
		return;
	}
	snprintf(cluster, sizeof(cluster), "[-%s]", flags);
	for (; i < u->n && rank(u->opt[i]) == 1; i++)
		option_piece(u, i);
	if (*flags != '\0')
		piece(u, cluster);
	for (; i < u->n; i++)
		option_piece(u, i);
}

/* The length of the operand at p: "THREAD", "ID ..." or "[FILE ...]". */
static size_t
operand(const char *p)
{
	size_t n, depth = 0;

	for (n = 0; p[n] != '\0' && (depth > 0 || p[n] != ' ' ||
	    strncmp(p + n, " ...", 4) == 0); n++)
		depth += (size_t)(p[n] == '[') - (size_t)(p[n] == ']');
	return n;
}

static void
usage(const struct cli *c, int wrap)
{
	struct usage u = { .wrap = wrap };
	const char *p = c->cmd->operands;
	char text[80];
	size_t n;

	u.column = (size_t)printf("usage%s%s", wrap ? ": " : "\t",
	    c->cmd->name);
	usage_options(c->cmd, &u);
	for (; *p != '\0'; p += n + (p[n] == ' ')) {
		n = operand(p);
		snprintf(text, sizeof(text), "%.*s", (int)n, p);
		piece(&u, text);
	}
	putchar('\n');
}

/* --- help ---------------------------------------------------------------- */

/* "-n, --last N" */
static int
label(const struct cli_opt *o, char *out, size_t size)
{
	char letter[8] = "    ";
	const char *arg = o->arg != NULL ? o->arg : "";

	if (o->ch != 0)
		snprintf(letter, sizeof(letter), "-%c, ", o->ch);
	if (*arg == '=')
		return snprintf(out, size, "  %s--%s[%s]", letter, o->name,
		    arg);
	return snprintf(out, size, "  %s--%s%s%s", letter, o->name,
	    *arg ? " " : "", arg);
}

/* Print text wrapped into lines; the first continues the line of the label. */
static void
wrapped(const char *text, int indent)
{
	size_t room = (size_t)(COLUMNS - indent), n;

	for (;;) {
		n = strlen(text);
		if (n > room)
			for (n = room; n > 0 && text[n] != ' '; n--)
				continue;
		if (n == 0)
			n = strcspn(text, " ");
		printf("%.*s\n", (int)n, text);
		text += n;
		if (*text == '\0')
			return;
		text += strspn(text, " ");
		printf("%*s", indent, "");
	}
}

void
cli_help_row(const char *name, int width, const char *text)
{
	if (strlen(name) > (size_t)width)
		printf("%s\n%*s  ", name, width, "");
	else
		printf("%-*s  ", width, name);
	wrapped(text, width + 2);
}

/* The help text of a row, followed by its words: "...: this, that or other". */
static const char *
help_text(const struct cli_opt *o, char *out, size_t size)
{
	size_t i, n = (size_t)snprintf(out, size, "%s", o->help);

	for (i = 0; o->words != NULL && o->words[i] != NULL && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    i == 0 ? ": " : o->words[i + 1] != NULL ? ", " : " or ",
		    o->words[i]);
	return out;
}

static int
label_width(const struct cli *c)
{
	const struct cli_opt *o;
	struct cli_walk w;
	char text[128];
	int width = 0, n;
	size_t at;

	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL) {
		n = label(o, text, sizeof(text));
		if (n > width && n <= LABEL)
			width = n;
	}
	return width;
}

void
cli_help(struct cli *c)
{
	const char *group = "";
	const struct cli_opt *o;
	struct cli_walk w;
	char name[128], text[400];
	int width = label_width(c);
	size_t at;

	usage(c, 1);
	putchar('\n');
	wrapped(c->cmd->about, 0);
	if (c->cmd->list != NULL)
		c->cmd->list(0);
	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL) {
		if (w.group != group)
			printf("\n%s:\n", w.group != NULL ? w.group :
			    "Options");
		group = w.group;
		label(o, name, sizeof(name));
		cli_help_row(name, width, help_text(o, text, sizeof(text)));
	}
	printf("\nManual: man %s, man 7 ctx\n", c->page != NULL ? c->page :
	    c->cmd->name);
	exit(cli_end(c));
}

/* --- for programs -------------------------------------------------------- */

static void
field(const char *text)
{
	printf("\t%s", text != NULL && *text != '\0' ? text : "-");
}

/*
 * Print "this that other", or "@COMMAND" for the command that lists the words.
 */
static void
words_field(const struct cli_opt *o)
{
	const char *word;
	size_t i;

	if (o->live != NULL)
		printf("\t@%s", o->live);
	else if (cli_opt_word(o, 0) == NULL)
		field(NULL);
	for (i = 0; o->live == NULL && (word = cli_opt_word(o, i)) != NULL;
	    i++)
		printf("%s%s", i == 0 ? "\t" : " ", word);
}

void
cli_help_options(struct cli *c)
{
	const struct cli_opt *o;
	struct cli_walk w;
	char letter[3] = "-", text[400];
	size_t at;

	usage(c, 0);
	if (c->cmd->list != NULL)
		c->cmd->list(1);
	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL) {
		letter[1] = (char)o->ch;
		printf("option");
		field(letter);
		printf("\t--%s", o->name);
		field(o->arg);
		words_field(o);
		field(w.group);
		field(o->needs);
		field(o->excludes);
		field(help_text(o, text, sizeof(text)));
		putchar('\n');
	}
	exit(cli_end(c));
}
