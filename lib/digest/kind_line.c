/* SPDX-License-Identifier: MIT */
/*
 * Kinds that are read line by line: Dockerfiles (docs.docker.com/reference),
 * environment files, and the files of Go (go.dev/ref/mod), Yarn and Bundler.
 */
#include <string.h>

#include "digest/kind_impl.h"

#define PADDED_MIN	16	/* bytes of a value that may go on */

/* A text and its current line, without the line end. */
struct lines {
	const char *next, *end;
	const char *p;
	size_t len;
};

static int
next_line(struct lines *l)
{
	const char *nl;

	if (l->next >= l->end)
		return 0;
	l->p = l->next;
	nl = memchr(l->p, '\n', (size_t)(l->end - l->p));
	l->next = nl == NULL ? l->end : nl + 1;
	l->len = (size_t)((nl == NULL ? l->end : nl) - l->p);
	if (l->len > 0 && l->p[l->len - 1] == '\r')
		l->len--;
	return 1;
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word in [*p, end), which *p is moved behind; its length. */
static size_t
word(const char **p, const char *end, const char **text)
{
	while (*p < end && is_blank(**p))
		(*p)++;
	for (*text = *p; *p < end && !is_blank(**p); )
		(*p)++;
	return (size_t)(*p - *text);
}

static int
is_word(const char *p, size_t len, const char *upper)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (upper[i] == '\0' || (p[i] & ~32) != upper[i])
			return 0;
	return upper[i] == '\0';
}

/* --- Dockerfiles --------------------------------------------------------- */

/* FROM [--platform=P] IMAGE [AS NAME] */
static int
from(struct ctx_digest *d, const char *p, const char *end,
    struct ctx_err *err)
{
	const char *image, *w;
	size_t n, m;

	do
		n = word(&p, end, &image);
	while (n > 2 && image[0] == '-' && image[1] == '-');
	/* a stage above is no base image */
	if (!ctx_names_has(&d->names, CTX_STAGES, image, n) &&
	    ctx_digest_name(d, CTX_IMAGES, image, n, err) == -1)
		return -1;
	m = word(&p, end, &w);
	if (!is_word(w, m, "AS"))
		return 0;
	m = word(&p, end, &w);
	return ctx_digest_name(d, CTX_STAGES, w, m, err);
}

static int
ports(struct ctx_digest *d, const char *p, const char *end,
    struct ctx_err *err)
{
	const char *w;
	size_t n;

	while ((n = word(&p, end, &w)) > 0)
		if (ctx_digest_name(d, CTX_PORTS, w, n, err) == -1)
			return -1;
	return 0;
}

/* The length of the delimiter of a here-document that a line opens, or 0. */
static size_t
opens_here(const struct lines *l, const char **delim)
{
	const char *p = memmem(l->p, l->len, "<<", 2);
	const char *end = l->p + l->len;
	size_t n;

	*delim = l->p;
	if (p == NULL)
		return 0;
	p += 2;
	if (p < end && *p == '-')
		p++;
	if (p < end && (*p == '"' || *p == '\''))
		p++;
	for (n = 0; p + n < end && ((p[n] | 32) >= 'a' ? (p[n] | 32) <= 'z' :
	    p[n] == '_'); n++)
		continue;
	*delim = p;
	return n;
}

static void
skip_here(struct lines *l, const char *delim, size_t n)
{
	const char *p;

	while (next_line(l)) {
		for (p = l->p; p < l->p + l->len && *p == '\t'; p++)
			continue;
		if ((size_t)(l->p + l->len - p) == n &&
		    memcmp(p, delim, n) == 0)
			return;
	}
}

static int
is_comment(const struct lines *l)
{
	const char *p = l->p, *w;
	size_t n = word(&p, l->p + l->len, &w);

	return n == 0 || *w == '#';
}

