/* SPDX-License-Identifier: MIT */
/*
 * What ctx-summarize remembers besides the stream: a JSON line for each
 * conversation; see state.h.
 *
 *	{"summary":"...","summary_token_count":812,
 *	 "summarized_turn_count":30,"upto":41,"kept_from":41,
 *	 "upto_sha256":"..."}
 *
 * and, where they apply, "key", the value of --by, and "side", the name of a
 * side conversation.  upto is the number of messages, including system
 * messages, that the summary covers; the digest is that of their bytes, each
 * followed by a newline.  Of these messages the user's from kept_from on stay
 * (--keep user); files of earlier versions do not have it.  Members that are
 * not ours are kept.
 */
#include "cmd/summarize/state.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "cli_files.h"
#include "cli_temp.h"

static int
add_entry(struct summarize_state *s, json_t *line, struct ctx_err *err)
{
	if (CTX_ROOM(s->line, s->n, &s->cap) == -1) {
		json_decref(line);
		return ctx_fail_nomem(err);
	}
	s->line[s->n++] = line;
	return 0;
}

static int
read_lines(struct summarize_state *s, struct ctx_err *err)
{
	FILE *f = fopen(s->name, "r");
	struct ctx_json_text text = {
	    .flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL };
	json_error_t why;
	json_t *line;
	int c, rc = 0;

	if (f == NULL)
		return errno == ENOENT ? 0 : ctx_fail_errno(err, errno, "%s",
		    s->name);
	text.file = f;
	while (rc == 0) {
		while ((c = getc(f)) == ' ' || c == '\t' || c == '\n' ||
		    c == '\r')
			;
		if (c == EOF)
			break;
		ungetc(c, f);
		line = ctx_json_read(&text, &why);
		if (ctx_json_starved()) {
			rc = ctx_fail_nomem(err);
		} else if (!json_is_string(json_object_get(line, "summary"))) {
			json_decref(line);
			rc = ctx_fail(err, CTX_ESYSTEM,
			    "%s: not a file of ctx-summarize --state", s->name);
		} else
			rc = add_entry(s, line, err);
	}
	if (rc == 0 && ferror(f))
		rc = ctx_fail(err, CTX_ESYSTEM, "%s: cannot read the file",
		    s->name);
	fclose(f);
	return rc;
}

/*
 * Does the line have that member with these bytes or, if p is NULL, not at
 * all?
 */
static int
is(const json_t *line, const char *member, const char *p, size_t len)
{
	json_t *have = json_object_get(line, member);

	return json_string_length(have) == len &&
	    (len == 0 || memcmp(json_string_value(have), p, len) == 0);
}

/* Find the line of a conversation, or NULL. */
static json_t **
find(struct summarize_state *s, const struct ctx_fold_memo *m)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (is(s->line[i], "key", m->key, m->keylen) &&
		    is(s->line[i], "side", m->side, m->sidelen))
			return &s->line[i];
	return NULL;
}

/*
 * Refuse a second conversation of the same key: each would take the other's
 * line, in every run.
 */
static int
claim(struct summarize_state *s, const struct ctx_fold_memo *m,
    struct ctx_err *err)
{
	const size_t n = s->seen.n;
	struct ctx_buf b = { 0 };
	size_t i = CTX_STRMAP_FULL;

	ctx_buf_add(&b, m->key, m->keylen);
	ctx_buf_addc(&b, '\0');
	ctx_buf_add(&b, m->side, m->sidelen);
	if (!b.failed)
		i = ctx_strmap_add(&s->seen, b.data, b.len);
	ctx_buf_done(&b);
	if (i == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	return i == n ? 0 : ctx_fail(err, CTX_EINPUT, "--state cannot tell "
	    "this conversation from one before it; give --by a member that "
	    "differs");
}

/* See struct ctx_fold_job_opts; arg is the state. */
static int
recall(void *arg, struct ctx_fold_memo *m, struct ctx_err *err)
{
	json_t **line = find(arg, m), *text, *from;
	json_int_t upto, turns;

	if (claim(arg, m, err) == -1)
		return -1;
	if (line == NULL)
		return 0;
	text = json_object_get(*line, "summary");
	upto = json_integer_value(json_object_get(*line, "upto"));
	turns = json_integer_value(json_object_get(*line,
	    "summarized_turn_count"));
	m->sha256 = json_string_value(json_object_get(*line, "upto_sha256"));
	if (json_string_length(text) == 0 || m->sha256 == NULL || upto <= 0 ||
	    turns < 0)
		return 0;
	m->summary = json_string_value(text);
	m->summarylen = json_string_length(text);
	m->upto = (uint64_t)upto;
	m->turns = (uint64_t)turns;
	from = json_object_get(*line, "kept_from");
	if (json_is_integer(from) && json_integer_value(from) >= 0)
		m->users = (uint64_t)json_integer_value(from);
	return 1;
}

static int
set_text(json_t *line, const char *member, const char *p, size_t len)
{
	return json_object_set_new(line, member, json_stringn(p, len));
}

static int
set_number(json_t *line, const char *member, uint64_t n)
{
	return json_object_set_new(line, member, json_integer((json_int_t)n));
}

static int
remember(void *arg, const struct ctx_fold_memo *m,
    struct ctx_err *err)
{
	struct summarize_state *s = arg;
	json_t **old = find(s, m), *line;
	int bad = 0;

