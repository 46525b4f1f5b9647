/* SPDX-License-Identifier: MIT */
/*
 * The memory of ctx-summarize beside the stream: --state FILE, a JSON line for
 * each conversation.
 *
 *	{"summary":"...","summary_token_count":812,
 *	 "summarized_turn_count":30,"upto":41,"upto_sha256":"..."}
 *
 * and "key", the value of --by, and "side", the name of a side conversation,
 * where there are any.  upto is the number of
 * messages, system messages included, that the summary has seen; the digest is
 * of their bytes, each with a newline.  Members that are not ours stay.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sha256.h"
#include "cli_temp.h"
#include "cmd/summarize/summarize.h"

struct state_entry {
	json_t *line;
};

static int
add_entry(struct summarize *s, json_t *line, struct ctx_err *err)
{
	struct state_entry *v = ctx_grow(s->state, s->nstate, &s->capstate,
	    sizeof(*v));

	if (v == NULL) {
		json_decref(line);
		return ctx_fail_nomem(err);
	}
	s->state = v;
	v[s->nstate++].line = line;
	return 0;
}

int
state_read(struct summarize *s, struct ctx_err *err)
{
	FILE *f = fopen(s->state_name, "r");
	struct ctx_json_text text = {
	    .flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL };
	json_error_t why;
	json_t *line;
	int c, rc = 0;

	if (f == NULL)
		return errno == ENOENT ? 0 : ctx_fail_errno(err, errno, "%s",
		    s->state_name);
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
		} else if (!json_is_object(line)) {
			json_decref(line);
			rc = ctx_fail(err, CTX_ESYSTEM,
			    "%s: not a summary's state", s->state_name);
		} else
			rc = add_entry(s, line, err);
	}
	if (rc == 0 && ferror(f))
		rc = ctx_fail(err, CTX_ESYSTEM, "%s: cannot be read",
		    s->state_name);
	fclose(f);
	return rc;
}

/* Has the entry that member, with these bytes?  Without bytes: not at all. */
static int
is(const struct state_entry *e, const char *member, const char *p, size_t len)
{
	json_t *have = json_object_get(e->line, member);

	return json_string_length(have) == len &&
	    (len == 0 || memcmp(json_string_value(have), p, len) == 0);
}

/*
 * The entry of a conversation: "key" is the value of --by as it stands, "side"
 * the name of a side conversation.
 */
static struct state_entry *
find(struct summarize *s, const struct fold_job *j)
{
	static const struct ctx_strand none;
	const struct ctx_strand *th = j->thread != NULL ? j->thread : &none;
	size_t i;

	for (i = 0; i < s->nstate; i++)
		if (is(&s->state[i], "key", th->key, th->keylen) &&
		    is(&s->state[i], "side", th->sublen == 0 ? NULL :
		    th->key + th->keylen, th->sublen))
			return &s->state[i];
	return NULL;
}

static int
set_name(json_t *line, const char *member, const char *p, size_t len)
{
	return len == 0 ? 0 : json_object_set_new(line, member,
	    json_stringn(p, len));
}

/* The digest of messages [0 .. n). */
static void
digest(const struct ctx_convo *c, uint32_t n, char out[CTX_SHA256_HEX])
{
	unsigned char raw[CTX_SHA256_LEN];
	const struct ctx_node *node;
	struct ctx_sha256 sha;
	struct ctx_doc doc;
	uint32_t m;

	ctx_sha256_init(&sha);
	for (m = 0; m < n; m++) {
		doc = ctx_convo_doc(c, c->msg[m].rec);
		node = &doc.node[c->msg[m].node];
		ctx_sha256_update(&sha, doc.raw + node->off, node->len);
		ctx_sha256_update(&sha, "\n", 1);
	}
	ctx_sha256_final(&sha, raw);
	ctx_sha256_text(raw, out);
}