/* Append an instruction, which may continue on further lines, to d->scratch. */
static void
instruction(struct ctx_digest *d, struct lines *l)
{
	int more;

	ctx_buf_reset(&d->scratch);
	do {
		if (d->scratch.len > 0 && is_comment(l))
			more = 1;
		else {
			more = l->len > 0 && l->p[l->len - 1] == '\\';
			ctx_buf_add(&d->scratch, l->p, l->len - (size_t)more);
			ctx_buf_addc(&d->scratch, ' ');
		}
	} while (more && next_line(l));
}

/* The command of the last stage. */
struct entry {
	struct ctx_buf entry, cmd;
};

static int
put_instruction(struct ctx_digest *d, struct entry *e, struct ctx_err *err)
{
	const char *p = d->scratch.data, *end = p + d->scratch.len, *w;
	size_t n = word(&p, end, &w);
	struct ctx_buf *to = NULL;

	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	if (is_word(w, n, "FROM")) {
		ctx_buf_reset(&e->entry);
		ctx_buf_reset(&e->cmd);
		return from(d, p, end, err);
	}
	if (is_word(w, n, "EXPOSE"))
		return ports(d, p, end, err);
	if (is_word(w, n, "ENTRYPOINT"))
		to = &e->entry;
	else if (is_word(w, n, "CMD"))
		to = &e->cmd;
	if (to != NULL) {
		ctx_buf_reset(to);
		ctx_buf_add(to, p, (size_t)(end - p));
		return ctx_buf_fail(to, err);
	}
	return 0;
}

int
ctx_kind_dockerfile(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct lines l = { .next = p, .end = p + len };
	struct entry e = { { 0 }, { 0 } };
	const char *delim = NULL;
	size_t n;
	int rc = 0;

	d->lang = ctx_lang_named("dockerfile");
	while (rc == 0 && next_line(&l)) {
		if (is_comment(&l))
			continue;
		n = opens_here(&l, &delim);
		instruction(d, &l);
		if ((rc = ctx_buf_fail(&d->scratch, err)) == 0)
			rc = put_instruction(d, &e, err);
		if (n > 0)
			skip_here(&l, delim, n);
	}
	/* CMD holds the arguments of ENTRYPOINT */
	if (e.entry.len > 0 && e.cmd.len > 0)
		ctx_buf_addc(&e.entry, ' ');
	ctx_buf_add(&e.entry, e.cmd.data, e.cmd.len);
	if (rc == 0)
		rc = ctx_buf_fail(&e.entry, err);
	if (rc == 0)
		rc = ctx_digest_name(d, CTX_ENTRY, e.entry.data, e.entry.len,
		    err);
	ctx_buf_done(&e.entry);
	ctx_buf_done(&e.cmd);
	return rc == -1 ? -1 : d->names.distinct[CTX_IMAGES] > 0;
}

/* --- environment files --------------------------------------------------- */

/* Skip the rest of a quoted value with all its lines; 0 if it has no end. */
static int
skip_quoted(struct lines *l, const char *p, char quote)
{
	const char *end = l->end;

	for (; p < end && *p != quote; p++)
		if (*p == '\\' && quote == '"' && p + 1 < end)
			p++;
	if (p == end)
		return 0;
	if (p >= l->next) {
		p = memchr(p, '\n', (size_t)(end - p));
		l->next = p == NULL ? end : p + 1;
	}
	return 1;
}

/* The name that a line gives a value, and the value; 0 if it does not. */
static size_t
variable(const struct lines *l, const char **name, const char **value)
{
	const char *q = l->p, *end = l->p + l->len, *w;
	size_t n;

	if (word(&q, end, &w) != 6 || memcmp(w, "export", 6) != 0)
		q = l->p;
	while (q < end && is_blank(*q))
		q++;
	for (n = 0; q + n < end && (q[n] == '_' || q[n] == '.' ||
	    (q[n] >= '0' && q[n] <= '9') || ((q[n] | 32) >= 'a' &&
	    (q[n] | 32) <= 'z')); n++)
		continue;
	for (w = q + n; w < end && is_blank(*w); w++)
		continue;
	if (n == 0 || (q[0] >= '0' && q[0] <= '9') || w == end || *w != '=')
		return 0;
	for (w++; w < end && is_blank(*w); w++)
		continue;
	*name = q;
	*value = w;
	return n;
}

