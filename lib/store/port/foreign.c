/* SPDX-License-Identifier: MIT */
/* Import other programs' sessions that are JSON lines; see foreign.h. */
#include "store/port/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/strmap.h"
#include "read/line.h"
#include "read/node.h"

int
ctx_batch_add(struct ctx_batch *b, const char *raw, size_t len,
    struct ctx_err *err)
{
	if (CTX_ROOM(b->line, b->n, &b->cap) == -1)
		return ctx_fail_nomem(err);
	memset(&b->line[b->n], 0, sizeof(*b->line));
	/* The buffer may move, so this is an offset until ctx_foreign_store. */
	b->line[b->n].seq = (int64_t)b->text.len;
	b->line[b->n].len = len;
	if (ctx_buf_add(&b->text, raw, len) == -1)
		return ctx_fail_nomem(err);
	b->n++;
	return 0;
}

void
ctx_batch_done(struct ctx_batch *b)
{
	free(b->line);
	ctx_buf_done(&b->text);
	memset(b, 0, sizeof(*b));
}

struct compare {
	const struct ctx_batch *b;
	size_t n;
};

static int
compare(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct compare *c = arg;
	const struct ctx_entry *line;

	if (c->n == c->b->n)
		return 0;	/* the log here is longer, which is fine */
	line = &c->b->line[c->n++];
	if (ctx_entry_bare(m->raw, m->len) ==
	    ctx_entry_bare(line->raw, line->len) && memcmp(m->raw, line->raw,
	    ctx_entry_bare(m->raw, m->len)) == 0)
		return 0;
	return ctx_fail(err, CTX_EINPUT,
	    "message %lld is already stored with other bytes",
	    (long long)m->seq);
}

static int
scan_lines(struct ctx_batch *b, const struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_entry *line;
	int64_t ts;
	size_t i;
	int rc = 0;

	for (i = 0; i < b->n && rc == 0; i++) {
		line = &b->line[i];
		ts = line->ts;
		rc = ctx_entry_scan(line, b->text.data + line->seq, line->len,
		    NULL, &doc, err);
		if (rc == 0 && sum->role != NULL && !ctx_entry_knows(line))
			rc = sum->role(sum->arg, line, err);
		/*
		 * These messages are identified by position, since ids may
		 * repeat.
		 */
		line->mid[0] = '\0';
		if (line->ts == 0)
			line->ts = ts;
	}
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_foreign_store(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_make *make, struct ctx_batch *b,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct ctx_append how = { .where = *w, .make = *make, .atomic = 1 };
	struct ctx_range all = CTX_RANGE_ALL;
	struct compare c = { b, 0 };
	struct ctx_err none = { 0 };
	size_t done;

	if (scan_lines(b, sum, err) == -1)
		return -1;
	if (ctx_log_read(st, w, &all, compare, &c, &none) == -1 &&
	    none.code != CTX_ENO) {
		*err = none;
		return -1;
	}
	if (c.n == b->n)
		return 0;
	how.expect_seq = (int64_t)c.n + 1;
	if (ctx_log_append(st, &how, b->line + c.n, b->n - c.n, &done,
	    err) == -1)
		return -1;
	sum->messages += (int64_t)done;
	return 0;
}

/*
 * Copy a string member of the scanned line to out, "" if there is none.
 * Returns 0 or -1.
 */
static int
text_at(const struct ctx_doc *doc, uint32_t obj, const char *key,
    struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	ctx_node_decode(out, doc, CTX_GET(doc, obj, key));
	return ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) : 0;
}

/* The logs in one file, main first. */
struct session {
	struct ctx_buf name;		/* of the thread */
	struct log {
		char name[CTX_CONTEXT_ID_SIZE];
		struct ctx_batch batch;
	} *log;
	size_t n, cap;
	struct ctx_strmap uuids;	/* of side lines */
	int *side;			/* the log of each */
	size_t sidecap;
	struct ctx_buf a, b;
};

static void
session_done(struct session *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		ctx_batch_done(&s->log[i].batch);
	free(s->log);
	ctx_strmap_done(&s->uuids);
	free(s->side);
	ctx_buf_done(&s->name);
	ctx_buf_done(&s->a);
	ctx_buf_done(&s->b);
}

/* Find or create the log called name; returns its index, or -1. */
static int
log_of(struct session *s, const char *name, struct ctx_err *err)
{
	size_t i;

	for (i = s->n; i-- > 0;)
		if (strcmp(s->log[i].name, name) == 0)
			return (int)i;
	if (CTX_ROOM(s->log, s->n, &s->cap) == -1)
		return ctx_fail_nomem(err);
	memset(&s->log[s->n], 0, sizeof(*s->log));
	strcpy(s->log[s->n].name, name);
	return (int)s->n++;
}

/*
 * "subagent-" and eight digits for the other program's id: the id itself if it
 * is eight such digits, otherwise the start of its hash.
 */
static void
agent_name(const char *id, size_t len, char out[CTX_CONTEXT_ID_SIZE])
{
	char hex[CTX_SHA256_HEX];

	memcpy(out, "subagent-", 9);
	if (len == 8 && strspn(id, "0123456789abcdef") >= 8)
		memcpy(out + 9, id, 8);
	else
		memcpy(out + 9, ctx_sha256_hex(id, len, hex), 8);
	out[17] = '\0';
}

