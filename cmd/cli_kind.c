/* SPDX-License-Identifier: MIT */
/* Files that are not lines of JSON; see cli_kind.h. */
#include "cli_kind.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"

struct kind {
	const char *begins;	/* with these bytes */
	size_t len;
	const char *what;
	const char *how;	/* before the command, if it ends in "| " */
};

#define KIND(begins, what, how) { begins, sizeof(begins) - 1, what, how }

/* A program that prints JSON for each line l, or for what it finds in them. */
#define PYTHON(with, what, where)	": python3 -c 'import " with \
	    ";[print(json.dumps(" what ")) for " where "]' <FILE | "
#define LITERAL PYTHON("ast,json,sys", "ast.literal_eval(l)", "l in sys.stdin")
#define NUMBER	PYTHON("json,sys", "json.loads(l,parse_constant=" \
	    "lambda c:None)", "l in sys.stdin")
#define NAMES	PYTHON("json,sys,yaml", "yaml.safe_load(l)", "l in sys.stdin")
#define YAML	PYTHON("json,sys,yaml", "d", "d in " \
	    "yaml.safe_load_all(sys.stdin)")

/* The first one that fits counts. */
static const struct kind kinds[] = {
	KIND("\x1f\x8b", "gzip", ": zcat FILE | "),
	KIND("\x28\xb5\x2f\xfd", "zstd", ": zstdcat FILE | "),
	KIND("\xfd" "7zXZ", "xz", ": xzcat FILE | "),
	KIND("BZh", "bzip2", ": bzcat FILE | "),
	KIND("PK\3\4", "a zip archive", ": unzip -p FILE | "),
	KIND("%PDF-", "a PDF document", "; ctx-digest-files says what is in it"),
	KIND("\x89PNG", "a picture (PNG)", "; ctx-digest-files says what it is"),
	KIND("SQLite format 3", "an SQLite database",
	    "; of a store: ctx-store --db FILE load THREAD | "),
	KIND("\xff\xfe\0\0", "UTF-32", ": iconv -f UTF-32 -t UTF-8 FILE | "),
	KIND("\0\0\xfe\xff", "UTF-32", ": iconv -f UTF-32 -t UTF-8 FILE | "),
	KIND("\xff\xfe", "UTF-16", ": iconv -f UTF-16 -t UTF-8 FILE | "),
	KIND("\xfe\xff", "UTF-16", ": iconv -f UTF-16 -t UTF-8 FILE | "),
	KIND("{\0", "UTF-16", ": iconv -f UTF-16LE -t UTF-8 FILE | "),
	KIND("\0{", "UTF-16", ": iconv -f UTF-16BE -t UTF-8 FILE | "),
	KIND("data: {", "an answer that streams",
	    ": ctx-convert --from response FILE | "),
	KIND("data:{", "an answer that streams",
	    ": ctx-convert --from response FILE | "),
	KIND("event: ", "an answer that streams",
	    ": ctx-convert --from response FILE | ")
};

/* What the line has at the place that is not JSON. */
static const struct kind faults[] = {
	KIND("'", "with single quotes, as Python prints a dictionary", LITERAL),
	KIND("None", "with None, as Python prints it", LITERAL),
	KIND("True", "with True, as Python prints it", LITERAL),
	KIND("False", "with False, as Python prints it", LITERAL),
	KIND("NaN", "with NaN, which JSON does not have", NUMBER),
	KIND("Infinity", "with Infinity, which JSON does not have", NUMBER),
	KIND("undefined", "with undefined, as JavaScript prints it",
	    "; JSON.stringify(message) prints JSON"),
	KIND("//", "with a comment, which JSON does not have", "; delete it"),
	KIND("/*", "with a comment, which JSON does not have", "; delete it")
};

