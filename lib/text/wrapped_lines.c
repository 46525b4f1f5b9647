/* SPDX-License-Identifier: MIT */
/* What tools write before, between and after the lines of a file. */
#include <string.h>

#include "text/wrapped_impl.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define FAR 800		/* bytes that a remark may have */

/*
 * In these, %p is the file's path, %f, %l and %t are the first line, the last
 * one and the number of lines, %n is another number, %+ how many lines follow,
 * %* any text, %- any in a line, and %$ the end, perhaps after newlines.
 */
static const char *const heads[] = {
	"Content of %p:\n",			/* Continue */
	"Contents of %p:\n",			/* Grok */
	"Lines %f-%l of %p:\n",
	"%p:\n",				/* MCP's file server */
	"--- %p ---\n\n",			/* Gemini CLI, many files */
	"Here's the result of running `cat -n` on %p:\n",
	"Showing lines %f-%l of %t total lines.\n\n---\n\n",	/* Qwen Code */
	"\nIMPORTANT: The file content has been truncated.\n"	/* Gemini CLI */
	    "Status: Showing lines %f-%l of %t total lines.\n"
	    "Action: %*\n\n--- FILE CONTENT (truncated) ---\n",
	"<path>%p</path>\n<type>file</type>\n<content>\n",	/* OpenCode */
	"<file>\n",
	/* what shells print: Codex, Qwen Code, Gemini CLI, Nanocoder */
	("Chunk ID: %*\nWall time: %*\nProcess exited with code 0\n"
	    "Original token count: %n\nOutput:\n"),
	"Exit code: 0\nWall time: %-\nOutput:\n",
	"Command executed.\nOutput:\n",		/* Cline */
	"Command: %*\nDirectory: %*\nOutput: ",
	"<untrusted_context>\nOutput: ",
	"EXIT_CODE: 0\n",
	"Command executed.\nOutput:\n",		/* Cline */
};
static const char *const tails[] = {
	"\n</content>%$",
	"\n</file>%$",
	"\n\n<system-reminder>%*</system-reminder>%$",
	"\n<system-reminder>%*</system-reminder>%$",
	"\n\n(End of file - total %t lines)%$",
	"\n\n(File has more lines%.%*)%$",
	"\n\n(Output capped at %.%*)%$",
	"\n\n(Showing lines %f-%l of %t%.%*)%$",
	"\n... +%+ lines%$",			/* Grok */
	"\n\n[%+ more lines in file. Use offset=%n to continue.]%$",  /* pi */
	"\n\n[Showing lines %f-%l of %t%.%*]%$",
	("\nError: (none)\nExit Code: 0\nSignal: %*\n"
	    "Process Group PGID: %n%$"),
	"\nProcess Group PGID: %n\n</untrusted_context>%$",
	"\nShell cwd was reset to %p%$",	/* Claude Code's Bash */
	"\n--- End of content ---%$",		/* Gemini CLI, many files */
};

/* What a form says. */
struct said {
	struct ctx_lines lines;
	struct ctx_str path;
};

static uint64_t
digits(const char **s, const char *end)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < 9 && *s < end && **s >= '0' && **s <= '9'; i++)
		n = n * 10 + (uint64_t)(*(*s)++ - '0');
	return n;
}

/* Does what %c stands for have a number, and not 0?  Notes what it says. */
static int
number(char c, const char **s, const char *end, struct said *said)
{
	uint64_t n = digits(s, end);

	if (c == 'f')
		said->lines.from = n;
	else if (c == 'l')
		said->lines.to = n;
	else if (c == 't')
		said->lines.total = n;
	else if (c == '+')
		said->lines.more = 1;
	return n > 0;
}