	/*
	 * make a copy, so that a failure does not leave a half-changed line to
	 * be written
	 */
	ctx_json_watch();
	line = old != NULL ? json_copy(*old) : json_object();
	if (old == NULL && m->keylen > 0)
		bad |= set_text(line, "key", m->key, m->keylen);
	if (old == NULL && m->sidelen > 0)
		bad |= set_text(line, "side", m->side, m->sidelen);
	bad |= set_text(line, "summary", m->summary, m->summarylen);
	bad |= set_number(line, "summary_token_count", m->tokens);
	bad |= set_number(line, "summarized_turn_count", m->turns);
	bad |= set_number(line, "upto", m->upto);
	bad |= set_number(line, "kept_from", m->users);
	bad |= set_text(line, "upto_sha256", m->sha256, strlen(m->sha256));
	if (bad || ctx_json_starved()) {
		json_decref(line);
		return ctx_fail_nomem(err);
	}
	s->changed = 1;
	if (old == NULL)
		return add_entry(s, line, err);
	json_decref(*old);
	*old = line;
	return 0;
}

void
summarize_state_open(struct summarize_state *s, struct ctx_fold_job_opts *opts,
    struct cli *c)
{
	struct ctx_err err = { 0 };

	if (s->name == NULL)
		return;
	(void)cli_file_apart(c, "state");
	/* others may rely on it from the first run on */
	s->changed = access(s->name, F_OK) == -1 && errno == ENOENT &&
	    opts->to != CTX_FOLD_TO_QUESTION;
	cli_must(c, read_lines(s, &err), &err);
	opts->recall = recall;
	opts->remember = remember;
	opts->memo_arg = s;
}

/* Write the state's lines to fd and close it. */
static int
write_lines(const struct summarize_state *s, int fd)
{
	FILE *f = fd == -1 ? NULL : fdopen(fd, "w");
	size_t i;
	int rc = 0;

	if (f == NULL) {
		if (fd != -1)
			close(fd);
		return -1;
	}
	for (i = 0; i < s->n && rc == 0; i++)
		if (json_dumpf(s->line[i], f, JSON_COMPACT) == -1 ||
		    putc('\n', f) == EOF)
			rc = -1;
	return fclose(f) == EOF ? -1 : rc;
}

/* The mode for a new file. */
static mode_t
new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int
summarize_state_write(struct summarize_state *s, struct cli *c,
    struct ctx_err *err)
{
	struct cli_temp temp = { 0 };
	struct ctx_err why = { 0 };
	char *path = NULL;
	struct stat st;
	int old = -1, rc = -1;

	if (!s->changed)
		return 0;
	/* a symbolic link is kept */
	path = realpath(s->name, NULL);
	if (cli_temp_open(&temp, path != NULL ? path : s->name,
	    &why) == -1)
		goto out;
	if (write_lines(s, dup(temp.fd)) == -1) {
		ctx_fail_errno(&why, errno, "cannot write");
		goto out;
	}
	if (path == NULL)
		rc = fchmod(temp.fd, new_mode());
	else if ((old = open(path, O_RDONLY)) != -1)
		rc = fstat(old, &st);
	if (rc == -1)
		ctx_fail_errno(&why, errno, "cannot preserve the mode");
	else if (path != NULL)
		rc = cli_temp_like(&temp, old, &st, s->name,
		    c, &why);
	if (rc == 0)
		rc = cli_temp_replace(&temp, path != NULL ? path :
		    s->name, &why);
out:
	if (rc == -1)
		ctx_fail(err, why.code, "%.100s: %.140s", s->name,
		    why.text);
	if (old != -1)
		close(old);
	free(path);
	cli_temp_done(&temp);
	return rc;
}

void
summarize_state_done(struct summarize_state *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		json_decref(s->line[i]);
	free(s->line);
	ctx_strmap_done(&s->seen);
}