static const struct kind
    comment = KIND("", "a comment", ": sed '/^ *\\/\\//d' FILE | "),
    bare = KIND("", "with names that have no quotes, as in JavaScript", NAMES),
    tight = KIND("", "with names that have no quotes, as in JavaScript",
	"; JSON.stringify(message) prints JSON"),
    yaml = KIND("", "YAML", YAML),
    last = KIND("", "with a comma before }",
	": sed 's/, *}[[:space:]]*$/}/' FILE | "),
    inner = KIND("", "with a comma before }, where JSON has none",
	"; delete it"),
    bracket = KIND("", "with a comma before ], where JSON has none",
	"; delete it"),
    after = KIND("", "with a comma after the message",
	": sed 's/,[[:space:]]*$//' FILE | "),
    document = KIND("", "the beginning of a document with a fault",
	"; python3 -m json.tool FILE shows where"),
    tar = KIND("", "a tar archive", ": tar -xOf FILE | "),
    glued = KIND("", "several values on a line", ": jq -c . FILE | "),
    prefixed = KIND("", "a line that ends with JSON",
	": sed 's/^[^{]*//' FILE | "),
    page = KIND("", "a page of HTML", ", such as a server sends when it fails"),
    commas = KIND("", "a table with commas",
	": mlr --icsv --ojsonl cat FILE | "),
    tabs = KIND("", "a table with tabs", ": mlr --itsv --ojsonl cat FILE | ");

static int
is_page(const char *p, size_t len)
{
	static const char *const begins[] = { "<!doctype html", "<html" };
	size_t i, n;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		n = strlen(begins[i]);
		if (len >= n && strncasecmp(p, begins[i], n) == 0)
			return 1;
	}
	return 0;
}

/* Is it a head of columns, of which one is what messages have? */
static int
is_head(const char *p, size_t len, char between)
{
	static const char *const names[] = { "role", "content", "message",
	    "text", NULL };
	int fields = 1, known = 0;
	size_t i = 0, n;
	const char *const *name;

	while (len > 0 && (p[len - 1] == '\n' || p[len - 1] == '\r'))
		len--;
	for (; i <= len; i += n + 1) {
		for (n = 0; i + n < len && p[i + n] != between; n++)
			if (strchr("{}[]:", p[i + n]) != NULL)
				return 0;
		for (name = names; *name != NULL; name++)
			known |= n == strlen(*name) &&
			    strncasecmp(p + i, *name, n) == 0;
		fields += i + n < len;
	}
	return known && fields > 1;
}

/* --- what is nearly JSON -------------------------------------------------- */

static int
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length without the white space at the end. */
static size_t
trimmed(const char *p, size_t len)
{
	while (len > 0 && strchr(" \t\r\n", p[len - 1]) != NULL)
		len--;
	return len;
}

/* A list, or a member that messages have: "- role: user", "messages:". */
static int
is_yaml(const char *p, size_t len)
{
	static const char *const keys[] = { "role", "content", "message",
	    "messages", "system", "model", NULL };
	size_t i, n;

	if (len == 3 && memcmp(p, "---", 3) == 0)
		return 1;
	if (len >= 3 && memcmp(p, "- ", 2) == 0) {
		p += 2;
		len -= 2;
		if (*p == '{')
			return 1;
	}
	for (i = 0; keys[i] != NULL; i++) {
		n = strlen(keys[i]);
		if (len > n && memcmp(p, keys[i], n) == 0 && p[n] == ':' &&
		    (len == n + 1 || p[n + 1] == ' '))
			return 1;
	}
	return 0;
}

/* What commas are too many at the place; or NULL. */
static const struct kind *
comma_of(const char *p, size_t len, size_t at)
{
	size_t before = trimmed(p, at);

	if (before == 0)
		return NULL;
	if (p[at] == ',' && at + 1 == len && p[before - 1] == '}')
		return &after;
	if (p[before - 1] != ',' || before == 1)
		return NULL;
	return p[at] == ']' ? &bracket : p[at] != '}' ? NULL :
	    at + 1 == len ? &last : &inner;
}

/* Has the name a space after its colon, without which it is no name in YAML? */
static int
is_spaced(const char *p, size_t len)
{
	const char *colon = memchr(p, ':', len);

	return colon != NULL && colon + 1 < p + len && colon[1] == ' ';
}

