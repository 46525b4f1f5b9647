/* SPDX-License-Identifier: MIT */
/* Which commands list, search or compare; see listing.h. */
#include "text/listing.h"

#include <string.h>

/* The words of a command, while they are gone through. */
struct words {
	const struct ctx_shell_command *c;
	const char *command;	/* the whole line */
	size_t i;
};

static int
is_substituted(struct ctx_shell_word v)
{
	return ctx_shell_has(v, '$') || ctx_shell_has(v, '`');
}

/* Is w[i] one word, whatever files there are?  Patterns may be in quotes. */
static int
is_safe(const struct words *w, size_t i)
{
	struct ctx_shell_word v = w->c->word[i];
	char quote = v.p > w->command ? v.p[-1] : ' ';

	if (quote == '\'')
		return 1;
	if (quote == '"')
		return !is_substituted(v);
	return ctx_shell_literal(v) ||
	    ctx_shell_among(v, "\\( \\) \\! !");
}

/* Do all letters of an option stand in known? */
static int
is_letters(struct ctx_shell_word v, const char *known)
{
	size_t i;

	if (v.len < 2 || *v.p != '-')
		return 0;
	for (i = 1; i < v.len; i++)
		if (strchr(known, v.p[i]) == NULL)
			return 0;
	return 1;
}

static int
has_letter(struct ctx_shell_word v, char c)
{
	return v.len > 1 && *v.p == '-' && v.p[1] != '-' &&
	    memchr(v.p + 1, c, v.len - 1) != NULL;
}

static void
add_root(struct ctx_listing_how *how, struct ctx_shell_word v)
{
	how->root[how->nroot++] = v;
}

/* --- searches ------------------------------------------------------------ */

/* What options of grep and rg do to the form of their output. */
struct search {
	int rg, recursive, lists, pattern, with, without, number;
};

/* Notes an option at w->i.  Returns 0 if it is not known. */
static int
search_option(struct words *w, struct search *s)
{
	struct ctx_shell_word v = w->c->word[w->i];
	const char *grep = "rRnHhiwxEFGPIslLe", *rg = "nHiwxFPsSlegutT.";

	if (is_substituted(v))
		return 0;
	if (ctx_shell_begins(v, "--include=") ||
	    ctx_shell_begins(v, "--exclude") ||
	    ctx_shell_among(v, "--color=never --no-heading --hidden "
	    "--no-ignore --fixed-strings --ignore-case --extended-regexp"))
		return 1;
	if (ctx_shell_is(v, "--line-number")) {
		s->number = 1;
		return 1;
	}
	if (!is_letters(v, s->rg ? rg : grep))
		return 0;
	s->recursive |= !s->rg && (has_letter(v, 'r') || has_letter(v, 'R'));
	s->lists |= has_letter(v, 'l') || (!s->rg && has_letter(v, 'L'));
	s->number |= has_letter(v, 'n');
	s->with |= has_letter(v, 'H');
	s->without |= !s->rg && has_letter(v, 'h');
	/* those with an argument */
	if (has_letter(v, 'e') || (s->rg && (has_letter(v, 'g') ||
	    has_letter(v, 't') || has_letter(v, 'T')))) {
		s->pattern |= has_letter(v, 'e');
		return v.len == 2 && ++w->i < w->c->n && is_safe(w, w->i);
	}
	return 1;
}

/* grep, git grep and rg. */
static int
search(struct words *w, struct search *s, struct ctx_listing_how *how)
{
	const struct ctx_shell_command *c = w->c;

	for (; w->i < c->n; w->i++) {
		if (ctx_shell_is(c->word[w->i], "--"))
			continue;
		if (*c->word[w->i].p == '-') {
			if (!search_option(w, s))
				return 0;
		} else if (!s->pattern) {
			s->pattern = 1;
			if (!is_safe(w, w->i))
				return 0;
		} else if (!ctx_shell_literal(c->word[w->i]))
			return 0;
		else
			add_root(how, c->word[w->i]);
	}
	if (!s->pattern || (!s->rg && !s->recursive && how->nroot == 0))
		return 0;
	how->form = s->lists ? CTX_LISTING_PATHS : CTX_LISTING_MATCHES;
	how->what = CTX_LISTED_FILES;
	how->numbered = s->number;
	how->named = !s->without && (s->with || s->recursive || s->rg ||
	    how->nroot > 1);
	how->unnamed = !how->named || (s->rg && how->nroot == 1 &&
	    s->number && !s->with);
	return 1;
}

