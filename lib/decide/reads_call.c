/* SPDX-License-Identifier: MIT */
/* What a call names: the file or page that it reads, or writes; see reads.h. */
#include "decide/reads_impl.h"

#include <string.h>

#include "text/command.h"

/*
 * Tools that return a file's contents, as agents and MCP servers call them.
 * Names are compared in lower case, without "_" and "-", and without anything
 * up to the last "__", "." or "/".
 */
static const char *const readers[] = {
	"readfile", "filereader", "read", "view", "cat", "openfile",
	"viewfile", "getfilecontents", "readtextfile", "readmultiplefiles",
	"readmanyfiles", "readfilecontent", "loadfile", "fsread",
	"notebookread", "openfilecontent", "getfile", "showfile", "readfiles"
};
static const char *const shells[] = {
	"bash", "shell", "execcommand", "runshellcommand", "executebash",
	"executecommand", "runcommand", "runterminalcmd", "localshell",
	"shellcommand", "runcommands"
};
static const char *const listers[] = {
	"grep", "search", "glob", "ls", "list", "listdirectory", "listdir",
	"listfiles", "searchfiles", "searchfilecontent", "grepsearch",
	"filesearch", "searchcodebase", "searchfilecontents", "findfiles",
	"readfolder"
};
/* Those that write all of a file, and those that may edit it. */
static const char *const writers[] = {
	"writefile", "write", "createfile", "savefile", "filewriter", "fswrite",
	"createorupdatefile"
};
static const char *const editors[] = {
	"edit", "multiedit", "editfile", "strreplace", "strreplaceeditor",
	"strreplacebasededittool", "applypatch", "notebookedit", "replace",
	"insert"
};

/* Members that name a file, and members that hold what is written. */
static const char *const path_keys[] = {
	"file_path", "path", "filename", "filePath", "file", "filepath",
	"absolute_path", "file_name", "target_file", "notebook_path", "uri",
	"relative_path", "relative_workspace_path", "name"
};
/* Members that name one where no path does; the last, only if it is one. */
static const char *const id_keys[] = {
	"code_id", "file_id", "file_ref", "document_id", "source_path", "url",
	"id"
};
static const char *const list_keys[] = { "paths", "files", "file_paths" };
static const char *const body_keys[] = {
	"content", "contents", "file_text", "new_string", "new_str",
	"old_string", "old_str", "code", "text", "patch", "diff", "input",
	"new_source"
};
static const char *const from_keys[] = {
	"offset", "start_line", "startLine", "line_start", "from_line", "line",
	"start_line_one_indexed", "start"
};
static const char *const count_keys[] = {
	"limit", "num_lines", "count", "head", "lines"
};
static const char *const to_keys[] = {
	"end_line", "endLine", "line_end", "to_line",
	"end_line_one_indexed_inclusive"
};
static const char *const last_keys[] = { "tail" };
/* Members that say where a command runs, or from where a path goes. */
static const char *const dir_keys[] = {
	"workdir", "cwd", "working_directory", "dir_path", "directory"
};
static const char *const range_keys[] = { "view_range", "read_range" };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

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
is_writer(struct ctx_str name)
{
	return is_one_of(name, writers, COUNT(writers)) ||
	    is_one_of(name, editors, COUNT(editors));
}

int
ctx_reads_tool(struct ctx_str name)
{
	return is_one_of(name, readers, COUNT(readers)) || is_writer(name);
}

/* Leaves one of the words, which are divided by spaces, at the start of *s. */
static int
skip_word(const char **s, const char *words)
{
	const char *end;
	size_t n;

	for (; *words != '\0'; words = *end == ' ' ? end + 1 : end) {
		end = words + strcspn(words, " ");
		n = (size_t)(end - words);
		if (strncmp(*s, words, n) == 0) {
			*s += n;
			return 1;
		}
	}
	return 0;
}

