/* SPDX-License-Identifier: MIT */
/* What kind of output a shell's command line has; see command.h. */
#include "text/command.h"

#include <string.h>

#include "text/shell.h"

#define DEPTH	3	/* of sh -c in sh -c */

/* What a command can be beside an enum ctx_command. */
#define SILENT	(-1)	/* it prints nothing that matters */

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

static struct ctx_shell_word
base(struct ctx_shell_word w)
{
	size_t i;

	for (i = w.len; i > 0 && w.p[i - 1] != '/'; i--)
		;
	return (struct ctx_shell_word){ w.p + i, w.len - i };
}

static int
is_assignment(struct ctx_shell_word w)
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
operand(const struct ctx_shell_word *w, size_t n, size_t i, const char *with)
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
is_program(struct ctx_shell_word w, const char *name)
{
	size_t n = strlen(name);

	if (!ctx_shell_begins(w, name))
		return 0;
	for (; n < w.len; n++)
		if ((w.p[n] < '0' || w.p[n] > '9') && w.p[n] != '.' &&
		    w.p[n] != '-')
			return 0;
	return 1;
}

/* Where the command begins that the one at i runs; i if it runs none. */
static size_t
unwrap(const struct ctx_shell_word *w, size_t n, size_t i)
{
	const struct wrapper *v = wrappers;
	struct ctx_shell_word name = base(w[i]);
	size_t k;

	for (; v < wrappers + sizeof(wrappers) / sizeof(wrappers[0]); v++) {
		if (!ctx_shell_is(name, v->name))
			continue;
		k = operand(w, n, i + 1, v->with);
		if (v->sub != NULL) {
			if (k >= n || !ctx_shell_among(w[k], v->sub))
				continue;
			k = operand(w, n, k + 1, v->with);
		}
		return k + (size_t)v->skip < n ? k + (size_t)v->skip : n;
	}
	if (is_program(name, "python") || ctx_shell_is(name, "py"))
		for (k = i + 1; k + 1 < n && w[k].p[0] == '-'; k++) {
			if (ctx_shell_is(w[k], "-m"))
				return k + 1;
			k += ctx_shell_among(w[k], "-X -W");
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
any_option(const struct ctx_shell_word *w, size_t n, const char *list)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (ctx_shell_among(w[i], list))
			return 1;
	return 0;
}

/* Is one of the files a log, which has any program's output in it? */
static int
reads_log(const struct ctx_shell_word *w, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (w[i].p[0] != '-' && (ctx_shell_ends(w[i], ".log") ||
		    ctx_shell_ends(w[i], ".out") ||
		    ctx_shell_ends(w[i], ".output") ||
		    ctx_shell_begins(w[i], "/var/log/")))
			return 1;
	return 0;
}

/* What the options and operands say that the first ones did not. */
static int
refine(const struct ctx_shell_word *w, size_t n, int kind)
{
	size_t i;

	if (kind == CTX_COMMAND_LOG && any_option(w, n, "-p -u --patch"))
		return CTX_COMMAND_DIFF;
	if (kind == CTX_COMMAND_DIFF && any_option(w, n, "--name-only "
	    "--name-status --stat --shortstat --numstat"))
		return CTX_COMMAND_LIST;
	if (ctx_shell_is(base(w[0]), "git") && any_option(w, n, "show"))
		for (i = 2; i < n; i++)
			if (w[i].p[0] != '-' && ctx_shell_has(w[i], ':'))
				return CTX_COMMAND_FILE;
	if (kind == CTX_COMMAND_FILE && ctx_shell_is(base(w[0]), "sed") &&
	    any_option(w, n, "-i"))
		return SILENT;
	if (kind == CTX_COMMAND_FILE && reads_log(w, n))
		return CTX_COMMAND_UNKNOWN;
	return kind;
}

/* Does the program name w stand in a list: gcc, gcc-12, arm-linux-gcc? */
static int
is_named(struct ctx_shell_word w, const char *list)
{
	if (ctx_shell_among(w, list))
		return 1;
	while (w.len > 1 && (w.p[w.len - 1] == '.' || w.p[w.len - 1] == '-' ||
	    (w.p[w.len - 1] >= '0' && w.p[w.len - 1] <= '9')))
		w.len--;
	if (ctx_shell_ends(w, "-gcc") || ctx_shell_ends(w, "-g++"))
		w = (struct ctx_shell_word){ w.p + w.len - 3, 3 };
	return ctx_shell_among(w, list);
}

/* Where the program is that w[0 .. n) runs, behind all that runs it. */
static size_t
first_word(const struct ctx_shell_word *w, size_t n)
{
	size_t i = 0, was;

	do {
		for (was = i; i < n && is_assignment(w[i]); i++)
			;
		if (i < n)
			i = unwrap(w, n, i);
	} while (i < n && i != was);
	return i;
}

/* The script of sh -c at i; n if it is none. */
static size_t
shell_script(const struct ctx_shell_word *w, size_t n, size_t i)
{
	size_t k;

	if (ctx_shell_among(base(w[i]), "sh bash zsh dash"))
		for (k = i + 1; k + 1 < n && w[k].p[0] == '-'; k++)
			if (w[k].p[w[k].len - 1] == 'c')
				return k + 1;
	return n;
}

static int kind_of(const char *command, size_t len, int depth);

/* The kind of one command: an enum ctx_command, or SILENT. */
static int
simple(const struct ctx_shell_word *w, size_t n, int depth)
{
	const struct rule *r = rules;
	struct ctx_shell_word name, sub = { "", 0 };
	size_t i = first_word(w, n), k;

	if (i >= n)
		return SILENT;
	name = base(w[i]);
	if ((k = shell_script(w, n, i)) < n)
		return depth < DEPTH ? kind_of(w[k].p, w[k].len, depth + 1) :
		    CTX_COMMAND_UNKNOWN;
	k = operand(w, n, i + 1, ctx_shell_is(name, "git") ? "Cc" : "");
	if (k + 1 < n && ctx_shell_among(w[k], "run run-script compose") &&
	    !ctx_shell_is(name, "cargo") && !ctx_shell_is(name, "go"))
		k = operand(w, n, k + 1, "f");
	if (k < n)
		sub = w[k];
	for (; r < rules + sizeof(rules) / sizeof(rules[0]); r++)
		if (is_named(name, r->name) &&
		    (r->sub == NULL || ctx_shell_among(sub, r->sub)))
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
filtered(int kind, const struct ctx_shell_word *w, size_t n)
{
	struct ctx_shell_word name = { "", 0 };

	if (n > 0)
		name = base(w[0]);
	if (ctx_shell_among(name, "head tail cat tee less more grep egrep "
	    "fgrep rg ctx-clean"))
		return kind;
	if (shows(kind) && ctx_shell_among(name, "sort uniq cut sed awk tr "
	    "column jq nl"))
		return CTX_COMMAND_FILE;
	return ctx_shell_is(name, "wc") ? CTX_COMMAND_LIST :
	    CTX_COMMAND_UNKNOWN;
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
	struct ctx_shell s = { command, command + len };
	struct ctx_shell_word w[CTX_SHELL_WORDS], word = { "", 0 };
	enum ctx_shell_token t, before = CTX_SHELL_SEPARATOR;
	int all = SILENT, one = SILENT;
	size_t n = 0;

	do {
		t = ctx_shell_next(&s, &word);
		if (t == CTX_SHELL_HERE)
			return CTX_COMMAND_UNKNOWN;
		if (t == CTX_SHELL_WORD && n < CTX_SHELL_WORDS && word.len > 0)
			w[n++] = word;
		if (t == CTX_SHELL_WORD || t == CTX_SHELL_REDIRECT ||
		    (n == 0 && before == CTX_SHELL_PIPE &&
		    t == CTX_SHELL_SEPARATOR))
			continue;
		one = before == CTX_SHELL_PIPE ? filtered(one, w, n) :
		    simple(w, n, depth);
		if (t != CTX_SHELL_PIPE)
			all = both(all, one);
		before = t;
		n = 0;
	} while (t != CTX_SHELL_END);
	return all;
}

enum ctx_command
ctx_command_kind(const char *command, size_t len)
{
	int kind = kind_of(command, len, 0);

	return kind == SILENT ? CTX_COMMAND_UNKNOWN : (enum ctx_command)kind;
}

/* --- one after the other ------------------------------------------------- */

static const char *
line_end(const struct ctx_shell *s)
{
	const char *nl = memchr(s->p, '\n', (size_t)(s->end - s->p));

	return nl != NULL ? nl : s->end;
}

/* The words of a command, and where it ends; returns what ends it. */
static enum ctx_shell_token
read_one(struct ctx_shell *s, struct ctx_shell_word *w, size_t *n,
    struct ctx_command_one *one)
{
	struct ctx_shell_word word = { "", 0 }, file;
	enum ctx_shell_token t = CTX_SHELL_WORD;

	one->at = s->p;
	for (*n = 0; t == CTX_SHELL_WORD || t == CTX_SHELL_REDIRECT; ) {
		file.p = s->p;
		t = ctx_shell_next(s, &word);
		file.len = (size_t)(s->p - file.p);
		if (t == CTX_SHELL_WORD && word.len > 0 && *n < CTX_SHELL_WORDS)
			w[(*n)++] = word;
		if (t == CTX_SHELL_HERE) {
			/* cat <<EOF > file */
			file.len = (size_t)(line_end(s) - file.p);
			s->p = s->end;
		}
		if ((t == CTX_SHELL_REDIRECT || t == CTX_SHELL_HERE) &&
		    ctx_shell_has(file, '>') && !ctx_shell_has(file, '&') &&
		    !ctx_shell_ends(file, "/dev/null"))
			one->writes = 1;
		else if (t != CTX_SHELL_WORD)
			continue;
		one->len = (size_t)(file.p + file.len - one->at);
	}
	return t;
}

/* Keep what w[i .. n) says. */
static void
keep_words(struct ctx_command_one *one, const struct ctx_shell_word *w,
    size_t n, size_t i)
{
	struct ctx_shell_word word = base(w[i]);
	const char *with = ctx_shell_is(word, "git") ? "Cc" :
	    ctx_shell_is(word, "kubectl") ? "n" : "";

	one->len -= (size_t)(w[i].p - one->at);
	one->at = w[i].p;
	one->inplace = any_option(w + i, n - i, "-i --in-place") ||
	    (i + 1 < n && ctx_shell_begins(w[i + 1], "-i"));
	for (; i < n && one->nword < 4; word = i < n ? w[i] : word) {
		one->word[one->nword++] = word;
		i = operand(w, n, i + 1, with);
	}
}

int
ctx_command_next(const char **p, const char **end,
    struct ctx_command_one *one)
{
	struct ctx_shell s = { *p, *end };
	struct ctx_shell_word w[CTX_SHELL_WORDS];
	enum ctx_shell_token t = CTX_SHELL_SEPARATOR;
	size_t n, i, k;

	while (t != CTX_SHELL_END) {
		memset(one, 0, sizeof(*one));
		t = read_one(&s, w, &n, one);
		i = first_word(w, n);
		if (i < n && (k = shell_script(w, n, i)) < n) {
			s = (struct ctx_shell){ w[k].p, w[k].p + w[k].len };
			t = CTX_SHELL_SEPARATOR;
		} else if (i < n) {
			keep_words(one, w, n, i);
			break;
		}
	}
	*p = s.p;
	*end = s.end;
	return one->nword > 0;
}
