/* SPDX-License-Identifier: MIT */
/* What kind of output a shell's command line has; see command.h. */
#include "text/command.h"

#include <string.h>

#define WORDS	16	/* of a command that are looked at */
#define DEPTH	3	/* of sh -c in sh -c */

/* What a command can be beside an enum ctx_command. */
#define SILENT	(-1)	/* it prints nothing that matters */

struct word {
	const char *p;
	size_t len;
};

struct scan {
	const char *p, *end;
};

enum token { END, WORD, REDIRECT, PIPE, SEPARATOR, HERE };

/* --- words --------------------------------------------------------------- */

static int
is(struct word w, const char *s)
{
	return w.len == strlen(s) && memcmp(w.p, s, w.len) == 0;
}

static int
begins(struct word w, const char *s)
{
	size_t n = strlen(s);

	return w.len >= n && memcmp(w.p, s, n) == 0;
}

static int
ends(struct word w, const char *s)
{
	size_t n = strlen(s);

	return w.len >= n && memcmp(w.p + w.len - n, s, n) == 0;
}

static int
has(struct word w, char c)
{
	return memchr(w.p, c, w.len) != NULL;
}

/* Is w one of the words in list, which are divided by spaces? */
static int
among(struct word w, const char *list)
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
skip(struct scan *s)
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

static enum token
redirect(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && strchr("<>&|", *s->p) != NULL && *s->p != '\0')
		s->p++;
	if (s->p - from == 2 && from[0] == '<' && from[1] == '<')
		return HERE;
	if (s->p < s->end && *s->p == '(')
		s->p = quoted_end(s->p, s->end);
	skip(s);
	s->p = word_end(s->p, s->end);
	return REDIRECT;
}

static enum token
operator(struct scan *s)
{
	char c = *s->p++;
	int twice = s->p < s->end && *s->p == c;

	if (c == '&' && s->p < s->end && *s->p == '>')
		return redirect(s);
	if (twice && (c == '|' || c == '&'))
		s->p++;
	if (c != '|' || twice)
		return SEPARATOR;
	if (s->p < s->end && *s->p == '&')
		s->p++;
	return PIPE;
}

/* The next token; a word that is quoted as a whole is without its quotes. */
static enum token
next(struct scan *s, struct word *w)
{
	size_t n;

	skip(s);
	if (s->p >= s->end)
		return END;
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
	return WORD;
}

/* --- commands that run others -------------------------------------------- */

static const struct wrapper {
	const char *name;
	const char *sub;	/* subcommands that run one; NULL: itself does */
	const char *with;	/* letters of options with an argument */
	int skip;		/* operands before the command */
} wrappers[] = {
	{ "sudo", NULL, "ugpCDRTh", 0 },
	{ "doas", NULL, "u", 0 },
	{ "env", NULL, "uCS", 0 },
	{ "timeout", NULL, "ks", 1 },
	{ "gtimeout", NULL, "ks", 1 },
	{ "time", NULL, "fo", 0 },
	{ "nice", NULL, "n", 0 },
	{ "ionice", NULL, "cn", 0 },
	{ "nohup", NULL, "", 0 },
	{ "stdbuf", NULL, "ioe", 0 },
	{ "unbuffer", NULL, "", 0 },
	{ "command", NULL, "", 0 },
	{ "exec", NULL, "", 0 },
	{ "xvfb-run", NULL, "ns", 0 },
	{ "npx", NULL, "p", 0 },
	{ "bunx", NULL, "", 0 },
	{ "uvx", NULL, "", 0 },
	{ "dotenv", NULL, "e", 0 },
	{ "cross-env", NULL, "", 0 },
	{ "npm", "exec x", "", 0 },
	{ "pnpm", "exec dlx", "", 0 },
	{ "yarn", "exec dlx", "", 0 },
	{ "bun", "x", "", 0 },
	{ "bundle", "exec", "", 0 },
	{ "poetry", "run", "", 0 },
	{ "pipenv", "run", "", 0 },
	{ "uv", "run", "p", 0 },
	{ "pdm", "run", "", 0 },
	{ "hatch", "run", "", 0 },
	{ "rye", "run", "", 0 },
	{ "then", NULL, "", 0 },
	{ "else", NULL, "", 0 },
	{ "do", NULL, "", 0 },
	{ "if", NULL, "", 0 },
	{ "while", NULL, "", 0 },
	{ "until", NULL, "", 0 },
	{ "!", NULL, "", 0 },
	{ "{", NULL, "", 0 },
};

