/* SPDX-License-Identifier: MIT */
/* A shell's command line as words; see shell.h. */
#include "text/shell.h"

#include <string.h>

/* --- words --------------------------------------------------------------- */

int
ctx_shell_is(struct ctx_shell_word w, const char *s)
{
	return w.len == strlen(s) && memcmp(w.p, s, w.len) == 0;
}

int
ctx_shell_begins(struct ctx_shell_word w, const char *s)
{
	size_t n = strlen(s);

	return w.len >= n && memcmp(w.p, s, n) == 0;
}

int
ctx_shell_ends(struct ctx_shell_word w, const char *s)
{
	size_t n = strlen(s);

	return w.len >= n && memcmp(w.p + w.len - n, s, n) == 0;
}

int
ctx_shell_has(struct ctx_shell_word w, char c)
{
	return memchr(w.p, c, w.len) != NULL;
}

int
ctx_shell_among(struct ctx_shell_word w, const char *list)
{
	const char *space;

	for (; list != NULL; list = space != NULL ? space + 1 : NULL) {
		space = strchr(list, ' ');
		if (w.len == (space != NULL ? (size_t)(space - list) :
		    strlen(list)) && memcmp(w.p, list, w.len) == 0)
			return 1;
	}
	return 0;
}

/* --- the shell's grammar, as far as it is needed ------------------------- */

/* After the quotation or the substitution that begins at p. */
static const char *
quoted_end(const char *p, const char *end)
{
	char close = *p == '(' ? ')' : *p;
	size_t depth = 0;

	for (p++; p < end; p++) {
		if (*p == '\\' && close != '\'' && p + 1 < end)
			p++;
		else if (close == ')' && *p == '(')
			depth++;
		else if (*p == close && depth-- == 0)
			return p + 1;
	}
	return end;
}

static int
is_operator(char c)
{
	return strchr("|;&()\n", c) != NULL && c != '\0';
}

/* After the word that begins at p. */
static const char *
word_end(const char *p, const char *end)
{
	for (; p < end && *p != ' ' && *p != '\t' && *p != '<' && *p != '>' &&
	    !is_operator(*p); p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '\'' || *p == '"' || *p == '`')
			p = quoted_end(p, end) - 1;
		else if (*p == '$' && p + 1 < end && p[1] == '(')
			p = quoted_end(p + 1, end) - 1;
	}
	return p;
}

/* Skip what divides words, and comments. */
static void
skip(struct ctx_shell *s)
{
	const char *nl;

	for (; s->p < s->end; s->p++) {
		if (*s->p == '\\' && s->p + 1 < s->end && s->p[1] == '\n') {
			s->p++;
		} else if (*s->p == '#') {
			nl = memchr(s->p, '\n', (size_t)(s->end - s->p));
			s->p = nl != NULL ? nl : s->end;
			return;
		} else if (*s->p != ' ' && *s->p != '\t' && *s->p != '\r') {
			return;
		}
	}
}

static enum ctx_shell_token
redirect(struct ctx_shell *s)
{
	const char *from = s->p;

	while (s->p < s->end && strchr("<>&|", *s->p) != NULL && *s->p != '\0')
		s->p++;
	if (s->p - from == 2 && from[0] == '<' && from[1] == '<')
		return CTX_SHELL_HERE;
	if (s->p < s->end && *s->p == '(')
		s->p = quoted_end(s->p, s->end);
	skip(s);
	s->p = word_end(s->p, s->end);
	return CTX_SHELL_REDIRECT;
}

static enum ctx_shell_token
operator(struct ctx_shell *s)
{
	char c = *s->p++;
	int twice = s->p < s->end && *s->p == c;

	if (c == '&' && s->p < s->end && *s->p == '>')
		return redirect(s);
	if (twice && (c == '|' || c == '&'))
		s->p++;
	if (c != '|' || twice)
		return CTX_SHELL_SEPARATOR;
	if (s->p < s->end && *s->p == '&')
		s->p++;
	return CTX_SHELL_PIPE;
}

enum ctx_shell_token
ctx_shell_next(struct ctx_shell *s, struct ctx_shell_word *w)
{
	size_t n;

	skip(s);
	if (s->p >= s->end)
		return CTX_SHELL_END;
	if (*s->p == '<' || *s->p == '>')
		return redirect(s);
	if (is_operator(*s->p))
		return operator(s);
	w->p = s->p;
	s->p = word_end(s->p, s->end);
	w->len = (size_t)(s->p - w->p);
	for (n = 0; n < w->len && w->p[n] >= '0' && w->p[n] <= '9'; n++)
		;
	if (n == w->len && s->p < s->end && (*s->p == '<' || *s->p == '>'))
		return redirect(s);
	if (w->len >= 2 && (*w->p == '\'' || *w->p == '"') &&
	    quoted_end(w->p, s->p) == s->p && s->p[-1] == *w->p) {
		w->p++;
		w->len -= 2;
	}
	return CTX_SHELL_WORD;
}

/* --- one command --------------------------------------------------------- */

int
ctx_shell_literal(struct ctx_shell_word w)
{
	size_t i;

	for (i = 0; i < w.len; i++)
		if (strchr("*?[]{}$`\\'\"", w.p[i]) != NULL)
			return 0;
	return w.len > 0;
}

/* The words of the next command.  Returns what ends it, or CTX_SHELL_HERE. */
static enum ctx_shell_token
words_of(struct ctx_shell *s, struct ctx_shell_command *c)
{
	struct ctx_shell_word word = { "", 0 };
	enum ctx_shell_token t;

	c->n = 0;
	while ((t = ctx_shell_next(s, &word)) == CTX_SHELL_WORD) {
		if (c->n == CTX_SHELL_WORDS || word.len == 0)
			return CTX_SHELL_HERE;
		c->word[c->n++] = word;
	}
	return t;
}

int
ctx_shell_alone(const char *command, size_t len, struct ctx_shell_command *c)
{
	struct ctx_shell s = { command, command + len };
	enum ctx_shell_token t = words_of(&s, c);

	memset(&c->dir, 0, sizeof(c->dir));
	if (t == CTX_SHELL_SEPARATOR && c->n == 2 &&
	    ctx_shell_is(c->word[0], "cd") && ctx_shell_literal(c->word[1]) &&
	    s.p - command > 2 && memcmp(s.p - 2, "&&", 2) == 0) {
		c->dir = c->word[1];
		t = words_of(&s, c);
	}
	return t == CTX_SHELL_END && c->n > 0;
}