/*
 * Can the line be the end of a value in base64 that begins in the line above,
 * which has a long one?  Then what precedes its = is no name.
 */
static int
is_padded(const struct lines *l, size_t n, const char *value, size_t above)
{
	size_t i, lower = 0, rest = (size_t)(l->p + l->len - value);

	if (above < PADDED_MIN || rest > 1 || (rest == 1 && *value != '='))
		return 0;
	for (i = 0; i < n; i++)
		lower += l->p[i] >= 'a' && l->p[i] <= 'z';
	return l->len % 4 == 0 && (rest == 1 || (lower > 0 &&
	    memchr(l->p, '_', n) == NULL));
}

/*
 * The names of variables.  A value is never shown, and neither is a line of a
 * value: a file of which any other line is not NAME=VALUE has no names.
 */
int
ctx_kind_env(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct lines l = { .next = p, .end = p + len };
	const char *name, *value;
	size_t n, above = 0;

	while (next_line(&l)) {
		if (is_comment(&l))
			continue;
		n = variable(&l, &name, &value);
		if (n == 0 || is_padded(&l, n, value, above) ||
		    (value < l.p + l.len && strchr("\"'`", *value) != NULL &&
		    !skip_quoted(&l, value + 1, *value))) {
			ctx_names_reset(&d->names);
			return 1;
		}
		if (ctx_digest_name(d, CTX_VARIABLES, name, n, err) == -1)
			return -1;
		above = (size_t)(l.p + l.len - value);
	}
	return 1;
}

/* --- Go ------------------------------------------------------------------ */

/* A name may be quoted. */
static int
put_module(struct ctx_digest *d, enum ctx_list list, const char *p, size_t n,
    struct ctx_err *err)
{
	if (n > 1 && (*p == '"' || *p == '`') && p[n - 1] == *p) {
		p++;
		n -= 2;
	}
	return ctx_digest_name(d, list, p, n, err);
}

/* One requirement: a module and its version; // indirect is not direct. */
static int
add_module(struct ctx_digest *d, const char *p, const char *end,
    uint64_t *indirect, struct ctx_err *err)
{
	const char *w;
	size_t n = word(&p, end, &w);

	if (n == 0 || (n > 1 && w[0] == '/' && w[1] == '/'))
		return 0;
	if (memmem(p, (size_t)(end - p), "// indirect", 11) != NULL) {
		++*indirect;
		return 0;
	}
	return put_module(d, CTX_DEPENDENCIES, w, n, err);
}

static int
add_go(struct ctx_digest *d, const char *p, size_t len, struct ctx_err *err)
{
	ctx_buf_reset(&d->scratch);
	ctx_buf_adds(&d->scratch, "go ");
	ctx_buf_add(&d->scratch, p, len);
	if (ctx_buf_fail(&d->scratch, err) == -1)
		return -1;
	return ctx_digest_name(d, CTX_REQUIRES, d->scratch.data,
	    d->scratch.len, err);
}

int
ctx_kind_go_mod(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct lines l = { .next = p, .end = p + len };
	const char *q, *end, *w, *v;
	uint64_t indirect = 0;
	size_t n, m;
	int block = 0, rc = 0;		/* in require ( ... ), or another */

	while (rc == 0 && next_line(&l)) {
		q = l.p;
		end = l.p + l.len;
		n = word(&q, end, &w);
		if (block && n == 1 && *w == ')')
			block = 0;
		else if (block == 1)
			rc = add_module(d, l.p, end, &indirect, err);
		else if (block != 0 || n == 0)
			continue;
		else if (n == 6 && memcmp(w, "module", 6) == 0) {
			m = word(&q, end, &v);
			rc = put_module(d, CTX_TITLE, v, m, err);
		} else if (n == 2 && memcmp(w, "go", 2) == 0) {
			m = word(&q, end, &v);
			rc = add_go(d, v, m, err);
		} else if (memchr(q, '(', (size_t)(end - q)) != NULL)
			block = n == 7 && memcmp(w, "require", 7) == 0 ? 1 :
			    2;
		else if (n == 7 && memcmp(w, "require", 7) == 0)
			rc = add_module(d, q, end, &indirect, err);
	}
	if (indirect > 0)
		ctx_digest_figure(d, CTX_FIG_INDIRECT, indirect);
	return rc == -1 ? -1 : d->names.distinct[CTX_TITLE] > 0;
}