static struct word
base(struct word w)
{
	size_t i;

	for (i = w.len; i > 0 && w.p[i - 1] != '/'; i--)
		;
	return (struct word){ w.p + i, w.len - i };
}

static int
is_assignment(struct word w)
{
	size_t i;

	for (i = 0; i < w.len && (w.p[i] == '_' ||
	    (w.p[i] >= 'A' && w.p[i] <= 'Z') ||
	    (w.p[i] >= 'a' && w.p[i] <= 'z') ||
	    (i > 0 && w.p[i] >= '0' && w.p[i] <= '9')); i++)
		;
	return i > 0 && i < w.len && w.p[i] == '=';
}

/* The first word from i on that is no option. */
static size_t
operand(const struct word *w, size_t n, size_t i, const char *with)
{
	while (i < n && w[i].len > 0 && w[i].p[0] == '-') {
		if (w[i].len == 2 && w[i].p[1] != '-' &&
		    strchr(with, w[i].p[1]) != NULL)
			i++;
		i++;
	}
	return i < n ? i : n;
}

/* Is w a program's name, or that with a version? */
static int
is_program(struct word w, const char *name)
{
	size_t n = strlen(name);

	if (!begins(w, name))
		return 0;
	for (; n < w.len; n++)
		if ((w.p[n] < '0' || w.p[n] > '9') && w.p[n] != '.' &&
		    w.p[n] != '-')
			return 0;
	return 1;
}

/* Where the command begins that the one at i runs; i if it runs none. */
static size_t
unwrap(const struct word *w, size_t n, size_t i)
{
	const struct wrapper *v = wrappers;
	struct word name = base(w[i]);
	size_t k;

	for (; v < wrappers + sizeof(wrappers) / sizeof(wrappers[0]); v++) {
		if (!is(name, v->name))
			continue;
		k = operand(w, n, i + 1, v->with);
		if (v->sub != NULL) {
			if (k >= n || !among(w[k], v->sub))
				continue;
			k = operand(w, n, k + 1, v->with);
		}
		return k + (size_t)v->skip < n ? k + (size_t)v->skip : n;
	}
	if (is_program(name, "python") || is(name, "py"))
		for (k = i + 1; k + 1 < n && w[k].p[0] == '-'; k++) {
			if (is(w[k], "-m"))
				return k + 1;
			k += among(w[k], "-X -W");
		}
	return i;
}

/* --- which command it is ------------------------------------------------- */