/* Does a tool return what an id names, by its name: get_code, fetch_url? */
static int
reads_by_id(struct ctx_str name)
{
	char plain[64];
	const char *s = plain;

	if (name.p == NULL || name.len > 200)
		return 0;
	plain_name(name, plain, sizeof(plain));
	if (!skip_word(&s, "read get load open fetch view show cat retrieve") ||
	    !skip_word(&s, "codeblock code file document doc upload "
	    "attachment source url webpage page"))
		return 0;
	skip_word(&s, "contents content text");
	skip_word(&s, "byid");
	return *s == '\0';
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

/* Is node v a number, or a string that spells one? */
static int
is_number(const struct ctx_doc *doc, uint32_t v)
{
	struct ctx_str s = ctx_node_type(doc, v) == '"' ? ctx_node_str(doc,
	    v) : ctx_node_json(doc, v);

	return s.len > 0 && *s.p >= '0' && *s.p <= '9';
}

static uint32_t
member(const struct ctx_doc *doc, uint32_t object, const char *const *keys,
    size_t n, char type)
{
	uint32_t v;
	size_t i;

	for (i = 0; i < n; i++) {
		v = CTX_GET(doc, object, keys[i]);
		if (v != CTX_NONE && (type == '0' ? is_number(doc, v) :
		    ctx_node_type(doc, v) == type))
			return v;
	}
	return CTX_NONE;
}

/* The number that begins at p[0 .. len), or 0. */
static uint64_t
digits(const char *p, size_t len)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < len && i < 15 && p[i] >= '0' && p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(p[i] - '0');
	return n;
}