/* The log of a side line without an agent's id: its parent's, or a new one. */
static int
side_log(struct session *s, const struct ctx_doc *doc, struct ctx_err *err)
{
	char name[CTX_CONTEXT_ID_SIZE];
	size_t known = s->uuids.n, i;
	int log = -1;

	if (text_at(doc, 0, "uuid", &s->a, err) == -1 ||
	    text_at(doc, 0, "parentUuid", &s->b, err) == -1)
		return -1;
	if (s->b.len > 0) {
		i = ctx_strmap_add(&s->uuids, s->b.data, s->b.len);
		if (i == CTX_STRMAP_FULL)
			return ctx_fail_nomem(err);
		if (i < known)
			log = s->side[i];
	}
	if (log == -1) {
		agent_name(s->a.data, s->a.len, name);
		if ((log = log_of(s, name, err)) == -1)
			return -1;
	}
	if (ctx_strmap_add(&s->uuids, s->a.data, s->a.len) ==
	    CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	for (i = known; i < s->uuids.n; i++) {
		if (CTX_ROOM(s->side, i, &s->sidecap) == -1)
			return ctx_fail_nomem(err);
		s->side[i] = log;
	}
	return log;
}

static int
claude_log(struct session *s, const struct ctx_doc *doc, struct ctx_err *err)
{
	char name[CTX_CONTEXT_ID_SIZE];
	uint32_t side = CTX_GET(doc, 0, "isSidechain");

	if (s->name.len == 0 &&
	    text_at(doc, 0, "sessionId", &s->name, err) == -1)
		return -1;
	if (ctx_node_if(doc, side, 't') == CTX_NONE)
		return log_of(s, "main", err);
	if (text_at(doc, 0, "agentId", &s->a, err) == -1)
		return -1;
	if (s->a.len == 0)
		return side_log(s, doc, err);
	agent_name(s->a.data, s->a.len, name);
	return log_of(s, name, err);
}

/* A rollout has one log; only its name must be found. */
static int
codex_log(struct session *s, const struct ctx_doc *doc, struct ctx_err *err)
{
	if (text_at(doc, 0, "type", &s->a, err) == -1)
		return -1;
	if (s->name.len > 0)
		return 0;
	if (strcmp(s->a.data, "session_meta") == 0)
		return text_at(doc, CTX_GET(doc, 0, "payload"), "id",
		    &s->name, err);
	/* The first rollouts began with just the session's id. */
	return s->log[0].batch.n > 0 ? 0 : text_at(doc, 0, "id", &s->name,
	    err);
}

static int
take_lines(struct session *s, enum ctx_foreign kind, int fd,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_reader in;
	struct ctx_line line;
	int rc, log;

	ctx_reader_init(&in, fd);
	while ((rc = ctx_reader_next(&in, &line, err)) == 1) {
		if (ctx_entry_bare(line.raw, line.len) == 0)
			continue;
		if ((rc = ctx_doc_scan(&doc, line.raw, line.len, err)) == 0) {
			log = kind == CTX_FOREIGN_CODEX ?
			    codex_log(s, &doc, err) :
			    claude_log(s, &doc, err);
			rc = log == -1 ? -1 : ctx_batch_add(
			    &s->log[log].batch, line.raw, line.len, err);
		}
		if (rc == -1) {
			if (err->code == CTX_EINPUT)
				err->line = line.no;
			break;
		}
	}
	ctx_reader_done(&in);
	ctx_doc_done(&doc);
	return rc;
}

static int
store_session(struct ctx_store *st, struct session *s,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct ctx_make make = { .parent_seq = -1, .kind = CTX_CONTEXT_AGENT };
	struct ctx_where w = { s->name.data, "main" };
	struct ctx_ref ref;
	size_t i;

	if (s->name.len == 0)
		return ctx_fail(err, CTX_EINPUT,
		    "it contains no session id, so it is not a file of that "
		    "program");
	if (ctx_thread_name_check(s->name.data, s->name.len,
	    err) == -1 || ctx_context_make(st, &w, &make, &ref, err) == -1)
		return -1;
	for (i = 0; i < s->n; i++) {
		w.context = s->log[i].name;
		if (ctx_foreign_store(st, &w, &make, &s->log[i].batch, sum,
		    err) == -1)
			return -1;
	}
	sum->threads++;
	return 0;
}

static int
import_lines(struct ctx_store *st, enum ctx_foreign kind, const char *path,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct session s = { 0 };
	int fd, rc;

	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "cannot open");
	rc = log_of(&s, "main", err);
	if (rc == 0)
		rc = take_lines(&s, kind, fd, err);
	close(fd);
	if (rc == 0)
		rc = store_session(st, &s, sum, err);
	session_done(&s);
	return rc;
}

int
ctx_foreign_import(struct ctx_store *st, enum ctx_foreign kind,
    const char *path, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	if (kind == CTX_FOREIGN_CLAUDE_CODE || kind == CTX_FOREIGN_CODEX)
		return import_lines(st, kind, path, sum, err);
	return ctx_foreign_database(st, kind, path, sum, err);
}