int
state_apply(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	struct state_entry *e;
	char hex[CTX_SHA256_HEX];
	const char *want;
	json_t *text;
	json_int_t upto, turns;

	if ((e = find(s, j)) == NULL)
		return 0;
	text = json_object_get(e->line, "summary");
	want = json_string_value(json_object_get(e->line, "upto_sha256"));
	upto = json_integer_value(json_object_get(e->line, "upto"));
	turns = json_integer_value(json_object_get(e->line,
	    "summarized_turn_count"));
	if (json_string_length(text) == 0 || want == NULL || upto <= 0 ||
	    upto > (json_int_t)j->c->nmsg || turns < 0)
		return 0;
	digest(j->c, (uint32_t)upto, hex);
	if (strcmp(hex, want) != 0) {
		cli_warn(s->stream.cli, "%s: the conversation is not the one "
		    "that was summarized: folding anew", s->state_name);
		return 0;
	}
	/* what stands in the stream at its head is older than the state */
	ctx_buf_reset(&j->old_text);
	ctx_buf_add(&j->old_text, json_string_value(text),
	    json_string_length(text));
	j->old_turns = (uint64_t)turns;
	j->from_state = 1;
	if ((uint32_t)upto > j->first)
		j->first = (uint32_t)upto;
	if (ctx_buf_fail(&j->old_text, err) == -1)
		return -1;
	return ctx_counter_text(&s->cost.counter, j->old_text.data,
	    j->old_text.len, &j->old_tokens, err);
}

int
state_update(struct summarize *s, const struct fold_job *j,
    struct ctx_err *err)
{
	struct state_entry *e = find(s, j);
	char hex[CTX_SHA256_HEX];
	json_t *line;
	int bad = 0;

	/* a new line, so that a failure leaves no half of one to be written */
	ctx_json_watch();
	line = e != NULL ? json_copy(e->line) : json_object();
	if (e == NULL && j->thread != NULL)
		bad = set_name(line, "key", j->thread->key,
		    j->thread->keylen) |
		    set_name(line, "side", j->thread->key +
		    j->thread->keylen, j->thread->sublen);
	digest(j->c, j->cut, hex);
	bad |= json_object_set_new(line, "summary", json_stringn(
	    j->summary.data, j->summary.len));
	bad |= json_object_set_new(line, "summary_token_count",
	    json_integer((json_int_t)j->summary_tokens));
	bad |= json_object_set_new(line, "summarized_turn_count",
	    json_integer((json_int_t)(j->old_turns + j->turns)));
	bad |= json_object_set_new(line, "upto", json_integer(j->cut));
	bad |= json_object_set_new(line, "upto_sha256", json_string(hex));
	if (bad || ctx_json_starved()) {
		json_decref(line);
		return ctx_fail_nomem(err);
	}
	if (e == NULL) {
		if (add_entry(s, line, err) == -1)
			return -1;
	} else {
		json_decref(e->line);
		e->line = line;
	}
	s->state_changed = 1;
	return 0;
}

/* The state's lines to fd, which is closed. */
static int
write_lines(const struct summarize *s, int fd)
{
	FILE *f = fd == -1 ? NULL : fdopen(fd, "w");
	size_t i;
	int rc = 0;

	if (f == NULL) {
		if (fd != -1)
			close(fd);
		return -1;
	}
	for (i = 0; i < s->nstate && rc == 0; i++)
		if (json_dumpf(s->state[i].line, f, JSON_COMPACT) == -1 ||
		    putc('\n', f) == EOF)
			rc = -1;
	return fclose(f) == EOF ? -1 : rc;
}

/* The mode of a file that is new. */
static mode_t
new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int
state_write(struct summarize *s, struct ctx_err *err)
{
	struct cli_temp temp = { 0 };
	struct ctx_err why = { 0 };
	char *path = NULL;
	struct stat st;
	int old = -1, rc = -1;

	if (!s->state_changed)
		return 0;
	/* a link stays one */
	path = realpath(s->state_name, NULL);
	if (cli_temp_open(&temp, path != NULL ? path : s->state_name,
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
		ctx_fail_errno(&why, errno, "cannot keep the mode");
	else if (path != NULL)
		rc = cli_temp_like(&temp, old, &st, s->state_name,
		    s->stream.cli, &why);
	if (rc == 0)
		rc = cli_temp_replace(&temp, path != NULL ? path :
		    s->state_name, &why);
out:
	if (rc == -1)
		ctx_fail(err, why.code, "%.100s: %.140s", s->state_name,
		    why.text);
	if (old != -1)
		close(old);
	free(path);
	cli_temp_done(&temp);
	return rc;
}

void
state_done(struct summarize *s)
{
	size_t i;

	for (i = 0; i < s->nstate; i++)
		json_decref(s->state[i].line);
	free(s->state);
}
