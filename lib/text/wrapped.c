/* SPDX-License-Identifier: MIT */
/* Contents of files as tools return them; see wrapped.h. */
#include "text/wrapped.h"

#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "text/wrapped_impl.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define DEEP 4		/* objects and lists around a string */
#define REMARK 400	/* bytes that the answer of a tool may have, */
#define LINES 2		/* and lines, */
#define WORDS 4		/* and blanks that each has */

/* --- JSON ---------------------------------------------------------------- */

/* Members that hold the contents, or an object with them. */
static const char *const holders[] = {
	"content", "contents", "text", "output", "result", "response", "data",
	"value", "file", "body", "fileContent", "file_content", "toolResult",
	"resource", "blob"
};
/* Members beside them that say nothing about what the contents are. */
static const char *const beside[] = {
	"type", "ok", "success", "status", "error", "isError", "is_error",
	"path", "file_path", "filePath", "filename", "fileName", "name", "uri",
	"query", "mimeType", "mime_type", "mediaType", "language", "encoding",
	"size", "bytes", "sha", "sha256", "hash", "mtime", "modified", "id",
	"structuredContent", "_meta", "meta", "metadata", "annotations",
	"message", "title", "truncated", "numLines", "num_lines", "lines",
	"line_count", "lineCount", "totalLines", "total_lines", "startLine",
	"start_line", "endLine", "end_line", "exitCode", "exit_code"
};

/* Does an object have the status of a command that failed? */
static int
exit_failed(const struct ctx_doc *doc, uint32_t i)
{
	static const char *const keys[] = { "exitCode", "exit_code" };
	uint32_t v;
	size_t k;

	for (k = 0; k < COUNT(keys); k++) {
		v = CTX_GIVEN(doc, i, keys[k]);
		if (v != CTX_NONE && !ctx_str_is(ctx_node_json(doc, v), "0"))
			return 1;
	}
	return 0;
}

int
ctx_wrapped_failed(const struct ctx_doc *doc, uint32_t i)
{
	static const char *const good[] = { "ok", "success" };
	static const char *const bad[] = {
		"error", "isError", "is_error", "truncated"
	};
	uint32_t v;
	size_t k;

	for (k = 0; k < COUNT(good); k++) {
		v = CTX_GIVEN(doc, i, good[k]);
		if (v != CTX_NONE && ctx_node_type(doc, v) != 't')
			return 1;
	}
	for (k = 0; k < COUNT(bad); k++) {
		v = CTX_GIVEN(doc, i, bad[k]);
		if (v != CTX_NONE && ctx_node_type(doc, v) != 'f' &&
		    !ctx_node_is(doc, v, ""))
			return 1;
	}
	v = CTX_GIVEN(doc, i, "metadata");
	if (exit_failed(doc, i) || (ctx_node_if(doc, v, '{') != CTX_NONE &&
	    exit_failed(doc, v)))
		return 1;
	v = CTX_GIVEN(doc, i, "status");
	if (ctx_node_if(doc, v, '"') != CTX_NONE &&
	    (ctx_str_starts(ctx_node_str(doc, v), "err") ||
	    ctx_str_starts(ctx_node_str(doc, v), "fail")))
		return 1;
	v = CTX_GIVEN(doc, i, "encoding");
	return v != CTX_NONE && !ctx_node_is(doc, v, "utf-8") &&
	    !ctx_node_is(doc, v, "utf8") && !ctx_node_is(doc, v, "UTF-8") &&
	    !ctx_node_is(doc, v, "base64");
}

/*
 * Is member key of the object in base64?  GitHub's API says so of contents, and
 * a blob is, and the data of an image or a sound, by MCP.
 */
