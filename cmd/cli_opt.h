/* SPDX-License-Identifier: MIT */
/*
 * The option table of a command.  A row has everything about an option: its
 * letter and name, the argument it takes, where that is stored, which other
 * options it needs, and its help.  Parsing, error messages about options,
 * usage, --help and the completions come from the table, and tests compare the
 * manual pages with it.
 *
 * Rows are written with the macros below, in tables where OPT_OF names the
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
	CLI_K_PICK,	/* int: min; rows of one member exclude others */
	CLI_K_NUM,	/* an unsigned or signed number of 4 or 8 bytes */
	CLI_K_RATIO,	/* struct ctx_ratio, 0 to 1 */
	CLI_K_DECIMAL,	/* struct ctx_ratio, 0 to max */
	CLI_K_AGE,	/* uint64_t: seconds, times min unless that is 0 */
	CLI_K_WHEN,	/* int64_t: as in base/when.h */
	CLI_K_WORD,	/* int or enum: the word's index in words, plus min */
	CLI_K_TEXT,	/* const char *: as in argv; if there are words, one
			 * of them */
	CLI_K_LIST,	/* struct cli_args: may be repeated */
	CLI_K_CALL,	/* call is called with the member */
	CLI_K_SUB,	/* not an option: the rows of sub, stored from at on */
	CLI_K_GROUP	/* not an option: starts a group of the help */
};

/* A list that grows each time its option is given; the strings are argv's. */
struct cli_args {
	const char **v;
	size_t n, cap;
};
void	cli_args_done(struct cli_args *l);

struct cli_opt {
	int ch;			/* letter, or 0 */
	const char *name;	/* long name without dashes; "": no option */
	const char *arg;	/* NULL: none; "N": required; "=N": optional,
				 * only as --name=N */
	const char *help;	/* lower case, no stop; words are appended */
	enum cli_kind kind;
	size_t at;		/* offset in the struct */
	size_t size;		/* of a number */
	uint64_t min, max;
	uint64_t unless;	/* a number's value, or a word's index, if no
				 * argument is given */
	const char *const *words;	/* ends with NULL */
	const char *(*word)(size_t i);	/* words of a list defined elsewhere */
	const char *live;	/* a command that lists words for completion */
	void (*call)(struct cli *c, void *place);
	const struct cli_opt *sub;
	const char *needs;	/* names: one of these is required as well */
	const char *excludes;	/* names: none of these is allowed */
	int must;		/* the option is required */
	int utf8;		/* what is written has the argument */
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
/*
 * fn is called with the member, or for OPT_DO with the whole struct; c->arg is
 * set.
 */
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

/* Iterates over the rows in order, including those of sub-tables. */
#define CLI_DEPTH 4
struct cli_walk {
	const struct cli_opt *row[CLI_DEPTH];
	size_t base[CLI_DEPTH];
	int depth;
	size_t n;		/* options so far */
	const char *group;	/* the heading above the row, or NULL */
};
void	cli_walk_begin(struct cli_walk *w, const struct cli_opt *table);
/* The next option, or NULL at the end.  Its value is stored at base + *at. */
const struct cli_opt *cli_walk_next(struct cli_walk *w, size_t *at);

/*
 * The index of c->arg in the words of the current option; exit 2 if it is not
 * one of them.
 */
int	cli_opt_find_word(const struct cli *c);

/* Word i of an option, or NULL past the end of the list. */
const char *cli_opt_word(const struct cli_opt *o, size_t i);

/*
 * Parse all options into the struct that the command's table describes, and
 * put the operands into c->file; also check what the rows need and exclude.
 * An invalid option ends the process with exit 2; -h and -V end it with 0.
 */
void	cli_options(struct cli *c, void *place);

/* Was the option called name given? */
int	cli_given(const struct cli *c, const char *name);

/* Its argument, the last one if there are several; NULL if it has none. */
const char *cli_argument(const struct cli *c, const char *name);

/*
 * The word among those that next returns (NULL at the end) that is most
 * similar to s[0 .. len), if any is similar.
 */
struct cli_like {
	const char *word;
	size_t far;
};
void	cli_like(struct cli_like *best, const char *s, size_t len,
	    const char *word);
/* "; did you mean WORD?", or "" if there is none.  Returns out. */
const char *cli_like_ask(const struct cli_like *best, char *out, size_t size);

#endif