static const struct rule {
	const char *name;	/* programs */
	const char *sub;	/* and their first operands; NULL: any */
	int kind;
} rules[] = {
	{ "cd export set unset source . true : pwd mkdir sleep rm cp mv touch "
	    "echo printf wait chmod pushd popd alias ulimit trap kill done fi "
	    "for case esac exit local umask ln", NULL, SILENT },
	{ "pytest py.test unittest tox nox", NULL, CTX_COMMAND_PYTEST },
	{ "jest vitest mocha", NULL, CTX_COMMAND_JEST },
	{ "npm pnpm yarn bun deno", "test t tst test:unit test:ci "
	    "test:coverage jest vitest mocha", CTX_COMMAND_JEST },
	{ "npm pnpm yarn bun", "lint eslint tsc typecheck type-check",
	    CTX_COMMAND_CHECK },
	{ "npm pnpm yarn bun", "install ci i add update upgrade remove "
	    "uninstall rm audit outdated dedupe prune", CTX_COMMAND_PACKAGE },
	{ "go", "test build vet install generate", CTX_COMMAND_GO },
	{ "go", "get mod", CTX_COMMAND_PACKAGE },
	{ "cargo", "test t build b check c clippy run r bench doc nextest fix "
	    "install rustc", CTX_COMMAND_CARGO },
	{ "rustc", NULL, CTX_COMMAND_CARGO },
	{ "make gmake ninja cmake ctest meson cc c++ gcc g++ clang clang++ tcc "
	    "ld ar", NULL, CTX_COMMAND_BUILD },
	{ "mix", "test compile deps.get", CTX_COMMAND_MIX },
	{ "pip pip2 pip3 poetry pipenv composer gem bundle conda mamba brew "
	    "apt apt-get aptitude apk dnf yum pacman zypper",
	    "install download uninstall wheel sync add update upgrade remove "
	    "purge dist-upgrade full-upgrade autoremove lock -S -Sy -Syu",
	    CTX_COMMAND_PACKAGE },
	{ "uv", "pip sync add lock remove", CTX_COMMAND_PACKAGE },
	{ "git", "status", CTX_COMMAND_STATUS },
	{ "git", "diff show format-patch", CTX_COMMAND_DIFF },
	{ "git", "log reflog shortlog", CTX_COMMAND_LOG },
	{ "git", "grep", CTX_COMMAND_GREP },
	{ "git", "ls-files ls-tree branch tag", CTX_COMMAND_LIST },
	{ "git", "blame cat-file", CTX_COMMAND_FILE },
	{ "git", "add config switch checkout", SILENT },
	{ "diff colordiff", NULL, CTX_COMMAND_DIFF },
	{ "ls dir find tree fd fdfind du wc stat file which locate", NULL,
	    CTX_COMMAND_LIST },
	{ "grep egrep fgrep zgrep rg ag ack", NULL, CTX_COMMAND_GREP },
	{ "cat bat batcat head tail less more nl tac sed strings xxd hexdump "
	    "od jq", NULL, CTX_COMMAND_FILE },
	{ "docker podman", "build buildx", CTX_COMMAND_DOCKER },
	{ "tsc vue-tsc eslint biome prettier stylelint ruff flake8 pylint mypy "
	    "pyright shellcheck golangci-lint", NULL, CTX_COMMAND_CHECK },
};

static int
any_option(const struct word *w, size_t n, const char *list)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (among(w[i], list))
			return 1;
	return 0;
}

/* Is one of the files a log, which has any program's output in it? */
static int
reads_log(const struct word *w, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (w[i].p[0] != '-' && (ends(w[i], ".log") ||
		    ends(w[i], ".out") || ends(w[i], ".output") ||
		    begins(w[i], "/var/log/")))
			return 1;
	return 0;
}

/* What the options and operands say that the first ones did not. */
static int
refine(const struct word *w, size_t n, int kind)
{
	size_t i;

	if (kind == CTX_COMMAND_LOG && any_option(w, n, "-p -u --patch"))
		return CTX_COMMAND_DIFF;
	if (kind == CTX_COMMAND_DIFF && any_option(w, n, "--name-only "
	    "--name-status --stat --shortstat --numstat"))
		return CTX_COMMAND_LIST;
	if (is(base(w[0]), "git") && any_option(w, n, "show"))
		for (i = 2; i < n; i++)
			if (w[i].p[0] != '-' && has(w[i], ':'))
				return CTX_COMMAND_FILE;
	if (kind == CTX_COMMAND_FILE && is(base(w[0]), "sed") &&
	    any_option(w, n, "-i"))
		return SILENT;
	if (kind == CTX_COMMAND_FILE && reads_log(w, n))
		return CTX_COMMAND_UNKNOWN;
	return kind;
}

