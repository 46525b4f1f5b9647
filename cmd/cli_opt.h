/* SPDX-License-Identifier: MIT */
/*
 * The option table of a command.  A row says all there is to know of an option:
 * its letter and name, what argument it takes, where that is stored, what it
 * wants beside it, and its help.  Parsing, the messages about wrong options,
 * usage, --help and the completions come from the table, and tests hold the
 * pages to it.
 *
 * Rows are written with the macros below, in whose tables OPT_OF names the
 * struct that the members belong to; the compiler checks their types.  Further
 * members follow at the end of a row: .needs = "check".
 */
#ifndef CTX_CMD_CLI_OPT_H
#define CTX_CMD_CLI_OPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/num.h"

struct cli;

enum cli_kind {
	CLI_K_FLAG,	/* int: 1 */
	CLI_K_PICK,	/* int: min; rows of one place exclude each other */
	CLI_K_NUM,	/* an unsigned or signed number of 4 or 8 bytes */
	CLI_K_RATIO,	/* struct ctx_ratio, 0 to 1 */
	CLI_K_DECIMAL,	/* struct ctx_ratio, 0 to max */
	CLI_K_AGE,	/* uint64_t: seconds, times min unless that is 0 */
	CLI_K_WHEN,	/* int64_t: as in base/when.h */
	CLI_K_WORD,	/* int or enum: the word's place in words, plus min */
	CLI_K_TEXT,	/* const char *: as it stands in argv; with words one
			   of them */
	CLI_K_LIST,	/* struct cli_args: may be repeated */
	CLI_K_CALL,	/* call gets the place */
	CLI_K_SUB,	/* no option: the rows of sub, stored from at on */
	CLI_K_GROUP	/* no option: what follows is of the group help */
};

/* A list that grows as its option is repeated; the strings are argv's. */
struct cli_args {
	const char **v;
	size_t n, cap;
};
void	cli_args_done(struct cli_args *l);

struct cli_opt {
	int ch;			/* letter; 0: none */
	const char *name;	/* long name without dashes; "" : no option */
	const char *arg;	/* NULL: none; "N": required; "=N": optional,
				   given as --name=N only */
	const char *help;	/* lower case, no full stop; words are added */
	enum cli_kind kind;
	size_t at;		/* where in the struct it is stored */
	size_t size;		/* of a number */
	uint64_t min, max;
	uint64_t unless;	/* a number's value without an argument */
	const char *const *words;	/* NULL-ended */
	const char *(*word)(size_t i);	/* words of a list elsewhere */
	const char *live;	/* a command that lists words to complete */
	void (*call)(struct cli *c, void *place);
	const struct cli_opt *sub;
	const char *needs;	/* names: one of these must be given, too */
	const char *excludes;	/* names: none of these may be */
	int must;		/* it cannot be left out */
};

/* The offset of a member, which must be of the type. */
#define OPT_TYPED(type, m) \
	offsetof(OPT_OF, m) + 0 * sizeof(&((OPT_OF *)0)->m == (type *)0)
#define OPT_SIZED(m, n) \
	offsetof(OPT_OF, m) + 0 * sizeof(char[sizeof(((OPT_OF *)0)->m) == \
	    (n) ? 1 : -1])

#define OPT_FLAG(ch, name, m, help, ...) \
	{ ch, name, NULL, help, .kind = CLI_K_FLAG, .at = OPT_SIZED(m, 4), \
	    __VA_ARGS__ }
#define OPT_PICK(ch, name, m, value, help, ...) \
	{ ch, name, NULL, help, .kind = CLI_K_PICK, .at = OPT_SIZED(m, 4), \
	    .min = value, __VA_ARGS__ }
#define OPT_NUM(ch, name, arg, m, least, most, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_NUM, .at = offsetof(OPT_OF, m), \
	    .size = sizeof(((OPT_OF *)0)->m), .min = least, .max = most, \
	    __VA_ARGS__ }
#define OPT_RATIO(ch, name, arg, m, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_RATIO, \
	    .at = OPT_TYPED(struct ctx_ratio, m), __VA_ARGS__ }
#define OPT_DECIMAL(ch, name, arg, m, most, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_DECIMAL, .max = most, \
	    .at = OPT_TYPED(struct ctx_ratio, m), __VA_ARGS__ }
#define OPT_AGE(ch, name, arg, m, most, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_AGE, .max = most, \
	    .at = OPT_TYPED(uint64_t, m), __VA_ARGS__ }
#define OPT_WHEN(ch, name, arg, m, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_WHEN, \
	    .at = OPT_TYPED(int64_t, m), __VA_ARGS__ }
#define OPT_WORD(ch, name, arg, m, list, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_WORD, .at = OPT_SIZED(m, 4), \
	    .words = list, __VA_ARGS__ }
#define OPT_TEXT(ch, name, arg, m, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_TEXT, \
	    .at = OPT_TYPED(const char *, m), __VA_ARGS__ }
#define OPT_LIST(ch, name, arg, m, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_LIST, \
	    .at = OPT_TYPED(struct cli_args, m), __VA_ARGS__ }
/* fn gets the member, or with OPT_DO all of the struct; c->arg is set. */
#define OPT_CALL(ch, name, arg, m, fn, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_CALL, .at = offsetof(OPT_OF, m), \
	    .call = fn, __VA_ARGS__ }
#define OPT_DO(ch, name, arg, fn, help, ...) \
	{ ch, name, arg, help, .kind = CLI_K_CALL, .call = fn, __VA_ARGS__ }
#define OPT_SUB(m, table) \
	{ .name = "", .kind = CLI_K_SUB, .at = offsetof(OPT_OF, m), \
	    .sub = table }
#define OPT_ROWS(table) { .name = "", .kind = CLI_K_SUB, .sub = table }
#define OPT_GROUP(text) { .name = "", .kind = CLI_K_GROUP, .help = text }
#define OPT_END { .name = NULL }

/* Rows one after the other, those of sub-tables in their place. */
#define CLI_DEPTH 4
struct cli_walk {
	const struct cli_opt *row[CLI_DEPTH];
	size_t base[CLI_DEPTH];
	int depth;
	size_t n;		/* options so far */
	const char *group;	/* the heading over the row, or NULL */
};
void	cli_walk_begin(struct cli_walk *w, const struct cli_opt *table);
/* The next option, NULL at the end.  Its place is base + *at. */
const struct cli_opt *cli_walk_next(struct cli_walk *w, size_t *at);

/* The place of c->arg in the words of the option in hand; exit 2 if in none. */
int	cli_opt_find_word(const struct cli *c);

/* Words of an option, or NULL at the end of the list. */
const char *cli_opt_word(const struct cli_opt *o, size_t i);

/*
 * All options, stored in the struct that the command's table is about, with
 * the operands in c->file; what the rows need and exclude is checked.  A wrong
 * option ends the process with exit 2; -h and -V end it with 0.
 */
void	cli_options(struct cli *c, void *place);

/* Was the option of that name given? */
int	cli_given(const struct cli *c, const char *name);

/*
 * The word among those of next (NULL at the end) that is most like s[0 .. len),
 * if one is like it.
 */
struct cli_like {
	const char *word;
	size_t far;
};
void	cli_like(struct cli_like *best, const char *s, size_t len,
	    const char *word);

#endif