/* --- lists --------------------------------------------------------------- */

static int
find(struct words *w, struct ctx_listing_how *how)
{
	const struct ctx_shell_word *v = w->c->word;
	struct ctx_shell_word type = { "", 0 };
	size_t n = w->c->n, tests = 0;

	for (; w->i < n && *v[w->i].p != '-' && *v[w->i].p != '(' &&
	    *v[w->i].p != '\\' && *v[w->i].p != '!'; w->i++) {
		if (!ctx_shell_literal(v[w->i]))
			return 0;
		add_root(how, v[w->i]);
	}
	if (how->nroot == 0)
		add_root(how, (struct ctx_shell_word){ ".", 1 });
	how->form = CTX_LISTING_PATHS;
	how->what = CTX_LISTED_PATHS;
	for (; w->i < n; w->i++) {
		if (!is_safe(w, w->i) || ctx_shell_begins(v[w->i], "-exec") ||
		    ctx_shell_begins(v[w->i], "-ok") ||
		    ctx_shell_begins(v[w->i], "-fprint") ||
		    ctx_shell_among(v[w->i], "-print0 -printf -ls -fls "
		    "-delete"))
			return 0;
		if (ctx_shell_among(v[w->i], "-o -or -not ! \\! -type"))
			tests++;
		if (ctx_shell_is(v[w->i], "-type") && w->i + 1 < n)
			type = v[w->i + 1];
	}
	/* one kind, and nothing else */
	if (tests == 1 && type.len == 1 && (*type.p == 'f' || *type.p == 'd'))
		how->what = *type.p == 'f' ? CTX_LISTED_FILES :
		    CTX_LISTED_DIRS;
	return 1;
}

static int
ls(struct words *w, struct ctx_listing_how *how)
{
	struct ctx_shell_word v;

	how->form = CTX_LISTING_LS;
	for (; w->i < w->c->n; w->i++) {
		v = w->c->word[w->i];
		if (*v.p != '-') {
			if (how->nroot > 0 || !ctx_shell_literal(v))
				return 0;
			add_root(how, v);
		} else if (ctx_shell_is(v, "--all"))
			how->all = 1;
		else if (!is_letters(v, "1aAFpRlhtrSUvkn") &&
		    !ctx_shell_among(v, "--color=never --almost-all"))
			return 0;
		how->all |= has_letter(v, 'a');
		how->dirs |= has_letter(v, 'F') || has_letter(v, 'p');
		how->deep |= has_letter(v, 'R');
		how->wide |= has_letter(v, 'l') || has_letter(v, 'n');
	}
	if (how->nroot == 0)
		add_root(how, (struct ctx_shell_word){ ".", 1 });
	return 1;
}

static int
tree(struct words *w, struct ctx_listing_how *how)
{
	struct ctx_shell_word v;

	how->form = CTX_LISTING_TREE;
	for (; w->i < w->c->n; w->i++) {
		v = w->c->word[w->i];
		if (ctx_shell_among(v, "-L -I -P")) {
			if (++w->i == w->c->n || !is_safe(w, w->i))
				return 0;
		} else if (!is_letters(v, "adfF") && !ctx_shell_is(v,
		    "--gitignore") && (*v.p == '-' || !ctx_shell_literal(v)))
			return 0;
	}
	return 1;
}

/* --- git ----------------------------------------------------------------- */