/* Does the program name w stand in a list: gcc, gcc-12, arm-linux-gcc? */
static int
is_named(struct word w, const char *list)
{
	if (among(w, list))
		return 1;
	while (w.len > 1 && (w.p[w.len - 1] == '.' || w.p[w.len - 1] == '-' ||
	    (w.p[w.len - 1] >= '0' && w.p[w.len - 1] <= '9')))
		w.len--;
	if (ends(w, "-gcc") || ends(w, "-g++"))
		w = (struct word){ w.p + w.len - 3, 3 };
	return among(w, list);
}

static int kind_of(const char *command, size_t len, int depth);

/* The kind of one command: an enum ctx_command, or SILENT. */
static int
simple(const struct word *w, size_t n, int depth)
{
	const struct rule *r = rules;
	struct word name, sub = { "", 0 };
	size_t i = 0, k, was;

	do {
		for (was = i; i < n && is_assignment(w[i]); i++)
			;
		if (i < n)
			i = unwrap(w, n, i);
	} while (i < n && i != was);
	if (i >= n)
		return SILENT;
	name = base(w[i]);
	if (among(name, "sh bash zsh dash"))
		for (k = i + 1; k + 1 < n && w[k].p[0] == '-'; k++)
			if (w[k].p[w[k].len - 1] == 'c')
				return depth < DEPTH ? kind_of(w[k + 1].p,
				    w[k + 1].len, depth + 1) :
				    CTX_COMMAND_UNKNOWN;
	k = operand(w, n, i + 1, is(name, "git") ? "Cc" : "");
	if (k < n && among(w[k], "run run-script compose") && k + 1 < n &&
	    !is(name, "cargo") && !is(name, "go"))
		k = operand(w, n, k + 1, "f");
	if (k < n)
		sub = w[k];
	for (; r < rules + sizeof(rules) / sizeof(rules[0]); r++)
		if (is_named(name, r->name) &&
		    (r->sub == NULL || among(sub, r->sub)))
			return refine(w + i, n - i, r->kind);
	return CTX_COMMAND_UNKNOWN;
}

/* --- several commands ---------------------------------------------------- */

/* Only lists, or shows what is in files? */
static int
shows(int kind)
{
	return kind == CTX_COMMAND_LIST || kind == CTX_COMMAND_GREP ||
	    kind == CTX_COMMAND_FILE;
}

/* What comes out of a filter that gets output of a kind. */
static int
filtered(int kind, const struct word *w, size_t n)
{
	struct word name = n > 0 ? base(w[0]) : (struct word){ "", 0 };

	if (among(name, "head tail cat tee less more grep egrep fgrep rg "
	    "ctx-clean"))
		return kind;
	if (shows(kind) && among(name, "sort uniq cut sed awk tr column jq nl"))
		return CTX_COMMAND_FILE;
	return among(name, "wc") ? CTX_COMMAND_LIST : CTX_COMMAND_UNKNOWN;
}

/* What two commands print, one after the other. */
static int
both(int a, int b)
{
	if (a == SILENT || a == b)
		return b;
	if (b == SILENT)
		return a;
	return shows(a) && shows(b) ? CTX_COMMAND_FILE : CTX_COMMAND_UNKNOWN;
}

static int
kind_of(const char *command, size_t len, int depth)
{
	struct scan s = { command, command + len };
	struct word w[WORDS], word = { "", 0 };
	enum token t, before = SEPARATOR;
	int all = SILENT, one = SILENT;
	size_t n = 0;

	do {
		t = next(&s, &word);
		if (t == HERE)
			return CTX_COMMAND_UNKNOWN;
		if (t == WORD && n < WORDS && word.len > 0)
			w[n++] = word;
		if (t == WORD || t == REDIRECT ||
		    (n == 0 && before == PIPE && t == SEPARATOR))
			continue;
		one = before == PIPE ? filtered(one, w, n) :
		    simple(w, n, depth);
		if (t != PIPE)
			all = both(all, one);
		before = t;
		n = 0;
	} while (t != END);
	return all;
}

enum ctx_command
ctx_command_kind(const char *command, size_t len)
{
	int kind = kind_of(command, len, 0);

	return kind == SILENT ? CTX_COMMAND_UNKNOWN : (enum ctx_command)kind;
}