/*
 * Modules whose contents are checked, as MODULE VERSION HASH; others, of which
 * only go.mod was read, are MODULE VERSION/go.mod HASH.
 */
int
ctx_kind_go_sum(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	static const char mod[] = "/go.mod";
	struct lines l = { .next = p, .end = p + len };
	const char *q, *w;
	uint64_t packages = 0;
	size_t n;

	(void)err;
	while (next_line(&l)) {
		q = l.p;
		if (word(&q, l.p + l.len, &w) == 0)
			continue;
		n = word(&q, l.p + l.len, &w);
		if (n == 0)
			return 0;
		packages += n < sizeof(mod) || memcmp(w + n - sizeof(mod) + 1,
		    mod, sizeof(mod) - 1) != 0;
	}
	ctx_digest_figure(d, CTX_FIG_PACKAGES, packages);
	return 1;
}

/* --- Yarn and Bundler ---------------------------------------------------- */

/*
 * Entries begin at the margin and end with a colon.  Those of the project's own
 * folders are no packages, but what they depend on is direct.
 */
int
ctx_kind_yarn(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	static const char own[] = "@workspace:", deps[] = "  dependencies:";
	struct lines l = { .next = p, .end = p + len };
	uint64_t packages = 0;
	int here = 0, direct = 0;
	const char *colon;

	while (next_line(&l)) {
		if (l.len == 0 || *l.p == '#')
			continue;
		if (!is_blank(*l.p)) {
			if (l.p[l.len - 1] != ':')
				return 0;
			here = memmem(l.p, l.len, own, sizeof(own) - 1) !=
			    NULL;
			packages += !here && memcmp(l.p, "__metadata:",
			    l.len < 11 ? l.len : 11) != 0;
			direct = 0;
		} else if (l.len > 2 && !is_blank(l.p[2]))
			direct = here && l.len == sizeof(deps) - 1 &&
			    memcmp(l.p, deps, l.len) == 0;
		else if (direct && l.len > 4 && (colon = memmem(l.p, l.len,
		    ": ", 2)) != NULL) {
			size_t q = l.p[4] == '"';

			if (ctx_digest_name(d, CTX_DEPENDENCIES, l.p + 4 + q,
			    (size_t)(colon - l.p) - 4 - 2 * q, err) == -1)
				return -1;
		}
	}
	ctx_digest_figure(d, CTX_FIG_PACKAGES, packages);
	return packages > 0;
}

/* "    name (1.0)" under specs: is a gem, "  name" under DEPENDENCIES direct. */
int
ctx_kind_gemfile(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct lines l = { .next = p, .end = p + len };
	uint64_t packages = 0;
	const char *w, *q;
	int specs = 0, direct = 0;
	size_t n, i;

	while (next_line(&l)) {
		for (i = 0; i < l.len && l.p[i] == ' '; i++)
			continue;
		if (i == l.len)
			continue;
		q = l.p + i;
		n = word(&q, l.p + l.len, &w);
		if (i == 0) {
			specs = 0;
			direct = n == 12 && memcmp(w, "DEPENDENCIES", n) == 0;
		} else if (i == 2 && n == 6 && memcmp(w, "specs:", 6) == 0)
			specs = 1;
		else if (specs && i == 4)
			packages++;
		else if (direct && i == 2 && ctx_digest_name(d,
		    CTX_DEPENDENCIES, w, n - (w[n - 1] == '!'), err) == -1)
			return -1;
	}
	ctx_digest_figure(d, CTX_FIG_PACKAGES, packages);
	return packages > 0;
}
