/* SPDX-License-Identifier: MIT */
/* Contents of files in a conversation; see reads.h. */
#include "decide/reads.h"

#include <stdlib.h>
#include <string.h>

/*
 * Tools that return a file's contents, as agents and MCP servers call them.
 * Names are compared in lower case, without "_" and "-", and without anything
 * up to the last "__", "." or "/".
 */
static const char *const readers[] = {
	"readfile", "filereader", "read", "view", "cat", "openfile",
	"viewfile", "getfilecontents", "readtextfile", "readmultiplefiles",
	"readmanyfiles", "readfilecontent", "loadfile", "fsread",
	"notebookread", "openfilecontent", "getfile", "showfile"
};
static const char *const writers[] = {
	"writefile", "write", "createfile", "edit", "multiedit", "editfile",
	"savefile", "strreplace", "strreplaceeditor", "strreplacebasededittool",
	"filewriter", "fswrite", "applypatch", "notebookedit", "replace",
	"insert", "createorupdatefile"
};

/* Members that name a file, and members that hold what is written. */
static const char *const path_keys[] = {
	"file_path", "path", "filename", "filePath", "file", "filepath",
	"absolute_path", "file_name", "target_file", "notebook_path", "uri",
	"relative_path", "relative_workspace_path", "name"
};
static const char *const list_keys[] = { "paths", "files", "file_paths" };
static const char *const body_keys[] = {
	"content", "contents", "file_text", "new_string", "new_str",
	"old_string", "old_str", "code", "text", "patch", "diff", "input",
	"new_source"
};
static const char *const from_keys[] = {
	"offset", "start_line", "startLine", "line_start", "from_line"
};
static const char *const count_keys[] = { "limit", "num_lines", "count" };
static const char *const to_keys[] = {
	"end_line", "endLine", "line_end", "to_line"
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void
ctx_reads_done(struct ctx_reads *r)
{
	free(r->read);
	free(r->path);
	free(r->last);
	ctx_strmap_done(&r->paths);
	ctx_buf_done(&r->args);
	ctx_doc_done(&r->doc);
	memset(r, 0, sizeof(*r));
}

/* --- tools --------------------------------------------------------------- */

/* "mcp__filesystem__read_file" becomes "readfile". */
static size_t
plain_name(struct ctx_str name, char *out, size_t size)
{
	uint32_t i = 0, k;
	size_t n = 0;

	for (k = 0; k < name.len; k++)
		if (name.p[k] == '/' || name.p[k] == ':' ||
		    (name.p[k] == '.' && k > 2) || (name.p[k] == '_' &&
		    k + 1 < name.len && name.p[k + 1] == '_'))
			i = k + 1;
	for (; i < name.len && n + 1 < size; i++) {
		if (name.p[i] == '_' || name.p[i] == '-' || name.p[i] == '.')
			continue;
		out[n++] = name.p[i] >= 'A' && name.p[i] <= 'Z' ?
		    (char)(name.p[i] | 0x20) : name.p[i];
	}
	out[n] = '\0';
	return n;
}

static int
is_one_of(struct ctx_str name, const char *const *list, size_t n)
{
	char plain[64];
	size_t i;

	if (name.p == NULL || name.len > 200)
		return 0;
	plain_name(name, plain, sizeof(plain));
	for (i = 0; i < n; i++)
		if (strcmp(plain, list[i]) == 0)
			return 1;
	return 0;
}

static int
is_reader(const struct ctx_reads_opts *o, const struct ctx_part *p)
{
	size_t i;

	if (is_one_of(p->name, readers, COUNT(readers)))
		return 1;
	for (i = 0; i < o->ntool; i++)
		if (p->name.p != NULL && ctx_str_equal(p->name.p, p->name.len,
		    o->tool[i], strlen(o->tool[i])))
			return 1;
	return o->id_prefix != NULL && *o->id_prefix != '\0' &&
	    ctx_str_starts(p->id, o->id_prefix);
}

/* --- arguments ----------------------------------------------------------- */

/*
 * The arguments of call i as an object, in the record itself or decoded from a
 * string.  CTX_NONE if there are none.
 */
static uint32_t
arguments(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i,
    struct ctx_doc *doc)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str s;
	int rc;

	if (p->text == CTX_NONE)
		return CTX_NONE;
	*doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	if (p->flags & CTX_RAW && ctx_node_type(doc, p->text) == '{')
		return p->text;
	if ((s = ctx_node_str(doc, p->text)).p == NULL)
		return CTX_NONE;
	ctx_buf_reset(&r->args);
	rc = ctx_str_decode(&r->args, s.p, s.len);
	if (rc == 0)
		rc = ctx_doc_try(&r->doc, r->args.data, r->args.len);
	r->args.failed = rc == -1;
	if (rc != 1)
		return CTX_NONE;
	*doc = r->doc;
	return ctx_node_type(doc, 0) == '{' ? 0 : CTX_NONE;
}