static int
is_base64(const struct ctx_doc *doc, uint32_t i, struct ctx_str key)
{
	uint32_t type = CTX_GIVEN(doc, i, "type");

	if (ctx_str_is(key, "blob") || ctx_node_is(doc, CTX_GIVEN(doc, i,
	    "encoding"), "base64"))
		return 1;
	return ctx_str_is(key, "data") &&
	    CTX_GIVEN(doc, i, "mimeType") != CTX_NONE &&
	    (ctx_node_is(doc, type, "image") ||
	    ctx_node_is(doc, type, "audio"));
}

/*
 * The one member that holds something, if nothing else is unknown.  Sets *base64
 * if it is a string in base64.
 */
static uint32_t
held(const struct ctx_doc *doc, uint32_t i, int *base64)
{
	uint32_t k, found = CTX_NONE;
	struct ctx_str key;

	if (ctx_wrapped_failed(doc, i))
		return CTX_NONE;
	CTX_FOR_KEYS(doc, k, i) {
		key = ctx_node_str(doc, k);
		if (ctx_str_in(key, holders, COUNT(holders))) {
			if (found != CTX_NONE)
				return CTX_NONE;
			found = k + 1;
			*base64 |= ctx_node_type(doc, found) == '"' &&
			    is_base64(doc, i, key);
		} else if (!ctx_str_in(key, beside, COUNT(beside)))
			return CTX_NONE;
	}
	return found;
}

static void
set_number(const struct ctx_doc *doc, uint32_t i, const char *const *keys,
    uint64_t *n)
{
	uint32_t v, k;

	for (; *keys != NULL; keys++) {
		v = CTX_GET(doc, i, *keys);
		if (v == CTX_NONE || doc->node[v].len > 9)
			continue;
		for (*n = k = 0; k < doc->node[v].len; k++) {
			char c = doc->raw[doc->node[v].off + k];

			if (c < '0' || c > '9')
				break;
			*n = *n * 10 + (uint64_t)(c - '0');
		}
	}
}

void
ctx_wrapped_said(const struct ctx_doc *doc, uint32_t i,
    struct ctx_lines *lines)
{
	static const char *const from[] = { "startLine", "start_line", NULL };
	static const char *const to[] = { "endLine", "end_line", NULL };
	static const char *const total[] = {
		"totalLines", "total_lines", NULL
	};

	set_number(doc, i, from, &lines->from);
	set_number(doc, i, to, &lines->to);
	set_number(doc, i, total, &lines->total);
}

uint32_t
ctx_wrapped_node(const struct ctx_doc *doc, uint32_t i,
    struct ctx_lines *lines)
{
	int deep;

	for (deep = 0; deep < DEEP && i != CTX_NONE; deep++)
		switch (ctx_node_type(doc, i)) {
		case '{':
			ctx_wrapped_said(doc, i, lines);
			i = held(doc, i, &lines->base64);
			break;
		case '[':
			if (i + 1 >= doc->node[i].next ||
			    doc->node[i + 1].next != doc->node[i].next)
				return CTX_NONE;
			i++;
			break;
		case '"':
			return deep > 0 ? i : CTX_NONE;
		default:
			return CTX_NONE;
		}
	return i != CTX_NONE && ctx_node_type(doc, i) == '"' ? i : CTX_NONE;
}

struct ctx_str
ctx_wrapped_suffix(struct ctx_str path)
{
	uint32_t i = path.len;
	struct ctx_str s = { 0 };

	while (i > 0 && path.p[i - 1] != '.' && path.p[i - 1] != '/')
		i--;
	if (i > 1 && path.p[i - 1] == '.' && path.p[i - 2] != '/') {
		s.p = path.p + i;
		s.len = path.len - i;
	}
	return s;
}

/* Is it one of the names without a suffix whose files are never JSON? */
static int
is_plain_name(struct ctx_str path)
{
	static const char *const names[] = {
		"makefile", "gnumakefile", "dockerfile", "containerfile",
		"readme", "license", "copying", "changelog", "authors",
		"gemfile", "rakefile", "procfile", "vagrantfile",
		"jenkinsfile", "justfile", "codeowners", ".gitignore",
		".gitattributes", ".dockerignore", ".editorconfig", ".env",
		".bashrc", ".profile"
	};
	uint32_t from = path.len;
	size_t i;

	while (from > 0 && path.p[from - 1] != '/')
		from--;
	for (i = 0; i < COUNT(names); i++)
		if (path.len - from == strlen(names[i]) && strncasecmp(
		    path.p + from, names[i], path.len - from) == 0)
			return 1;
	return 0;
}