/* The end of what form matches at s, or NULL. */
static const char *
match(const char *form, const char *s, const char *end, struct said *said)
{
	const char *e, *at;

	for (; *form != '\0'; form++) {
		if (*form != '%') {
			if (s == end || *s++ != *form)
				return NULL;
			continue;
		}
		switch (*++form) {
		case '$':
			while (s < end && *s == '\n')
				s++;
			return s == end ? s : NULL;
		case '.':
			said->lines.more = 1;
			continue;
		case 'p':
		case '-':
		case '*':
			for (at = s; s - at < FAR; s++) {
				said->path.p = at;
				said->path.len = (uint32_t)(s - at);
				e = match(form + 1, s, end, said);
				if (e != NULL)
					return e;
				if (s == end || (*form != '*' && *s == '\n'))
					return NULL;
			}
			return NULL;
		default:
			if (!number(*form, &s, end, said))
				return NULL;
		}
	}
	return s;
}

static struct ctx_str
last_name(struct ctx_str path)
{
	uint32_t i = path.len;

	while (i > 0 && path.p[i - 1] != '/' && path.p[i - 1] != '\\')
		i--;
	path.p += i;
	path.len -= i;
	return path;
}

/* Does a form name the file that was read?  The path alone must be the same. */
static int
names(const char *form, struct ctx_str said, struct ctx_str path)
{
	struct ctx_str a, b;

	if (strstr(form, "%p") == NULL)
		return 1;
	/* more than one may follow */
	if (path.len == 0)
		return *form != '%' && *form != '-';
	a = *form == '%' ? said : last_name(said);
	b = *form == '%' ? path : last_name(path);
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

static void
note(struct ctx_wrapped *w, const struct said *said)
{
	if (said->lines.from > 0) {
		w->lines.from = said->lines.from;
		w->lines.to = said->lines.to;
	}
	if (said->lines.total > 0)
		w->lines.total = said->lines.total;
	w->lines.more |= said->lines.more;
}

/* Take away what is before the contents; of an output, what names no file. */
static void
open_head(struct ctx_wrapped *w, struct ctx_str path, int output)
{
	struct said said;
	const char *e;
	size_t i;

	for (i = 0; i < COUNT(heads); i++) {
		if (output && strstr(heads[i], "%p") != NULL)
			continue;
		memset(&said, 0, sizeof(said));
		e = match(heads[i], w->p, w->p + w->len, &said);
		if (e == NULL || !names(heads[i], said.path, path))
			continue;
		note(w, &said);
		w->len -= (size_t)(e - w->p);
		w->p = e;
		/* MCP's file server ends each file with a newline of its own */
		if (*heads[i] == '%' && w->len > 0 && e[w->len - 1] == '\n')
			w->len--;
		return;
	}
}

/* Take away one remark after the contents.  Was there one? */
static int
open_tail(struct ctx_wrapped *w)
{
	const char *end = w->p + w->len, *s;
	struct said said;
	size_t i;

	s = w->len > FAR ? end - FAR : w->p;
	for (; s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL; s++)
		for (i = 0; i < COUNT(tails); i++) {
			memset(&said, 0, sizeof(said));
			if (match(tails[i], s, end, &said) == NULL)
				continue;
			note(w, &said);
			w->len = (size_t)(s - w->p);
			return 1;
		}
	return 0;
}

/* --- line numbers -------------------------------------------------------- */

/* The length of a line's number and separator; 0 if it has none. */
static size_t
numbered(const char *p, size_t len, uint64_t *n, char *mark)
{
	size_t i = 0, first;

	while (i < len && p[i] == ' ' && i < 12)
		i++;
	first = i;
	for (*n = 0; i < len && p[i] >= '0' && p[i] <= '9' && i - first < 9;
	    i++)
		*n = *n * 10 + (uint64_t)(p[i] - '0');
	if (i == first || i >= len)
		return 0;
	if (p[i] == '\t' || p[i] == '|' || p[i] == ':') {
		*mark = p[i++];
		/* "12: text" or "12 | text" */
		return i < len && *mark != '\t' && p[i] == ' ' ? i + 1 : i;
	}
	if (len - i >= 3 && memcmp(p + i, "\xe2\x86\x92", 3) == 0) {
		*mark = '>';
		return i + 3;
	}
	if (len - i >= 2 && memcmp(p + i, " |", 2) == 0) {
		*mark = '|';
		return i + 2 < len && p[i + 2] == ' ' ? i + 3 : i + 2;
	}
	return 0;
}

/* Is what follows numbered lines a remark?  Sets *more if it says so. */
static int
is_remark(const char *p, size_t len, int *more)
{
	while (len > 0 && *p == '\n') {
		p++;
		len--;
	}
	if (len == 0)
		return 1;
	if (len > 600 || strchr("([<.", *p) == NULL)
		return 0;
	*more |= *p != '<' && memmem(p, len, "nd of file", 10) == NULL;
	return 1;
}

/* Does a line follow the numbered ones whose number is greater? */
static int
has_gap(const char *p, size_t len, uint64_t want, char mark)
{
	const char *nl = memchr(p, '\n', len);
	uint64_t n;
	char m;

	if (nl != NULL)
		len = (size_t)(nl - p);
	return numbered(p, len, &n, &m) > 0 && m == mark && n > want;
}

/* May the numbers be the first column of a table, since nothing aligns them? */
static int
may_be_rows(const struct ctx_wrapped *w, struct ctx_str path)
{
	static const char *const tables[] = { "tsv", "tab", "csv", "psv" };
	struct ctx_str suffix = ctx_wrapped_suffix(path);
	size_t i;

	for (i = 0; i < COUNT(tables); i++)
		if (ctx_str_is(suffix, tables[i]))
			return *w->p != ' ';
	return 0;
}

/* Takes the numbers away.  Returns 1, 0 if it is not sure, -1. */
static int
unnumber(struct ctx_wrapped *w, struct ctx_str path)
{
	uint64_t n, want = 0, lines = 0;
	const char *p = w->p, *end = w->p + w->len, *nl;
	size_t skip;
	char mark = 0, first = 0;

	ctx_buf_reset(&w->plain);
	for (; p < end; p = nl < end ? nl + 1 : end) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		skip = numbered(p, (size_t)(nl - p), &n, &mark);
		if (skip == 0 || (lines > 0 && (n != want || mark != first)))
			break;
		if (lines++ == 0)
			want = n;
		first = mark;
		want++;
		ctx_buf_add(&w->plain, p + skip, (size_t)(nl - p) - skip);
		ctx_buf_addc(&w->plain, '\n');
	}
	if (w->plain.failed)
		return -1;
	if (lines == 0)
		return 1;
	if (may_be_rows(w, path))
		return 0;
	if (p < end && !is_remark(p, (size_t)(end - p), &w->lines.more))
		return lines == 1 &&
		    !has_gap(p, (size_t)(end - p), want, first);
	if (w->lines.from > 0 && w->lines.from != want - lines)
		return 0;
	w->lines.from = want - lines;
	w->lines.to = want - 1;
	w->p = w->plain.data;
	w->len = w->plain.len;
	return lines > 1 || w->lines.from == 1;
}