static uint32_t
member(const struct ctx_doc *doc, uint32_t object, const char *const *keys,
    size_t n, char type)
{
	uint32_t v;
	size_t i;

	for (i = 0; i < n; i++) {
		v = CTX_GET(doc, object, keys[i]);
		if (v != CTX_NONE && (ctx_node_type(doc, v) == type ||
		    (type == '0' && ctx_node_type(doc, v) >= '0' &&
		    ctx_node_type(doc, v) <= '9')))
			return v;
	}
	return CTX_NONE;
}

static uint64_t
number(const struct ctx_doc *doc, uint32_t v)
{
	uint64_t n = 0;
	uint32_t i;

	if (v == CTX_NONE)
		return 0;
	for (i = 0; i < doc->node[v].len && i < 15; i++) {
		char ch = doc->raw[doc->node[v].off + i];

		if (ch < '0' || ch > '9')
			break;
		n = n * 10 + (uint64_t)(ch - '0');
	}
	return n;
}

static int
add_path(struct ctx_reads *r, struct ctx_read *read, const char *s, size_t len)
{
	size_t i = ctx_strmap_add(&r->paths, s, len);

	if (i == CTX_STRMAP_FULL ||
	    CTX_ROOM(r->path, r->npath, &r->cappath) == -1)
		return -1;
	r->path[r->npath++] = i;
	read->npath++;
	return 0;
}

static int
add_node_path(struct ctx_reads *r, struct ctx_read *read,
    const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str s = ctx_node_str(doc, node);
	struct ctx_buf b = { 0 };
	int rc;

	if (s.p == NULL || s.len == 0)
		return 0;
	ctx_str_decode(&b, s.p, s.len);
	rc = b.failed ? -1 : add_path(r, read, b.data, b.len);
	ctx_buf_done(&b);
	return rc;
}

/* Read the arguments: which file or files, and which lines. */
static int
read_arguments(struct ctx_reads *r, struct ctx_read *read,
    const struct ctx_doc *doc, uint32_t args)
{
	uint32_t v, e;
	uint64_t n;

	v = member(doc, args, path_keys, COUNT(path_keys), '"');
	if (v != CTX_NONE && add_node_path(r, read, doc, v) == -1)
		return -1;
	v = member(doc, args, list_keys, COUNT(list_keys), '[');
	if (read->npath == 0)
		CTX_FOR_LIST(doc, e, v)
			if (add_node_path(r, read, doc, e) == -1)
				return -1;
	read->from = number(doc, member(doc, args, from_keys,
	    COUNT(from_keys), '0'));
	read->to = number(doc, member(doc, args, to_keys, COUNT(to_keys),
	    '0'));
	n = number(doc, member(doc, args, count_keys, COUNT(count_keys),
	    '0'));
	if (read->to == 0 && n > 0)
		read->to = (read->from > 0 ? read->from : 1) + n - 1;
	return 0;
}

/* --- finding ------------------------------------------------------------- */

static struct ctx_read *
add_read(struct ctx_reads *r, uint32_t part)
{
	struct ctx_read *p;

	if (CTX_ROOM(r->read, r->n, &r->cap) == -1)
		return NULL;
	p = r->read + r->n++;
	memset(p, 0, sizeof(*p));
	p->part = part;
	p->node = CTX_NONE;
	p->first = r->npath;
	return p;
}

/* Does a tool's answer report a failure, in one of the usual phrasings? */
static int
says_error(struct ctx_str s)
{
	static const char *const words[] = {
		"Error:", "error:", "<tool_use_error>", "ERROR", "Failed to",
		"File not found", "ENOENT", "cat: ", "File does not exist",
		"Traceback ("
	};
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (ctx_str_starts(s, words[i]))
			return 1;
	return s.len > 8 && ctx_str_starts(s, "{\\\"error");
}

/* Add the texts of result i: its own, or those inside it. */
static int
find_result(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i,
    const struct ctx_reads_opts *o)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t call = p->mate, k = i, args;
	struct ctx_read *read;
	struct ctx_doc doc;
	struct ctx_str s;

	if (p->flags & CTX_ERROR || !(is_reader(o, p) || (call != CTX_NONE &&
	    is_reader(o, &c->part[call]))))
		return 0;
	do {
		s = ctx_part_text(c, k);
		if (s.p == NULL || c->part[k].flags & CTX_RAW ||
		    (c->part[k].kind != CTX_RESULT &&
		    c->part[k].kind != CTX_TEXT &&
		    c->part[k].kind != CTX_COPY) || says_error(s))
			continue;
		if ((read = add_read(r, k)) == NULL)
			return -1;
		args = call != CTX_NONE ? arguments(r, c, call, &doc) :
		    CTX_NONE;
		if (r->args.failed || (args != CTX_NONE &&
		    read_arguments(r, read, &doc, args) == -1))
			return -1;
	} while (++k < c->npart && c->part[k].flags & CTX_INNER);
	return 0;
}

