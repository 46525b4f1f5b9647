/* SPDX-License-Identifier: MIT */
/* The file that a shell's command prints; see command.h. */
#include "text/command.h"

#include <string.h>

#include "text/shell.h"

/* The digits at the start of w, which they leave; 0 if there are none. */
static uint64_t
count_of(struct ctx_shell_word *w)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < w->len && i < 9 && w->p[i] >= '0' && w->p[i] <= '9';
	    i++)
		n = n * 10 + (uint64_t)(w->p[i] - '0');
	w->p += i;
	w->len -= i;
	return n;
}

/*
 * -n N, -nN, -N, --lines=N; *i is the first of them.  *plus says whether it is
 * +N.  Returns 0 if it is none.
 */
static uint64_t
count_option(const struct ctx_shell_command *c, size_t *i, int *plus)
{
	struct ctx_shell_word v = c->word[*i];
	uint64_t count;
	size_t skip = ctx_shell_begins(v, "--lines=") ? 8 :
	    ctx_shell_begins(v, "-n") ? 2 : 1;

	v.p += skip;
	v.len -= skip;
	if (v.len == 0 && skip == 2 && *i + 1 < c->n)
		v = c->word[++*i];
	*plus = v.len > 0 && *v.p == '+';
	v.p += *plus;
	v.len -= (size_t)*plus;
	count = count_of(&v);
	++*i;
	return v.len == 0 ? count : 0;
}

/* Which lines sed -n SCRIPT prints: Np, N,Mp. */
static int
sed_lines(struct ctx_shell_word v, struct ctx_command_file *f)
{
	f->from = f->to = count_of(&v);
	if (v.len > 0 && *v.p == ',') {
		v.p++;
		v.len--;
		f->to = count_of(&v);
	}
	return f->from > 0 && f->to >= f->from && ctx_shell_is(v, "p");
}

/* The word that names the file which head or tail prints; n if none does. */
static size_t
end_word(const struct ctx_shell_command *c, int tail,
    struct ctx_command_file *f)
{
	uint64_t count = 10;
	size_t i = 1;
	int plus = 0;

	if (*c->word[1].p == '-')
		count = count_option(c, &i, &plus);
	if (count == 0 || (plus && !tail))
		return c->n;
	if (plus)
		f->from = count;
	else if (tail)
		f->last = count;
	else
		f->to = count;
	return i;
}

/* The word that names the file which a command prints; n if none does. */
static size_t
file_word(const struct ctx_shell_command *c, struct ctx_command_file *f)
{
	const struct ctx_shell_word *w = c->word;
	size_t i = 1, n = c->n;
	int nl = ctx_shell_is(w[0], "nl");

	if (nl || ctx_shell_among(w[0], "cat bat batcat")) {
		for (; i < n && ctx_shell_among(w[i], nl ? "-ba" :
		    ctx_shell_is(w[0], "cat") ? "-n --" : "-p -pp -n --plain "
		    "--style=plain --paging=never --color=never"); i++)
			f->numbered |= nl || ctx_shell_is(w[i], "-n");
		return nl && i == 1 ? n : i;
	}
	if (ctx_shell_among(w[0], "head tail"))
		return end_word(c, ctx_shell_is(w[0], "tail"), f);
	if (ctx_shell_is(w[0], "sed") && n == 4 && ctx_shell_is(w[1], "-n") &&
	    sed_lines(w[2], f))
		return 3;
	if (ctx_shell_is(w[0], "git") && n == 3 && ctx_shell_is(w[1], "show") &&
	    ctx_shell_has(w[2], ':') && !ctx_shell_ends(w[2], ":"))
		return 2;
	return n;
}

int
ctx_command_file(const char *command, size_t len, struct ctx_command_file *f)
{
	struct ctx_shell_command c;
	size_t i;

	memset(f, 0, sizeof(*f));
	if (!ctx_shell_alone(command, len, &c) || c.n < 2 ||
	    (i = file_word(&c, f)) + 1 != c.n ||
	    !ctx_shell_literal(c.word[i]) || *c.word[i].p == '-')
		return 0;
	f->dir = c.dir.len > 0 ? c.dir.p : NULL;
	f->dirlen = c.dir.len;
	f->path = c.word[i].p;
	f->len = c.word[i].len;
	return 1;
}