/* --- the whole ----------------------------------------------------------- */

/* Is a line, which has one of the words, a tool's and not the file's? */
static int
is_notice(const char *p, size_t len)
{
	while (len > 0 && *p == ' ') {
		p++;
		len--;
	}
	return len > 0 && len < 300 && (strchr("[(<", *p) != NULL ||
	    (len > 3 && (memcmp(p, "...", 3) == 0 ||
	    memcmp(p, "\xe2\x80\xa6", 3) == 0)) ||
	    (len > 11 && memcmp(p, "Exit Code: ", 11) == 0) ||
	    memmem(p, len, "howing lines", 12) != NULL ||
	    memmem(p, len, "truncated\xe2\x80\xa6", 12) != NULL ||
	    memmem(p, len, "output was truncated", 20) != NULL ||
	    memmem(p, len, "tokens truncated", 16) != NULL);
}

/* Does the text have a notice of a form that is not in the tables? */
static int
has_notice(const char *p, size_t len)
{
	static const char *const words[] = {
		"truncated", "TRUNCATED", "omitted", "more line",
		"howing lines", "total lines", "offset=", "exit code",
		"Exit Code: ", "<bash_metadata>"
	};
	const char *at, *line, *nl, *end = p + len;
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		for (at = p; (at = memmem(at, (size_t)(end - at), words[i],
		    strlen(words[i]))) != NULL; at = nl) {
			for (line = at; line > p && line[-1] != '\n';)
				line--;
			nl = memchr(at, '\n', (size_t)(end - at));
			if (nl == NULL)
				nl = end;
			if (is_notice(line, (size_t)(nl - line)))
				return 1;
		}
	return 0;
}