/* Add what a writing tool was given. */
static int
find_write(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_read *read;
	struct ctx_doc doc;
	uint32_t args, v;
	size_t k;

	if (!is_one_of(p->name, writers, COUNT(writers)) ||
	    (args = arguments(r, c, i, &doc)) == CTX_NONE)
		return r->args.failed ? -1 : 0;
	for (k = 0; k < COUNT(body_keys); k++) {
		v = CTX_GET(&doc, args, body_keys[k]);
		if (ctx_node_if(&doc, v, '"') == CTX_NONE)
			continue;
		if ((read = add_read(r, i)) == NULL ||
		    read_arguments(r, read, &doc, args) == -1)
			return -1;
		read->wrote = 1;
		read->from = read->to = 0;
		read->node = v;
	}
	return 0;
}

/* The first message that no answer of the assistant follows. */
static uint32_t
seen_up_to(const struct ctx_convo *c)
{
	uint32_t m = c->nmsg;

	while (m > 0 && c->msg[m - 1].role != CTX_ASSISTANT)
		m--;
	return m > 0 ? m - 1 : 0;
}

/*
 * Choose which of them go, from the newest to the oldest.  last[] is 1 + the
 * message in which a file was last seen, and files are counted as they appear.
 */
static int
choose(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *o)
{
	uint32_t seen = seen_up_to(c);
	uint64_t files = 0;
	struct ctx_read *p;
	size_t i, path, *last;
	int newer;

	if (CTX_ROOM(r->last, r->paths.n, &r->caplast) == -1)
		return -1;
	last = r->last;
	memset(last, 0, r->paths.n * sizeof(*last));
	for (i = r->n; i-- > 0;) {
		p = &r->read[i];
		path = p->npath > 0 ? r->path[p->first] : SIZE_MAX;
		/* copies and pieces of one answer count as one */
		newer = path != SIZE_MAX && last[path] != 0 &&
		    last[path] != (size_t)c->part[p->part].msg + 1;
		if (path != SIZE_MAX && last[path] == 0) {
			last[path] = (size_t)c->part[p->part].msg + 1;
			files++;
		} else if (path == SIZE_MAX)
			files++;
		p->goes = c->part[p->part].msg < seen &&
		    (!p->wrote || o->writes);
		if (!newer && (o->superseded || o->keep_latest ||
		    files <= o->keep_recent))
			p->goes = 0;
	}
	return 0;
}

int
ctx_reads_find(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *opts, struct ctx_err *err)
{
	uint32_t i;
	int rc = 0;

	r->n = r->npath = 0;
	ctx_strmap_done(&r->paths);
	for (i = 0; i < c->npart && rc == 0; i++)
		if (c->part[i].kind == CTX_RESULT)
			rc = find_result(r, c, i, opts);
		else if (c->part[i].kind == CTX_CALL)
			rc = find_write(r, c, i);
	if (rc == 0)
		rc = choose(r, c, opts);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* --- line numbers -------------------------------------------------------- */

/* The length of a line's number and separator; 0 if it has none. */
static size_t
numbered(const char *p, size_t len, uint64_t *n, char *mark)
{
	size_t i = 0, digits = 0;

	while (i < len && p[i] == ' ' && i < 12)
		i++;
	for (*n = 0; i < len && p[i] >= '0' && p[i] <= '9' && digits < 9;
	    i++, digits++)
		*n = *n * 10 + (uint64_t)(p[i] - '0');
	if (digits == 0 || i >= len)
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
	if (len - i >= 3 && memcmp(p + i, " | ", 3) == 0) {
		*mark = '|';
		return i + 3;
	}
	return 0;
}

int
ctx_reads_unnumber(const char *text, size_t len, struct ctx_buf *out,
    uint64_t *from, uint64_t *to)
{
	uint64_t n, want = 0, lines = 0;
	const char *nl;
	size_t at = 0, end, skip, before = out->len;
	char mark = 0, first = 0;

	while (at < len) {
		nl = memchr(text + at, '\n', len - at);
		end = nl != NULL ? (size_t)(nl - text) : len;
		skip = numbered(text + at, end - at, &n, &mark);
		if (skip == 0 || (lines > 0 && (n != want || mark != first)))
			break;
		if (lines++ == 0) {
			*from = n;
			first = mark;
		}
		want = n + 1;
		ctx_buf_add(out, text + at + skip, end - at - skip);
		ctx_buf_addc(out, '\n');
		at = end + 1;
	}
	/* a short rest is a remark of the tool's */
	if (out->failed)
		return -1;
	if (lines == 0 || (at < len && len - at > 600)) {
		out->len = before;
		return 0;
	}
	*to = want - 1;
	return 1;
}