/* May a file of that name be JSON itself? */
static int
may_be_json(struct ctx_str path)
{
	static const char *const suffixes[] = {
		"json", "jsonl", "ndjson", "json5", "jsonc", "ipynb", "map",
		"geojson", "topojson", "har", "lock", "webmanifest", "avsc",
		"jsonld", "excalidraw", "code-workspace", "tfstate", "resolved"
	};
	struct ctx_str s = ctx_wrapped_suffix(path);

	return (s.len == 0 && !is_plain_name(path)) ||
	    ctx_str_in(s, suffixes, COUNT(suffixes));
}

/* Does it begin like JSON that was cut off, and not like lines of JSON? */
static int
begins_json(struct ctx_str s)
{
	const char *nl = memchr(s.p, '\n', s.len);
	const char *end = nl != NULL ? nl : s.p + s.len;

	return (ctx_str_starts(s, "{\"") || ctx_str_starts(s, "[{\"") ||
	    ctx_str_starts(s, "{\n") || ctx_str_starts(s, "[\n")) &&
	    end[-1] != '}' && end[-1] != ']';
}

/* Are these the entries of a directory, as GitHub's API lists them? */
static int
is_directory(const struct ctx_doc *doc)
{
	uint32_t e = 1, type;

	if (ctx_node_type(doc, 0) != '[' || e >= doc->node[0].next)
		return 0;
	type = CTX_GET(doc, e, "type");
	return (ctx_node_is(doc, type, "file") ||
	    ctx_node_is(doc, type, "dir")) &&
	    CTX_GET(doc, e, "name") != CTX_NONE &&
	    CTX_GET(doc, e, "path") != CTX_NONE &&
	    CTX_GET(doc, e, "sha") != CTX_NONE;
}

/*
 * Decode base64, perhaps in lines, into w->json and *s.  Returns 1, 2 if it is
 * none, or -1.
 */
static int
decode(struct ctx_wrapped *w, struct ctx_buf *base64, struct ctx_str *s)
{
	size_t i, n = 0;

	for (i = 0; i < base64->len; i++)
		if (base64->data[i] != '\n' && base64->data[i] != '\r')
			base64->data[n++] = base64->data[i];
	ctx_buf_reset(&w->json);
	if (ctx_base64_decode(&w->json, base64->data, n) == -1)
		return w->json.failed ? -1 : 2;
	*s = ctx_str_of(&w->json);
	return 1;
}

/*
 * Take away JSON around *s, once.  Returns 1 if there was some, 0 if there is
 * none, 2 if it is not sure, -1 if out of memory.
 */
static int
open_json(struct ctx_wrapped *w, struct ctx_str path, struct ctx_str *s)
{
	int json = may_be_json(path), rc;
	struct ctx_str in;
	uint32_t v;

	if (s->len == 0 || (*s->p != '{' && *s->p != '['))
		return 0;
	if ((rc = ctx_doc_try(&w->doc, s->p, s->len)) == -1)
		return -1;
	if (rc == 0)	/* perhaps cut off */
		return !json && begins_json(*s) ? 2 : 0;
	v = ctx_wrapped_node(&w->doc, 0, &w->lines);
	if (v == CTX_NONE)
		return json && !is_directory(&w->doc) ? 0 : 2;
	in = ctx_node_str(&w->doc, v);
	ctx_buf_reset(&w->inner);
	if (ctx_str_decode(&w->inner, in.p, in.len) == -1 ||
	    ctx_buf_str(&w->inner) == NULL)
		return -1;
	/* of JSON in JSON, the inner one is the file */
	if (path.len > 0 && json && !w->lines.base64 && (w->inner.len == 0 ||
	    (*w->inner.data != '{' && *w->inner.data != '[')))
		return 2;
	if (w->lines.base64)
		return decode(w, &w->inner, s);
	ctx_buf_reset(&w->json);
	if (ctx_buf_add(&w->json, w->inner.data, w->inner.len) == -1)
		return -1;
	*s = ctx_str_of(&w->json);
	return 1;
}

