/* SPDX-License-Identifier: MIT */
/*
 * Models that are published with a tiktoken file (Qwen 1, Kimi, Moonlight and
 * others) have these files beside it, in the form of Hugging Face's hub.
 */
#include "token/rankdir.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "token/hf.h"

#define FILE_MAX	(1u << 20)	/* bytes of a Python module */

/* Set out to the path of the file called name in the folder of path. */
static int
beside(const char *path, const char *name, struct ctx_buf *out,
    struct ctx_err *err)
{
	const char *slash = strrchr(path, '/');

	ctx_buf_reset(out);
	if (slash != NULL)
		ctx_buf_add(out, path, (size_t)(slash - path) + 1);
	ctx_buf_adds(out, name);
	return ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) : 0;
}

/* Skip white space, comments and continued lines. */
static const char *
skip_space(const char *p)
{
	for (;; p++) {
		if (*p == '#')
			p += strcspn(p, "\n");
		if (*p == '\0' || (!isspace((unsigned char)*p) &&
		    !(*p == '\\' && (p[1] == '\n' || p[1] == '\r'))))
			return p;
	}
}

/*
 * Append the string literal at p, which must mean what it says: a raw one, or
 * one without a backslash.  Returns what follows it, or NULL.
 */
static const char *
literal(const char *p, struct ctx_buf *out)
{
	int raw = *p == 'r' || *p == 'R';
	const char *q;
	size_t n = 1;
	char quote[4];

	p += raw;
	if (*p != '"' && *p != '\'')
		return NULL;
	if (p[1] == *p && p[2] == *p)
		n = 3;
	memset(quote, *p, n);
	quote[n] = '\0';
	for (p += n, q = p; *q != '\0' && strncmp(q, quote, n) != 0; q++) {
		if ((*q == '\\' && (!raw || *++q == '\0')) ||
		    (n == 1 && *q == '\n'))
			return NULL;
	}
	if (*q == '\0')
		return NULL;
	ctx_buf_add(out, p, (size_t)(q - p));
	return q + n;
}

/* Append literals side by side, perhaps in parentheses. */
static const char *
literals(const char *p, struct ctx_buf *out)
{
	int parens = *p == '(';
	const char *line;

	p = parens ? skip_space(p + 1) : p;
	if ((p = literal(p, out)) == NULL)
		return NULL;
	for (;; p = literal(p, out)) {
		if (p == NULL)
			return NULL;
		line = p + strspn(p, " \t");
		if (!parens && (*line == '\n' || *line == '#'))
			return line;
		p = skip_space(p);
		if (parens && *p == ')')
			return p + 1;
		if (strchr("rR\"'", *p) == NULL || *p == '\0')
			return parens ? NULL : p;
	}
}

/* Append the items of the list at p with a | between them. */
static const char *
joined(const char *p, struct ctx_buf *out)
{
	int first = 1;

	if (*p++ != '(' || *(p = skip_space(p)) != '[')
		return NULL;
	for (p = skip_space(p + 1); *p != ']'; first = 0) {
		if (!first)
			ctx_buf_addc(out, '|');
		if ((p = literals(p, out)) == NULL)
			return NULL;
		p = skip_space(p);
		if (*p == ',')
			p = skip_space(p + 1);
		else if (*p != ']')
			return NULL;
	}
	p = skip_space(p + 1);
	p = *p == ',' ? skip_space(p + 1) : p;
	return *p == ')' ? p + 1 : NULL;
}

/* The value that is assigned at p, behind the name; 0 if there is none. */
static int
assigned(const char *p, struct ctx_buf *out)
{
	static const char *const join[] = { "\"|\".join", "'|'.join" };
	size_t i, n;

	p += strspn(p, " \t");
	if (*p == ':')
		p += strcspn(p, "=\n");
	if (*p != '=' || p[1] == '=')
		return 0;
	p = skip_space(p + 1);
	for (i = 0; i < 2; i++) {
		n = strlen(join[i]);
		if (strncmp(p, join[i], n) == 0) {
			p = joined(p + n, out);
			break;
		}
	}
	if (i == 2)
		p = literals(p, out);
	/* More of an expression, such as an operator, would change it. */
	if (p != NULL)
		p += strspn(p, " \t\r");
	return p != NULL && (*p == '\n' || *p == '#' || *p == '\0');
}

/*
 * Find the pattern in the text of a Python module: a string that is assigned
 * to pat_str or PAT_STR, written as one or several literals, or as the "|".join
 * of a list of them.  Other expressions are not evaluated: pattern stays empty.
 */