static int
git_diff(struct words *w, struct ctx_listing_how *how)
{
	struct ctx_shell_word v;

	how->form = CTX_LISTING_DIFF;
	for (; w->i < w->c->n; w->i++) {
		v = w->c->word[w->i];
		if (ctx_shell_is(v, "--stat"))
			how->form = CTX_LISTING_STAT;
		else if (ctx_shell_is(v, "--name-only"))
			how->form = CTX_LISTING_PATHS;
		else if (!is_safe(w, w->i) || (*v.p == '-' && !is_letters(v,
		    "wb") && !ctx_shell_among(v, "-- --cached --staged "
		    "--no-color") && !ctx_shell_begins(v, "-U")))
			return 0;
	}
	how->what = CTX_LISTED_FILES;
	return 1;
}

static int
git_log(struct words *w, struct ctx_listing_how *how)
{
	struct ctx_shell_word v;

	how->form = CTX_LISTING_LOG;
	for (; w->i < w->c->n; w->i++) {
		v = w->c->word[w->i];
		if (ctx_shell_is(v, "--oneline"))
			how->form = CTX_LISTING_ONELINE;
		else if (ctx_shell_is(v, "-n") && w->i + 1 < w->c->n &&
		    ctx_shell_literal(w->c->word[w->i + 1]))
			w->i++;
		else if (!is_safe(w, w->i) || (*v.p == '-' && !is_letters(v,
		    "0123456789") && !ctx_shell_among(v, "-- --no-color "
		    "--all --no-merges --merges --reverse --follow") &&
		    !ctx_shell_begins(v, "--max-count=") &&
		    !ctx_shell_begins(v, "--since=") &&
		    !ctx_shell_begins(v, "--author=") &&
		    !ctx_shell_begins(v, "--grep=")))
			return 0;
	}
	return 1;
}

static int
git_status(struct words *w, struct ctx_listing_how *how)
{
	struct ctx_shell_word v;

	how->form = CTX_LISTING_STATUS;
	for (; w->i < w->c->n; w->i++) {
		v = w->c->word[w->i];
		if (ctx_shell_among(v, "-s --short --porcelain -sb"))
			how->form = CTX_LISTING_SHORT;
		else if (*v.p == '-' ? !ctx_shell_among(v, "-- -u -b "
		    "--branch -uall --untracked-files") :
		    !ctx_shell_literal(v))
			return 0;
	}
	return 1;
}

static int
git(struct words *w, struct ctx_listing_how *how)
{
	const struct ctx_shell_word *v = w->c->word;
	struct search s = { .recursive = 1 };

	w->i = 2;
	if (w->c->n < 2)
		return 0;
	if (ctx_shell_is(v[1], "diff"))
		return git_diff(w, how);
	if (ctx_shell_is(v[1], "log"))
		return git_log(w, how);
	if (ctx_shell_is(v[1], "status"))
		return git_status(w, how);
	if (ctx_shell_is(v[1], "grep"))
		return search(w, &s, how);
	if (!ctx_shell_is(v[1], "ls-files") || w->c->n > 3 ||
	    (w->c->n == 3 && !ctx_shell_literal(v[2])) ||
	    (w->c->n == 3 && *v[2].p == '-'))
		return 0;
	how->form = CTX_LISTING_PATHS;
	how->what = CTX_LISTED_FILES;
	return 1;
}

int
ctx_listing_command(const char *command, size_t len,
    struct ctx_listing_how *how)
{
	struct ctx_shell_command c;
	struct words w = { &c, command, 1 };
	struct search s = { 0 };

	memset(how, 0, sizeof(*how));
	if (!ctx_shell_alone(command, len, &c))
		return 0;
	s.rg = ctx_shell_is(c.word[0], "rg");
	if (s.rg && c.n > 1 && ctx_shell_is(c.word[1], "--files")) {
		how->form = CTX_LISTING_PATHS;
		how->what = CTX_LISTED_FILES;
		return c.n == 2;
	}
	return s.rg || ctx_shell_among(c.word[0], "grep egrep fgrep") ?
	    search(&w, &s, how) :
	    ctx_shell_is(c.word[0], "find") ? find(&w, how) :
	    ctx_shell_is(c.word[0], "ls") ? ls(&w, how) :
	    ctx_shell_is(c.word[0], "tree") ? tree(&w, how) :
	    ctx_shell_is(c.word[0], "git") && git(&w, how);
}