/* --- the whole ----------------------------------------------------------- */

int
ctx_wrapped_remark(struct ctx_str s)
{
	uint32_t i, blanks = 0, lines = 1;

	if (s.len == 0 || s.len > REMARK || *s.p == '{' ||
	    ctx_str_starts(s, "[{"))
		return 0;
	while (s.len > 0 && s.p[s.len - 1] == '\n')
		s.len--;
	while (s.len > 1 && memcmp(s.p + s.len - 2, "\\n", 2) == 0)
		s.len -= 2;
	for (i = 1; i < s.len; i++) {
		if (s.p[i] == '\n' || (s.p[i] == 'n' && s.p[i - 1] == '\\')) {
			if (blanks < WORDS || ++lines > LINES)
				return 0;
			blanks = 0;
		} else
			blanks += s.p[i] == ' ' && s.p[i - 1] != ' ';
	}
	return blanks >= WORDS;
}

static int
is_sure(const struct ctx_wrapped *w)
{
	const struct ctx_lines *n = &w->lines;

	if (n->to < n->from || (n->to > 0 && n->from == 0))
		return 0;
	return n->total == 0 || n->to <= n->total;
}

/* Take all JSON around *s away.  Returns 0, 2 if it is not sure, or -1. */
static int
open_all(struct ctx_wrapped *w, struct ctx_str path, struct ctx_str *s)
{
	int rc = 1, i;

	memset(&w->lines, 0, sizeof(w->lines));
	for (i = 0; i < DEEP && rc == 1 && !w->lines.base64; i++)
		rc = open_json(w, path, s);
	if (rc == 1 && w->lines.base64)
		rc = 0;
	if (s->len == 0)
		s->p = "";	/* also of a buffer without memory */
	return rc;
}

int
ctx_wrapped_open(struct ctx_wrapped *w, struct ctx_str path,
    struct ctx_str text)
{
	int rc = open_all(w, path, &text);

	if (rc != 0)
		return rc == -1 ? -1 : 0;
	if (w->lines.base64) {
		w->p = text.p;
		w->len = text.len;
		return is_sure(w);
	}
	if ((rc = ctx_wrapped_lines(w, path, text)) != 1)
		return rc;
	return is_sure(w);
}

int
ctx_wrapped_base64(struct ctx_wrapped *w, struct ctx_str text)
{
	int rc;

	memset(&w->lines, 0, sizeof(w->lines));
	w->lines.base64 = 1;
	ctx_buf_reset(&w->inner);
	if (ctx_buf_add(&w->inner, text.p, text.len) == -1)
		return -1;
	rc = decode(w, &w->inner, &text);
	w->p = text.len > 0 ? text.p : "";
	w->len = text.len;
	return rc == 2 ? 0 : rc;
}

int
ctx_wrapped_output(struct ctx_wrapped *w, struct ctx_str text)
{
	struct ctx_str none = { NULL, 0 };
	int rc = open_all(w, none, &text);

	if (rc != 0 || w->lines.base64)
		return rc == -1 ? -1 : 0;
	return ctx_wrapped_printed(w, text);
}

void
ctx_wrapped_done(struct ctx_wrapped *w)
{
	ctx_buf_done(&w->json);
	ctx_buf_done(&w->plain);
	ctx_buf_done(&w->inner);
	ctx_doc_done(&w->doc);
	memset(w, 0, sizeof(*w));
}
