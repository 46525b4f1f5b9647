/* SPDX-License-Identifier: MIT */
/*
 * What a shell command prints: which of its lines a reader needs.  The command
 * line tells the kind of the output, or else the text does; each kind has rules
 * that give every line a rank.  Nothing is changed, and no line is judged by
 * what it would cost.
 *
 * Texts are decoded and need not be UTF-8; their terminal escapes are seen
 * through.  All of this takes linear time.
 */
#ifndef CTX_TEXT_COMMAND_H
#define CTX_TEXT_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/shell.h"

enum ctx_command {
	CTX_COMMAND_UNKNOWN,	/* generic rules */
	CTX_COMMAND_PYTEST,	/* and unittest */
	CTX_COMMAND_JEST,	/* and vitest, mocha */
	CTX_COMMAND_GO,		/* go test, build, vet */
	CTX_COMMAND_CARGO,
	CTX_COMMAND_BUILD,	/* make, ninja, cmake and C compilers */
	CTX_COMMAND_MIX,
	CTX_COMMAND_PACKAGE,	/* npm, yarn, pnpm, pip, apt: installing */
	CTX_COMMAND_STATUS,	/* git status */
	CTX_COMMAND_DIFF,	/* git diff, git show, diff -u */
	CTX_COMMAND_LOG,	/* git log */
	CTX_COMMAND_LIST,	/* ls, find, tree */
	CTX_COMMAND_GREP,
	CTX_COMMAND_FILE,	/* cat, sed -n, head, tail: any file's lines */
	CTX_COMMAND_DOCKER,	/* docker build */
	CTX_COMMAND_CHECK	/* tsc, eslint */
};

enum ctx_line_rank {
	CTX_LINE_ROUTINE,	/* passed tests, progress, blank lines */
	CTX_LINE_PLAIN,
	CTX_LINE_CONTEXT,	/* what explains a signal beside it */
	CTX_LINE_SIGNAL		/* errors, failures, totals, changed lines */
};

/*
 * The kind of what a shell's command line prints.  Directories, variables,
 * wrappers such as sudo and timeout, and pipes into head and tail are seen
 * through.  It is CTX_COMMAND_UNKNOWN if commands of several kinds print, or
 * none that is known.
 */
enum ctx_command ctx_command_kind(const char *command, size_t len);

/* One of the commands in a command line; strings are in the line. */
struct ctx_command_one {
	const char *at;		/* where it begins, without what runs it, such
				   as sudo or env */
	size_t len;
	struct ctx_shell_word word[4];	/* its program, without a directory, and
				   the first operands that are no options */
	size_t nword;
	int writes;		/* its output goes to a file */
	int inplace;		/* -i or --in-place */
};

/*
 * Find the next command of the line [*p, *end), and set *p behind it.  That of
 * sh -c is read instead of the shell; what follows << is not read.  Returns 0 if there is none.
 */
int	ctx_command_next(const char **p, const char **end,
	    struct ctx_command_one *one);

/* What a command does to the world around it. */
enum ctx_command_does {
	CTX_COMMAND_MAY,	/* nothing is known of the program: its first
				   operands may say it */
	CTX_COMMAND_SHOWS,
	CTX_COMMAND_CHANGES
};

enum ctx_command_does ctx_command_does(const struct ctx_command_one *one);

/* A file, or a part of it, that a command prints; strings are in the command. */
struct ctx_command_file {
	const char *path;	/* REV:PATH for git show */
	size_t len;
	const char *dir;	/* where it is run, or NULL */
	size_t dirlen;
	uint64_t from, to;	/* its lines; 0: from its start, to its end */
	uint64_t last;		/* so many at its end, or 0 */
	int numbered;		/* their numbers stand before them */
};

/*
 * Does a command line print the contents of one file and do nothing else, but
 * perhaps change to a directory before?  Returns 1 with *f set, or 0.
 */
int	ctx_command_file(const char *command, size_t len,
	    struct ctx_command_file *f);

/*
 * Append to ranks a byte for each line of the text, an enum ctx_line_rank.  A
 * line ends after its newline or at the end of the text.  If kind is
 * CTX_COMMAND_UNKNOWN, the text's first lines may tell it.  Returns 0, or -1 if
 * out of memory.
 */
int	ctx_command_ranks(enum ctx_command kind, const char *text, size_t len,
	    struct ctx_buf *ranks) CTX_CHECKED;

#endif