/* --- files that are printed ---------------------------------------------- */

/* Does the shell take a word as it is? */
static int
is_literal(struct word w)
{
	size_t i;

	for (i = 0; i < w.len; i++)
		if (strchr("*?[]{}$`\\'\"", w.p[i]) != NULL)
			return 0;
	return w.len > 0;
}

/* The digits at the start of w, which they leave; 0 if there are none. */
static uint64_t
count_of(struct word *w)
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

/* -n N, -nN, -N, --lines=N, and with plus only +N; *i is the first of them. */
static uint64_t
count_option(const struct word *w, size_t n, size_t *i, int plus)
{
	struct word v = w[*i];
	uint64_t count;
	size_t skip = begins(v, "-n") ? 2 : begins(v, "--lines=") ? 8 : 1;

	v.p += skip;
	v.len -= skip;
	if (v.len == 0 && skip == 2 && *i + 1 < n)
		v = w[++*i];
	if (plus && v.len > 0 && *v.p == '+') {
		v.p++;
		v.len--;
	} else if (plus)
		return 0;
	count = count_of(&v);
	++*i;
	return v.len == 0 ? count : 0;
}

/* Which lines sed -n SCRIPT prints: Np, N,Mp. */
static int
sed_lines(struct word v, struct ctx_command_file *f)
{
	f->from = f->to = count_of(&v);
	if (v.len > 0 && *v.p == ',') {
		v.p++;
		v.len--;
		f->to = count_of(&v);
	}
	return f->from > 0 && f->to >= f->from && is(v, "p");
}

/* The word that names the file which w[0 .. n) prints; n if it does not. */
static size_t
file_word(const struct word *w, size_t n, struct ctx_command_file *f)
{
	size_t i = 1;

	if (among(w[0], "cat bat batcat nl")) {
		for (; i < n && among(w[i], is(w[0], "nl") ? "-ba" :
		    is(w[0], "cat") ? "-n --" : "-p -pp -n --plain "
		    "--style=plain --paging=never --color=never"); i++)
			;
		return is(w[0], "nl") && i == 1 ? n : i;
	}
	if (is(w[0], "head") && n > 1) {
		f->to = *w[1].p == '-' ? count_option(w, n, &i, 0) : 10;
		return f->to > 0 ? i : n;
	}
	if (is(w[0], "tail") && n > 1 && *w[1].p == '-') {
		f->from = count_option(w, n, &i, 1);
		return f->from > 0 ? i : n;
	}
	if (is(w[0], "sed") && n == 4 && is(w[1], "-n") && sed_lines(w[2], f))
		return 3;
	if (is(w[0], "git") && n == 3 && is(w[1], "show") && has(w[2], ':') &&
	    w[2].p[w[2].len - 1] != ':')
		return 2;
	return n;
}

/* The words of the next command.  Returns what ends it, or HERE. */
static enum token
words_of(struct scan *s, struct word *w, size_t *n)
{
	struct word word = { "", 0 };
	enum token t;

	for (*n = 0; (t = next(s, &word)) == WORD; w[(*n)++] = word)
		if (*n == WORDS || word.len == 0)
			return HERE;
	return t;
}

int
ctx_command_file(const char *command, size_t len, struct ctx_command_file *f)
{
	struct scan s = { command, command + len };
	struct word w[WORDS];
	size_t n, i;
	enum token t = words_of(&s, w, &n);

	memset(f, 0, sizeof(*f));
	if (t == SEPARATOR && n == 2 && is(w[0], "cd") && is_literal(w[1]) &&
	    s.p - command > 2 && memcmp(s.p - 2, "&&", 2) == 0) {
		f->dir = w[1].p;
		f->dirlen = w[1].len;
		t = words_of(&s, w, &n);
	}
	if (t != END || n < 2 || (i = file_word(w, n, f)) + 1 != n ||
	    !is_literal(w[i]) || *w[i].p == '-')
		return 0;
	f->path = w[i].p;
	f->len = w[i].len;
	return 1;
}
