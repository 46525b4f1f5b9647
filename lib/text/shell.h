/* SPDX-License-Identifier: MIT */
/*
 * A shell's command line as words, as far as it can be known without running
 * it.  Words are parts of the command line.
 */
#ifndef CTX_TEXT_SHELL_H
#define CTX_TEXT_SHELL_H

#include <stddef.h>

#define CTX_SHELL_WORDS	16	/* of a command that are looked at */

struct ctx_shell_word {
	const char *p;
	size_t len;
};

/* What is left of a command line. */
struct ctx_shell {
	const char *p, *end;
};

enum ctx_shell_token {
	CTX_SHELL_END, CTX_SHELL_WORD, CTX_SHELL_REDIRECT, CTX_SHELL_PIPE,
	CTX_SHELL_SEPARATOR, CTX_SHELL_HERE
};

/* The next token; a word that is quoted as a whole is without its quotes. */
enum ctx_shell_token ctx_shell_next(struct ctx_shell *s,
	    struct ctx_shell_word *w);

/* The words of the only command in a command line. */
struct ctx_shell_command {
	struct ctx_shell_word word[CTX_SHELL_WORDS];
	size_t n;
	struct ctx_shell_word dir;	/* where it is run, or of no length */
};

/*
 * Is there only one command, perhaps after "cd DIR &&", without a pipe, a
 * redirection or an empty word?
 */
int	ctx_shell_alone(const char *command, size_t len,
	    struct ctx_shell_command *c);

/* Does the shell take a word as it is: no pattern, no substitution? */
int	ctx_shell_literal(struct ctx_shell_word w);

int	ctx_shell_is(struct ctx_shell_word w, const char *s);
int	ctx_shell_begins(struct ctx_shell_word w, const char *s);
int	ctx_shell_ends(struct ctx_shell_word w, const char *s);
int	ctx_shell_has(struct ctx_shell_word w, char c);
/* Is w one of the words in list, which are divided by spaces? */
int	ctx_shell_among(struct ctx_shell_word w, const char *list);

#endif