/* The number of the first of the keys that has one, or 0. */
static uint64_t
number(const struct ctx_doc *doc, uint32_t args, const char *const *keys,
    size_t n)
{
	struct ctx_str s = ctx_node_json(doc, member(doc, args, keys, n,
	    '0'));

	if (s.len > 0 && *s.p == '"')
		return digits(s.p + 1, s.len - 1);
	return digits(s.p, s.len);
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

/* [10, 69], or [10, -1] up to the end of the file */
static void
read_range(struct ctx_read *read, const struct ctx_doc *doc, uint32_t v)
{
	struct ctx_str s = ctx_node_json(doc, v);
	const char *comma;

	if (s.len == 0 || (comma = memchr(s.p, ',', s.len)) == NULL)
		return;
	for (s.p++; *s.p == ' '; s.p++)
		;
	read->from = digits(s.p, (size_t)(comma - s.p));
	while (*++comma == ' ')
		;
	read->to = digits(comma, 15);
}

/*
 * May member k say in a way that is not known which lines are meant?  It is a
 * number, or a list of numbers, which have no nodes.
 */
static int
is_odd(const struct ctx_doc *doc, uint32_t k)
{
	struct ctx_str key = ctx_node_str(doc, k);
	uint32_t v = k + 1;
	char type = ctx_node_type(doc, v);

	if (type == '[')
		return doc->node[v].next == v + 1 && doc->node[v].len > 2 &&
		    !ctx_str_in(key, range_keys, COUNT(range_keys));
	return type == '-' || (type >= '0' && type <= '9' &&
	    !ctx_str_in(key, from_keys, COUNT(from_keys)) &&
	    !ctx_str_in(key, to_keys, COUNT(to_keys)) &&
	    !ctx_str_in(key, count_keys, COUNT(count_keys)) &&
	    !ctx_str_in(key, last_keys, COUNT(last_keys)));
}

static void
read_lines(struct ctx_read *read, const struct ctx_doc *doc, uint32_t args)
{
	uint64_t n = number(doc, args, count_keys, COUNT(count_keys));
	uint32_t k;

	read->from = number(doc, args, from_keys, COUNT(from_keys));
	read->to = number(doc, args, to_keys, COUNT(to_keys));
	read->last = number(doc, args, last_keys, COUNT(last_keys));
	read_range(read, doc, member(doc, args, range_keys,
	    COUNT(range_keys), '['));
	if (read->to == 0 && n > 0)
		read->to = (read->from > 0 ? read->from : 1) + n - 1;
	CTX_FOR_KEYS(doc, k, args)
		read->odd |= is_odd(doc, k);
}

/* Is one of the paths a pattern, or a directory? */
static int
names_many(const struct ctx_reads *r, const struct ctx_read *read)
{
	const char *s;
	size_t i, len;

	for (i = 0; i < read->npath; i++) {
		s = ctx_strmap_at(&r->paths, r->path[read->first + i], &len);
		if (memmem(s, len, "://", 3) == NULL && (s[len - 1] == '/' ||
		    memchr(s, '*', len) != NULL || memchr(s, '?', len) != NULL))
			return 1;
	}
	return 0;
}

/* The file of a read in the catalog. */
static const struct ctx_catalog_file *
known_file(const struct ctx_reads *r, const struct ctx_read *read,
    const struct ctx_reads_opts *o)
{
	const char *s;
	size_t len;

	if (o->catalog == NULL || read->npath != 1)
		return NULL;
	s = ctx_strmap_at(&r->paths, r->path[read->first], &len);
	return ctx_catalog_find(o->catalog, s, len);
}

/*
 * Name what is read by its id.  A bare "id" may be anything's, unless the tool
 * reads files or the catalog has it.  Returns 1, 0 if there is none, or -1.
 */
static int
read_id(struct ctx_reads *r, struct ctx_read *read, const struct ctx_doc *doc,
    uint32_t args, const struct ctx_reads_opts *o)
{
	uint32_t v;
	size_t i;

	for (i = 0; i < COUNT(id_keys); i++) {
		v = CTX_GET(doc, args, id_keys[i]);
		if (ctx_node_str(doc, v).len == 0)
			continue;
		if (add_node_path(r, read, doc, v) == -1)
			return -1;
		read->known = known_file(r, read, o);
		read->by = i + 2 == COUNT(id_keys) ? CTX_READ_BY_URL :
		    CTX_READ_BY_ID;
		return 1;
	}
	return 0;
}

/* Read the arguments: which file or files, and which lines. */
static int
read_arguments(struct ctx_reads *r, struct ctx_read *read,
    const struct ctx_doc *doc, uint32_t args, const struct ctx_reads_opts *o)
{
	uint32_t v, e, path;

	v = member(doc, args, path_keys, COUNT(path_keys), '"');
	if (v != CTX_NONE && add_node_path(r, read, doc, v) == -1)
		return -1;
	read_lines(read, doc, args);
	if (read->npath > 0)
		return 0;
	v = member(doc, args, list_keys, COUNT(list_keys), '[');
	CTX_FOR_LIST(doc, e, v) {
		/* a path, or an object with one and its lines */
		path = e;
		if (ctx_node_type(doc, e) == '{') {
			path = member(doc, e, path_keys, COUNT(path_keys),
			    '"');
			read_lines(read, doc, e);
		}
		if (path != CTX_NONE && add_node_path(r, read, doc, path) == -1)
			return -1;
	}
	if (read->npath > 1)
		read->from = read->to = read->last = 0;
	return read->npath > 0 ? 0 : read_id(r, read, doc, args, o);
}

uint32_t
ctx_reads_command(const struct ctx_doc *doc, uint32_t args)
{
	static const char *const keys[] = { "command", "cmd", "script",
	    "shell_command" };
	uint32_t v = member(doc, args, keys, COUNT(keys), '"'), e;
	uint32_t last = CTX_NONE;

	if (v != CTX_NONE)
		return v;
	/* a list of command lines, which must be one */
	v = CTX_GET(doc, args, "commands");
	if (ctx_node_if(doc, v, '[') != CTX_NONE)
		return v + 1 < doc->node[v].next && doc->node[v + 1].next ==
		    doc->node[v].next ? ctx_node_if(doc, v + 1, '"') :
		    CTX_NONE;
	v = member(doc, args, keys, COUNT(keys), '[');
	CTX_FOR_LIST(doc, e, v)
		if (ctx_node_type(doc, e) == '"')
			last = e;
	return last;
}

/* Add the directory in which a call runs, if it has one, and what is behind it. */
static int
add_dir(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t args, char behind)
{
	uint32_t dir = member(doc, args, dir_keys, COUNT(dir_keys), '"');

	if (dir == CTX_NONE || ctx_node_str(doc, dir).len == 0 ||
	    ctx_node_is(doc, dir, "."))
		return 0;
	if (ctx_node_decode(b, doc, dir) == -1)
		return -1;
	if (behind != '/' || b->data[b->len - 1] != '/')
		ctx_buf_addc(b, behind);
	return b->failed ? -1 : 0;
}

static int
is_absolute(const char *path, size_t len)
{
	return len > 0 && (*path == '/' || *path == '~');
}

/* The file that a command prints.  Returns 1, 0 if there is none, or -1. */
static int
printed_file(struct ctx_reads *r, struct ctx_read *read,
    const struct ctx_doc *doc, uint32_t args, struct ctx_str s)
{
	struct ctx_command_file f;
	struct ctx_buf path = { 0 };
	int in_dir, rc = 0;

	if (!ctx_command_file(s.p, s.len, &f))
		return 0;
	in_dir = f.dir != NULL && !is_absolute(f.path, f.len);
	if (!is_absolute(in_dir ? f.dir : f.path, in_dir ? f.dirlen : f.len))
		rc = add_dir(&path, doc, args, '/');
	if (in_dir) {
		ctx_buf_add(&path, f.dir, f.dirlen);
		ctx_buf_addc(&path, '/');
	}
	ctx_buf_add(&path, f.path, f.len);
	rc = rc == -1 || path.failed || add_path(r, read, path.data,
	    path.len) == -1 ? -1 : 1;
	read->from = f.from;
	read->to = f.to;
	read->last = f.last;
	read->numbered = f.numbered;
	ctx_buf_done(&path);
	return rc;
}

/*
 * What a command lists: its path is the command, after the directory in which
 * it runs.  Returns 1, 0 if that is not known, or -1.
 */
static int
printed_listing(struct ctx_reads *r, struct ctx_read *read,
    const struct ctx_doc *doc, uint32_t args, struct ctx_str s)
{
	struct ctx_listing_how how;
	struct ctx_buf path = { 0 };
	int rc = 1;

	if (!ctx_listing_command(s.p, s.len, &how))
		return 0;
	read->form = how.form;
	if (add_dir(&path, doc, args, '\n') == -1)
		rc = -1;
	read->title = path.len;
	ctx_buf_add(&path, s.p, s.len);
	if (path.failed || add_path(r, read, path.data, path.len) == -1)
		rc = -1;
	ctx_buf_done(&path);
	return rc;
}

/*
 * Find what a shell's command prints, in the arguments of its call: a file, or
 * a listing.  Returns 1 with its path and lines, 0 if there is none, -1 if out
 * of memory.
 */
static int
printed(struct ctx_reads *r, struct ctx_read *read, const struct ctx_doc *doc,
    uint32_t args, int listings)
{
	uint32_t v = ctx_reads_command(doc, args);
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (v == CTX_NONE)
		return 0;
	read->printed = 1;
	if (ctx_node_decode(&b, doc, v) == -1)
		rc = -1;
	else {
		rc = printed_file(r, read, doc, args, ctx_str_of(&b));
		if (rc == 0 && listings)
			rc = printed_listing(r, read, doc, args,
			    ctx_str_of(&b));
	}
	ctx_buf_done(&b);
	return rc;
}

/* How the result of a tool that lists is to be read. */
static enum ctx_listing_form
tool_form(struct ctx_str name, const struct ctx_doc *doc, uint32_t args)
{
	static const char *const glob[] = { "glob" };
	static const char *const other[] = {
		"-A", "-B", "-C", "context", "multiline", "head_limit", "offset"
	};
	size_t i;

	if (is_one_of(name, glob, 1))
		return CTX_LISTING_PATHS;
	if (!ctx_node_is(doc, CTX_GET(doc, args, "output_mode"), "content"))
		return CTX_LISTING_TOOL;
	for (i = 0; i < COUNT(other); i++)
		if (CTX_GIVEN(doc, args, other[i]) != CTX_NONE)
			return CTX_LISTING_NONE;
	return CTX_LISTING_MATCHES;
}

/*
 * Name a listing by its tool and the arguments: "Grep pattern=x path=src".
 * Returns 1, 0 if its form is not known, -1 if out of memory.
 */
static int
listed(struct ctx_reads *r, struct ctx_read *read, struct ctx_str name,
    const struct ctx_doc *doc, uint32_t args)
{
	struct ctx_buf b = { 0 };
	struct ctx_str s;
	uint32_t k;
	int rc;

	if ((read->form = tool_form(name, doc, args)) == CTX_LISTING_NONE)
		return 0;
	ctx_str_decode(&b, name.p, name.len);
	CTX_FOR_KEYS(doc, k, args) {
		ctx_buf_addc(&b, ' ');
		s = ctx_node_str(doc, k);
		ctx_str_decode(&b, s.p, s.len);
		ctx_buf_addc(&b, '=');
		if (ctx_node_type(doc, k + 1) != '"')
			ctx_buf_add(&b, doc->raw + doc->node[k + 1].off,
			    doc->node[k + 1].len);
		else if (ctx_node_decode(&b, doc, k + 1) == -1)
			b.failed = 1;
	}
	rc = b.failed || add_path(r, read, b.data, b.len) == -1 ? -1 : 1;
	ctx_buf_done(&b);
	return rc;
}

/* --- calls --------------------------------------------------------------- */

enum ctx_reads_kind
ctx_reads_kind_of(const struct ctx_convo *c, const struct ctx_part *p,
    const struct ctx_reads_opts *o)
{
	const struct ctx_part *call = p->mate != CTX_NONE ? &c->part[p->mate] :
	    NULL;

	if (is_reader(o, p) || (call != NULL && is_reader(o, call)))
		return CTX_READS_READER;
	if (call == NULL)
		return CTX_READS_OTHER;
	if (is_one_of(call->name, shells, COUNT(shells)))
		return CTX_READS_SHELL;
	if (reads_by_id(call->name))
		return CTX_READS_BY_ID;
	return o->listings && is_one_of(call->name, listers, COUNT(listers)) ?
	    CTX_READS_LISTER : CTX_READS_OTHER;
}

int
ctx_reads_name(struct ctx_reads *r, const struct ctx_convo *c,
    struct ctx_read *read, enum ctx_reads_kind kind,
    const struct ctx_reads_opts *o)
{
	uint32_t call = c->part[read->head].mate, args = CTX_NONE;
	struct ctx_doc doc;
	int rc;

	if (call != CTX_NONE)
		args = arguments(r, c, call, &doc);
	if (r->args.failed)
		return -1;
	if (args == CTX_NONE)
		return kind == CTX_READS_READER;
	switch (kind) {
	case CTX_READS_READER:
		rc = read_arguments(r, read, &doc, args, o);
		read->known = known_file(r, read, o);
		return rc == -1 ? -1 : !names_many(r, read);
	case CTX_READS_BY_ID:
		/* an answer about the page, not the page */
		if (CTX_GIVEN(&doc, args, "prompt") != CTX_NONE)
			return 0;
		read_lines(read, &doc, args);
		return read_id(r, read, &doc, args, o);
	case CTX_READS_SHELL:
		return printed(r, read, &doc, args, o->listings);
	case CTX_READS_LISTER:
		return listed(r, read, c->part[call].name, &doc, args);
	default:
		rc = read_id(r, read, &doc, args, o);
		read->proof = 1;
		return rc == 1 ? read->known != NULL : rc;
	}
}

/* Does a tool of that name write all of a file, where member key holds it? */
static int
writes_all(struct ctx_str name, const struct ctx_doc *doc, uint32_t args,
    struct ctx_str key)
{
	uint32_t append = CTX_GET(doc, args, "append");

	/* Anthropic's editor creates a file by it */
	if (ctx_str_is(key, "file_text"))
		return 1;
	return is_one_of(name, writers, COUNT(writers)) &&
	    (ctx_str_starts(key, "content") || ctx_str_is(key, "text") ||
	    ctx_str_is(key, "code")) &&
	    (append == CTX_NONE || ctx_node_type(doc, append) == 'f') &&
	    !ctx_node_is(doc, CTX_GET(doc, args, "mode"), "append");
}

int
ctx_reads_write(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i,
    const struct ctx_reads_opts *o)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_read *read;
	struct ctx_doc doc;
	uint32_t args, v;
	size_t k;
	int rc;

	if (!is_writer(p->name) || p->mate == CTX_NONE)
		return 0;
	if ((rc = ctx_reads_failed(r, c, p->mate)) != 0)
		return rc == -1 ? -1 : 0;
	if ((args = arguments(r, c, i, &doc)) == CTX_NONE)
		return r->args.failed ? -1 : 0;
	for (k = 0; k < COUNT(body_keys); k++) {
		v = CTX_GET(&doc, args, body_keys[k]);
		if (ctx_node_if(&doc, v, '"') == CTX_NONE)
			continue;
		read = ctx_reads_add(r, i, ctx_node_str(&doc, v), o);
		if (read == NULL || read_arguments(r, read, &doc, args,
		    o) == -1)
			return -1;
		read->wrote = 1;
		read->all = writes_all(p->name, &doc, args,
		    ctx_node_str(&doc, v - 1));
		read->from = read->to = read->last = 0;
		read->odd = 0;
		read->node = v;
	}
	return 0;
}