static void
find_pattern(const char *text, struct ctx_buf *pattern)
{
	static const char *const name[] = { "pat_str", "PAT_STR" };
	const char *p, *line;
	size_t i;

	for (i = 0; i < 2; i++)
		for (p = text; (p = strstr(p, name[i])) != NULL; p++) {
			for (line = p; line > text && (line[-1] == ' ' ||
			    line[-1] == '\t'); line--)
				;
			if (line > text && line[-1] != '\n')
				continue;
			if (assigned(p + strlen(name[i]), pattern))
				return;
			ctx_buf_reset(pattern);
		}
}

/* Read the pattern of the module called name, if there is that file. */
static int
read_module(const char *path, const char *name, struct ctx_buf *pattern,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	FILE *f = NULL;
	size_t n = 0;
	int rc = beside(path, name, &text, err);

	if (rc == 0 && (f = fopen(text.data, "rb")) != NULL) {
		ctx_buf_reset(&text);
		if (ctx_buf_reserve(&text, FILE_MAX) == 0)
			n = fread(text.data, 1, FILE_MAX, f);
		text.len = n;
		if (ctx_buf_str(&text) == NULL)
			rc = ctx_fail_nomem(err);
		else if (n < FILE_MAX)
			find_pattern(text.data, pattern);
		fclose(f);
	}
	ctx_buf_done(&text);
	return rc == 0 ? ctx_buf_fail(pattern, err) : rc;
}

/* The special tokens, by their ids in decimal. */
static int
read_added(struct ctx_vocab *v, json_t *added, struct ctx_err *err)
{
	unsigned long id;
	const char *key, *text;
	json_t *item;
	char *end;

	json_object_foreach(added, key, item) {
		text = ctx_hf_string(item, "content");
		id = strtoul(key, &end, 10);
		if (!isdigit((unsigned char)*key) || *end != '\0' ||
		    id >= CTX_ID_MAX || *text == '\0')
			return ctx_fail(err, CTX_ESYSTEM,
			    "an added token is not valid");
		if (ctx_vocab_reach(v, (uint32_t)id, err) == -1 ||
		    ctx_vocab_add_special(v, (uint32_t)id, text, strlen(text),
		    0, err) == -1)
			return -1;
	}
	return 0;
}

/* The file of the tokenizer's Python class; 0 if none is named. */
static int
module_name(const json_t *root, struct ctx_buf *out)
{
	const char *class = json_string_value(json_array_get(json_object_get(
	    json_object_get(root, "auto_map"), "AutoTokenizer"), 0));
	const char *p = class != NULL ? strstr(class, "--") : NULL;
	size_t n;

	p = p != NULL ? p + 2 : class;
	n = p == NULL ? 0 : strcspn(p, ".");
	if (n == 0 || strspn(p, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") < n)
		return 0;
	ctx_buf_add(out, p, n);
	ctx_buf_adds(out, ".py");
	return ctx_buf_str(out) != NULL;
}

static int
read_config(struct ctx_vocab *v, const char *path, const json_t *root,
    struct ctx_buf *pattern, struct ctx_err *err)
{
	struct ctx_buf name = { 0 };
	int rc = read_added(v, json_object_get(root, "added_tokens_decoder"),
	    err);

	if (rc == 0 && module_name(root, &name))
		rc = read_module(path, name.data, pattern, err);
	if (rc == 0)
		rc = ctx_buf_fail(&name, err);
	ctx_buf_done(&name);
	return rc;
}

int
ctx_rankdir_config(const char *path, json_t **root, struct ctx_err *err)
{
	struct ctx_json_text text = { 0 };
	struct ctx_buf name = { 0 };
	json_error_t why;
	int rc = beside(path, "tokenizer_config.json", &name, err);

	*root = NULL;
	if (rc == 0 && (text.file = fopen(name.data, "rb")) != NULL) {
		*root = ctx_json_read(&text, &why);
		if (*root == NULL && ctx_json_starved())
			rc = ctx_fail_nomem(err);
		else if (*root == NULL)
			rc = ctx_fail(err, CTX_ESYSTEM, "%s: %s", name.data,
			    why.text);
		fclose(text.file);
	}
	ctx_buf_done(&name);
	return rc;
}

int
ctx_rankdir_read(struct ctx_vocab *v, const char *path,
    struct ctx_buf *pattern, struct ctx_err *err)
{
	struct ctx_err e = { 0 };
	json_t *root;
	int rc = ctx_rankdir_config(path, &root, err);

	if (root != NULL && read_config(v, path, root, pattern, &e) == -1)
		rc = ctx_fail(err, e.code, "%s: its tokenizer_config.json: %s",
		    path, e.text);
	json_decref(root);
	return rc;
}