/* Is it a directory, by git show: "tree HEAD:src", where path ends so? */
static int
is_tree(struct ctx_str path, struct ctx_str s)
{
	const char *nl = s.len > 0 ? memchr(s.p, '\n', s.len) : NULL;
	size_t n;

	if (nl == NULL || !ctx_str_starts(s, "tree "))
		return 0;
	n = (size_t)(nl - s.p) - 5;
	return n > 0 && n <= path.len && memchr(s.p + 5, ':', n) != NULL &&
	    memcmp(s.p + 5, path.p + path.len - n, n) == 0;
}

/* Does it begin like an envelope that is not in the tables? */
static int
has_envelope(struct ctx_str s)
{
	static const char *const tags[] = {
		"<path>", "<file", "<content", "<document", "<result",
		"<output", "<error", "<tool", "<system-reminder>",
		"<untrusted", "<persisted-output>", "Output too large",
		"Contents of ", "File: `", "Total output lines: ",
		"Tool output was too large", "Command is still running",
		"Chunk ID: ", "Command: ", "EXIT_CODE: ", "Exit code: ",
		/* directories: Anthropic's editor, Amazon Q */
		"Here're the files and directories", "User id: ",
		"cat: ", "head: ", "tail: ", "sed: ", "nl: ", "fatal: ",
		"bash: ", "sh: ", "/bin/bash: ", "/bin/sh: ",
		"/usr/bin/bash: ", "zsh:"
	};
	const char *nl;
	size_t i;

	for (i = 0; i < COUNT(tags); i++)
		if (ctx_str_starts(s, tags[i]))
			return 1;
	/* several files, by Gemini CLI */
	nl = s.len > 0 ? memchr(s.p, '\n', s.len) : NULL;
	return nl != NULL && nl - s.p > 8 && ctx_str_starts(s, "--- ") &&
	    memcmp(nl - 4, " ---", 4) == 0;
}

int
ctx_wrapped_lines(struct ctx_wrapped *w, struct ctx_str path,
    struct ctx_str text)
{
	struct ctx_str s;
	int i, rc;

	w->p = text.p;
	w->len = text.len;
	open_head(w, path, 0);
	for (i = 0; i < 4 && open_tail(w); i++)
		continue;
	s.p = w->p;
	s.len = (uint32_t)w->len;
	if (!w->plain_lines && (rc = unnumber(w, path)) != 1)
		return rc;
	if (w->p == s.p && (has_envelope(s) || is_tree(path, s) ||
	    has_notice(w->p, w->len)))
		return 0;
	return 1;
}

int
ctx_wrapped_printed(struct ctx_wrapped *w, struct ctx_str text)
{
	static const struct ctx_str none;
	struct ctx_str s;
	int i;

	w->p = text.p;
	w->len = text.len;
	open_head(w, none, 1);
	for (i = 0; i < 4 && open_tail(w); i++)
		continue;
	s.p = w->p;
	s.len = (uint32_t)w->len;
	return !w->lines.more && w->lines.from == 0 && w->lines.total == 0 &&
	    !has_envelope(s) && !has_notice(w->p, w->len);
}
