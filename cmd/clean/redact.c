/* SPDX-License-Identifier: MIT */
/* The options of redaction; see redact.h. */
#include "cmd/clean/redact.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "redact/people.h"

#define NAMES_BYTES	(CTX_PEOPLE_MOST * (CTX_PEOPLE_BYTES + 1))
#define KEY_MOST	4096

#define OPT_OF struct clean_redact
const struct cli_opt clean_redact_opts[] = {
	OPT_TEXT(0, "redact", "=RULES", opts.rules,
	    "replace secrets with placeholders; with --check, report them"),
	OPT_LIST(0, "pattern", "NAME=RE", pattern,
	    "with --redact: add a rule; can be repeated",
	    .needs = "redact"),
	OPT_TEXT(0, "redact-names", "FILE", names_file,
	    "with --redact: also replace the names in FILE, one on a line",
	    .needs = "redact"),
	OPT_TEXT(0, "redact-key", "FILE", key_file,
	    "with --redact: make placeholders with the key in FILE, the same "
	    "in every run", .needs = "redact"),
	OPT_END
};
#undef OPT_OF

/* Read a file of at most max bytes; ends the process if that fails. */
static void
read_file(const char *name, size_t max, struct ctx_buf *out, struct cli *c)
{
	struct ctx_err err = { 0 };
	int fd = open(name, O_RDONLY | O_CLOEXEC), rc;

	rc = fd == -1 ? -1 : ctx_fd_read(fd, max, out);
	if (rc == -1)
		cli_must(c, ctx_fail_errno(&err, errno, "%s", name), &err);
	if (rc == 0)
		cli_must(c, ctx_fail(&err, CTX_EINPUT,
		    "%s: has more than %zu bytes", name, max), &err);
	close(fd);
}

/* Make white space in p[0 .. len) single spaces.  Returns the new length. */
static size_t
tidy(char *p, size_t len)
{
	size_t n = 0, i;

	for (i = 0; i < len; i++)
		if (strchr(" \t\r", p[i]) == NULL || p[i] == '\0')
			p[n++] = p[i];
		else if (n > 0 && p[n - 1] != ' ')
			p[n++] = ' ';
	return n > 0 && p[n - 1] == ' ' ? n - 1 : n;
}

/* A name on a line, unless it is blank or a comment. */
static void
take_name(struct clean_redact *r, char *line, size_t len, uint64_t at,
    struct cli *c)
{
	struct ctx_err err = { 0 };
	size_t n = tidy(line, len);

	if (n == 0 || line[0] == '#')
		return;
	if (!ctx_people_usable(line, n) || memchr(line, '\0', n) != NULL)
		cli_must(c, ctx_fail(&err, CTX_EINPUT, "%s:%" PRIu64 ": is no "
		    "name to look for: it needs a word of three letters and "
		    "at most %d bytes", r->names_file, at, CTX_PEOPLE_BYTES),
		    &err);
	if (r->name.n == CTX_PEOPLE_MOST)
		cli_must(c, ctx_fail(&err, CTX_EINPUT, "%s:%" PRIu64 ": has "
		    "more than %d names", r->names_file, at, CTX_PEOPLE_MOST),
		    &err);
	if (CTX_ROOM(r->name.v, r->name.n, &r->name.cap) == -1)
		cli_nomem(c);
	line[n] = '\0';
	r->name.v[r->name.n++] = line;
}

static void
read_names(struct clean_redact *r, struct cli *c)
{
	struct ctx_buf *b = &r->names;
	size_t at, n;
	uint64_t line = 1;
	char *nl;

	read_file(r->names_file, NAMES_BYTES, b, c);
	/* so that each line ends, also where the name is the whole of it */
	if (ctx_buf_addc(b, '\n') == -1)
		cli_nomem(c);
	for (at = 0; at < b->len; at += n + 1, line++) {
		nl = memchr(b->data + at, '\n', b->len - at);
		n = (size_t)(nl - b->data) - at;
		take_name(r, b->data + at, n, line, c);
	}
	r->opts.names = r->name.v;
	r->opts.nnames = r->name.n;
}

static void
read_key(struct clean_redact *r, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_buf *b = &r->key;

	read_file(r->key_file, KEY_MOST, b, c);
	while (b->len > 0 && strchr("\r\n", b->data[b->len - 1]) != NULL &&
	    b->data[b->len - 1] != '\0')
		b->len--;
	if (b->len < CTX_REDACT_KEY_LEAST)
		cli_must(c, ctx_fail(&err, CTX_EINPUT, "%s: a key has at least "
		    "%d bytes; 'openssl rand -hex 32' makes one", r->key_file,
		    CTX_REDACT_KEY_LEAST), &err);
	r->opts.key = b->data;
	r->opts.keylen = b->len;
}

struct ctx_redact *
clean_redact_open(struct clean_redact *r, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_redact *redact;

	if (!cli_given(c, "redact"))
		return NULL;
	r->opts.patterns = r->pattern.v;
	r->opts.npatterns = r->pattern.n;
	if (r->key_file != NULL)
		read_key(r, c);
	else
		cli_must(c, ctx_redact_env(&r->opts, &err), &err);
	if (r->names_file != NULL)
		read_names(r, c);
	redact = ctx_redact_new(&r->opts, &err);
	if (redact == NULL)
		cli_must(c, -1, &err);
	return redact;
}

void
clean_redact_done(struct clean_redact *r)
{
	cli_args_done(&r->pattern);
	cli_args_done(&r->name);
	ctx_buf_done(&r->names);
	ctx_buf_done(&r->key);
}