/* What of the line, without its end, is not JSON at the place; or NULL. */
static const struct kind *
fault_of(const char *p, size_t len, size_t at)
{
	size_t i;

	if (len > 1 && memcmp(p, "//", 2) == 0)
		return &comment;
	if (at >= len)
		return len == 1 && (*p == '{' || *p == '[') ? &document : NULL;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (len - at >= faults[i].len &&
		    memcmp(p + at, faults[i].begins, faults[i].len) == 0 &&
		    (*p == '{' || *p == '[' || p[at] == '/'))
			return &faults[i];
	if (*p == '{' && is_letter(p[at]) && (trimmed(p, at) == 1 ||
	    p[trimmed(p, at) - 1] == ','))
		return is_spaced(p + at, len - at) ? &bare : &tight;
	return comma_of(p, len, at);
}

/* A tar begins with the header of its first file, in 512 bytes. */
static int
is_tar(const char *p, size_t len)
{
	return len > 262 && memcmp(p + 257, "ustar", 5) == 0;
}

/* Does another object begin at the column, right after one? */
static int
is_glued(const char *p, size_t len, size_t col)
{
	size_t i = col - 1;

	if (col < 2 || col > len || p[i] != '{')
		return 0;
	while (i > 1 && p[i - 1] == ' ')
		i--;
	return p[i - 1] == '}';
}

/* Is it a line of a log that ends with an object, after a time or a name? */
static int
is_prefixed(const char *p, size_t len)
{
	const char *brace = memchr(p, '{', len);

	while (len > 0 && (p[len - 1] == '\n' || p[len - 1] == '\r'))
		len--;
	return brace != NULL && brace > p && *p != '[' &&
	    (size_t)(brace - p) + 1 < len && brace[1] == '"' &&
	    p[len - 1] == '}';
}

static const struct kind *
kind_of(const char *raw, size_t len, size_t col)
{
	const struct kind *near;
	const char *nl;
	size_t i, first;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (len >= kinds[i].len &&
		    memcmp(raw, kinds[i].begins, kinds[i].len) == 0)
			return &kinds[i];
	if (len >= 3 && memcmp(raw, "\xef\xbb\xbf", 3) == 0) {
		raw += 3;
		len -= 3;
		col -= col > 3 ? 3 : 0;
	}
	if (is_tar(raw, len))
		return &tar;
	if (is_glued(raw, len, col))
		return &glued;
	nl = memchr(raw, '\n', len);
	first = trimmed(raw, nl != NULL ? (size_t)(nl - raw) : len);
	if (is_yaml(raw, first))
		return &yaml;
	near = col == 0 ? NULL : fault_of(raw, first, col - 1);
	/* of one that is read as a document, the line is known */
	if (near == &document && trimmed(raw, len) > first)
		near = NULL;
	if (near != NULL)
		return near;
	if (is_prefixed(raw, len))
		return &prefixed;
	return is_page(raw, len) ? &page : is_head(raw, len, ',') ? &commas :
	    is_head(raw, len, '\t') ? &tabs : NULL;
}

int
cli_kind(const char *raw, size_t len, size_t col, const char *command,
    char *text, size_t size)
{
	const struct kind *k = kind_of(raw, len, col);

	if (k == NULL)
		return 0;
	snprintf(text, size, "not JSON but %s%s%s", k->what, k->how,
	    k->how[strlen(k->how) - 1] == ' ' ? command : "");
	return 1;
}

void
cli_kind_apart(struct cli *c, const char *file, const struct ctx_apart *a)
{
	char quoted[512];

	if (a->values.n > 1)
		cli_warn(c, "%s: looks like %zu%s conversations, which are "
		    "read as one; --by %s tells them apart",
		    ctx_err_quote(quoted, sizeof(quoted), file, strlen(file)),
		    a->values.n, a->values.n == CTX_APART_MAX ? " or more" : "",
		    a->name);
}
