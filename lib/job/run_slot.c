/* SPDX-License-Identifier: MIT */
/* What threads do with lines; see run_slot.h. */
#include "job/run_slot.h"

#include <stdlib.h>
#include <string.h>

#include "job/run_threads.h"

#define FEW	(64u * 1024)		/* too few bytes to be worth a thread */
#define TASK	(32u * 1024)		/* bytes that are examined at a time */
#define NODES	(32u * 1024)		/* nodes of a slot that are kept */
#define NO_SEQ	UINT64_MAX

int
ctx_run_slot_add(struct ctx_run_slot *s, const struct ctx_line *line,
    struct ctx_err *err)
{
	if (CTX_ROOM(s->item, s->n, &s->cap) == -1)
		return ctx_fail_nomem(err);
	s->item[s->n++] = (struct ctx_run_item){ .line = *line };
	s->bytes += line->len;
	return 0;
}

void
ctx_run_slot_drop(struct ctx_run_slot *s)
{
	unsigned i;

	for (i = 0; i < s->nlog; i++)
		ctx_gave_reset(&s->log[i]);
	ctx_gave_reset(&s->bad);
	if (s->block != NULL && s->block->refs > 1) {
		ctx_block_drop(s->block);
		s->block = NULL;
	}
	s->n = s->bytes = s->nnode = s->npart = s->done = 0;
	s->nrec = s->jobs = 0;
	s->cut = s->mixed = 0;
	s->ahead = NULL;
	ctx_err_clear(&s->err);
	ctx_err_clear(&s->late);
}

void
ctx_run_slot_done(struct ctx_run_slot *s)
{
	unsigned i;

	for (i = 0; i < s->nlog; i++)
		ctx_gave_done(&s->log[i]);
	ctx_gave_done(&s->bad);
	ctx_job_free(s->sum);
	ctx_block_drop(s->block);
	free(s->log);
	free(s->item);
	free(s->node);
	free(s->part);
}

int
ctx_run_slot_few(const struct ctx_run_slot *s)
{
	return s->bytes < FEW;
}

int
ctx_run_slot_logs(struct ctx_run_slot *s, unsigned n, struct ctx_err *err)
{
	if (s->log != NULL)
		return 0;
	if ((s->log = calloc(n, sizeof(*s->log))) == NULL)
		return ctx_fail_nomem(err);
	s->nlog = n;
	return 0;
}

/* --- by any thread ------------------------------------------------------ */

/* The line as a thread's job sees it, which does not hold its block. */
static struct ctx_line
unheld(const struct ctx_run_item *it)
{
	struct ctx_line line = it->line;

	line.block = NULL;
	return line;
}

void
ctx_run_slot_alone(struct ctx_run_slot *s, struct ctx_job *job,
    enum ctx_on_error how)
{
	struct ctx_gave *log = job->log = &s->log[0];
	struct ctx_err err = { 0 };
	struct ctx_line line;
	int rc = 0;

	for (; s->done < s->n; s->done++) {
		line = unheld(&s->item[s->done]);
		log->at = s->first + s->done + 1;
		log->line = &s->item[s->done].line;
		rc = ctx_turns_alone(&job->turns, &line, &err);
		if (rc == CTX_ALONE_GIVEN)
			continue;
		s->mixed = rc == CTX_ALONE_MIXED || (rc == CTX_ALONE_BAD &&
		    how == CTX_BAD_STOP);
		if (rc == -1 || s->mixed)
			break;
		if ((rc = ctx_gave_line(log, s->done, &err)) == -1)
			break;
	}
	if (rc == -1)
		ctx_gave_failed(log, &err);
	s->sum->changed = job->changed;
	job->changed = 0;
	ctx_job_add(s->sum, job);
}

/*
 * Keep the nodes of an item, so that the line need not be scanned again, unless
 * there are very many.
 */
static int
keep_nodes(struct ctx_run_slot *s, struct ctx_run_item *it,
    const struct ctx_doc *nodes, struct ctx_err *err)
{
	if (nodes->n == 0 || nodes->n > NODES - s->nnode)
		return 0;
	if (CTX_ROOM(s->node, s->nnode + nodes->n, &s->capnode) == -1)
		return ctx_fail_nomem(err);
	memcpy(s->node + s->nnode, nodes->node,
	    nodes->n * sizeof(*nodes->node));
	it->node = s->nnode;
	it->nnode = nodes->n;
	it->escapes = nodes->escapes != 0;
	s->nnode += nodes->n;
	return 0;
}

/* Give turns the nodes of the next line, if they are kept. */
static void
known(const struct ctx_run_slot *s, const struct ctx_run_item *it,
    struct ctx_turns *turns)
{
	turns->known.node = it->nnode > 0 ? s->node + it->node : NULL;
	turns->known.n = it->nnode;
	turns->known.escapes = it->escapes;
}

void
ctx_run_slot_ahead(struct ctx_run_slot *s, struct ctx_job *job,
    struct ctx_doc *doc)
{
	const struct ctx_job_kind *kind = job->kind;
	struct ctx_run_item *it;
	size_t i, bytes = 0;
	int rc = 0;

	s->ahead = s->deep ? job : NULL;
	for (i = 0; rc == 0 && i < s->n; i++) {
		it = &s->item[i];
		bytes += it->line.len;
		rc = ctx_doc_try(doc, it->line.raw, it->line.len);
		if (rc == -1)
			ctx_fail_nomem(&s->err);
		else if (rc == 1 && (rc = keep_nodes(s, it, doc,
		    &s->err)) == 0 && s->deep)
			rc = kind->ahead(job, doc, s->which, &s->err);
		if (rc == 0 && s->deep && (bytes >= TASK || i + 1 == s->n)) {
			rc = kind->ahead_end(job, s->which, &s->err);
			bytes = 0;
		}
	}
}

/* Add item i, a record, to the lines of its conversation. */
static int
add_record(struct ctx_run_slot *s, size_t i, uint64_t hash,
    struct ctx_err *err)
{
	struct ctx_owned *last = s->npart > 0 ? &s->part[s->npart - 1] : NULL;

	s->item[i].seq = s->nrec++;
	if (last == NULL || last->hash != hash) {
		if (CTX_ROOM(s->part, s->npart, &s->cappart) == -1)
			return ctx_fail_nomem(err);
		last = &s->part[s->npart++];
		*last = (struct ctx_owned){ .from = i, .hash = hash };
	}
	last->n = i + 1 - last->from;
	last->bytes += s->item[i].line.len;
	return 0;
}

void
ctx_run_slot_hash(struct ctx_run_slot *s, struct ctx_turns *turns,
    enum ctx_on_error how)
{
	struct ctx_err err = { 0 };
	struct ctx_run_item *it;
	struct ctx_doc nodes;
	struct ctx_line line;
	uint64_t hash;
	size_t i;

	for (i = 0; i < s->n; i++) {
		it = &s->item[i];
		line = unheld(it);
		it->seq = NO_SEQ;
		it->bad = ctx_turns_hash(turns, &line, &hash, &nodes,
		    &err) == -1;
		if (it->bad && err.code != CTX_EINPUT)
			break;
		ctx_err_clear(&err);
		if (it->bad && how == CTX_BAD_STOP) {
			s->n = i;
			s->cut = 1;
			return;
		}
		if (!it->bad && keep_nodes(s, it, &nodes, &err) == -1)
			break;
		if ((!it->bad || how == CTX_BAD_KEEP) &&
		    add_record(s, i, hash, &err) == -1)
			break;
	}
	s->err = err;
}

int
ctx_run_slot_number(struct ctx_run_slot *s, uint64_t *seq, struct ctx_err *err)
{
	uint64_t at;
	size_t i;

	s->base = *seq;
	*seq += s->nrec;
	for (i = 0, at = s->base; i < s->n; i++) {
		s->bad.at = at * 2;
		if (s->item[i].bad && ctx_gave_line(&s->bad, i, err) == -1)
			return -1;
		at += s->item[i].seq != NO_SEQ;
	}
	for (i = 0; i < s->npart; i++)
		s->jobs |= (uint64_t)1 << s->part[i].job;
	return 0;
}

static int
one_of_mine(struct ctx_run_slot *s, struct ctx_job *job,
    const struct ctx_run_item *it, struct ctx_err *err)
{
	struct ctx_turns *turns = &job->turns;
	struct ctx_line line = unheld(it);

	turns->seq = s->base + it->seq;
	job->log->at = turns->seq * 2 + 1;
	job->log->line = &it->line;
	if (it->bad)
		return ctx_turns_foreign(turns, &line, err);
	known(s, it, turns);
	return ctx_job_line(job, &line, err);
}

void
ctx_run_slot_mine(struct ctx_run_slot *s, struct ctx_job *job, unsigned no)
{
	struct ctx_err err = { 0 };
	const struct ctx_owned *part;
	const struct ctx_run_item *it;

	job->log = &s->log[no];
	for (part = s->part; part < s->part + s->npart; part++)
		for (it = s->item + part->from; part->job == no &&
		    it < s->item + part->from + part->n; it++) {
			if (it->seq == NO_SEQ)
				continue;
			if (one_of_mine(s, job, it, &err) == -1) {
				ctx_gave_failed(job->log, &err);
				return;
			}
		}
}

/* --- when it is the slot's turn ------------------------------------------ */

/* Report a line that is not JSON. */
static int
name_bad(struct ctx_run *r, const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_err bad = { 0 };
	uint64_t hash;

	if (ctx_turns_hash(&r->job->turns, line, &hash, NULL, &bad) == 0)
		return 0;
	if (bad.code != CTX_EINPUT) {
		*err = bad;
		return -1;
	}
	ctx_run_name_bad(r, line, &bad);
	return r->on_error == CTX_BAD_SKIP ? ctx_run_skip(r, line, err) : 0;
}

/* The log with the next entry, or NULL. */
static struct ctx_gave *
earliest(struct ctx_run_slot *s)
{
	struct ctx_gave *l, *first = NULL;
	uint64_t at = UINT64_MAX, next;

	if ((next = ctx_gave_next(&s->bad)) < at) {
		at = next;
		first = &s->bad;
	}
	for (l = s->log; l < s->log + s->nlog; l++)
		if ((next = ctx_gave_next(l)) < at) {
			at = next;
			first = l;
		}
	return first;
}

/* Process line i in the caller's job. */
static int
main_line(struct ctx_run_slot *s, struct ctx_run *r, size_t i,
    struct ctx_err *err)
{
	r->job->at = s->first + i + 1;
	return ctx_run_line(r, &s->item[i].line, err);
}

/* Pass on all output. */
static int
tell_given(struct ctx_run_slot *s, struct ctx_run *r, struct ctx_err *err)
{
	int whole = s->way == CTX_RUN_CONVERSATIONS, rc;
	struct ctx_gave *l;
	uint64_t at;
	size_t i = 0;

	while ((l = earliest(s)) != NULL) {
		at = ctx_gave_next(l);
		do {
			rc = ctx_gave_tell(l, r->job, whole, &i, err);
			if (rc == 1 && !whole)
				rc = name_bad(r, &s->item[i].line, err);
			else if (rc == 1)
				rc = main_line(s, r, i, err) == 1 ? 0 : -1;
			if (rc == -1)
				return -1;
		} while (ctx_gave_next(l) == at);
	}
	return 0;
}

int
ctx_run_slot_tell_line(struct ctx_run *r, const struct ctx_line *line,
    int *alone, struct ctx_err *err)
{
	int rc;

	if (!*alone && r->job->turns.by == NULL) {
		rc = ctx_turns_alone(&r->job->turns, line, err);
		if (rc == -1)
			return -1;
		if (rc == CTX_ALONE_GIVEN)
			return 1;
		*alone = rc == CTX_ALONE_MIXED;
	}
	return ctx_run_line(r, line, err);
}

/* Process the lines from number i on in the caller's job. */
static int
tell_lines(struct ctx_run_slot *s, struct ctx_run *r, size_t i, int *alone,
    struct ctx_err *err)
{
	int go = 1;

	for (; go == 1 && i < s->n; i++) {
		known(s, &s->item[i], &r->job->turns);
		r->job->at = s->first + i + 1;
		go = ctx_run_slot_tell_line(r, &s->item[i].line, alone, err);
	}
	return go;
}

/* Add the totals of conversation lines to the caller's job, or discard them. */
static void
add_figures(struct ctx_run_slot *s, struct ctx_job *main)
{
	if (main != NULL)
		main->changed |= s->sum->changed;
	s->sum->changed = 0;
	ctx_job_add(main, s->sum);
}

/* Pass on the output of conversation lines, up to a line for one thread. */
static int
tell_conversations(struct ctx_run_slot *s, struct ctx_run *r, int *alone,
    struct ctx_err *err)
{
	add_figures(s, *alone ? NULL : r->job);
	if (*alone)
		return tell_lines(s, r, 0, alone, err);
	if (tell_given(s, r, err) == -1)
		return -1;
	if (!s->mixed)
		return 1;
	*alone = 1;
	return tell_lines(s, r, s->done, alone, err);
}

/* Pass on the output of conversations that are told apart by key. */
static int
tell_by_key(struct ctx_run_slot *s, struct ctx_run *r, struct ctx_err *err)
{
	if (tell_given(s, r, err) == -1)
		return -1;
	if (!s->cut)
		return 1;
	r->job->cut_off = 1;
	return name_bad(r, &s->item[s->n].line, err);
}

/* The jobs that have examined lines, besides the caller's. */
static unsigned
examiners(const struct ctx_run_slot *s, const struct ctx_run *r)
{
	return s->ahead != r->job;
}

/* Process lines for one thread, which another has examined. */
static int
tell_known(struct ctx_run_slot *s, struct ctx_run *r, struct ctx_err *err)
{
	int go = 1, alone = 1;

	if (s->ahead != NULL && r->job->kind->ahead_known(r->job, &s->ahead,
	    examiners(s, r), s->which, err) == -1)
		go = -1;
	if (go == 1)
		go = tell_lines(s, r, 0, &alone, err);
	ctx_run_slot_forget(s, r);
	return go;
}

void
ctx_run_slot_forget(struct ctx_run_slot *s, struct ctx_run *r)
{
	if (s->ahead != NULL)
		r->job->kind->ahead_forget(r->job, &s->ahead, examiners(s, r),
		    s->which);
	s->ahead = NULL;
	if (s->sum != NULL)
		add_figures(s, NULL);
}

int
ctx_run_slot_tell(struct ctx_run_slot *s, struct ctx_run *r, int *alone,
    struct ctx_err *err)
{
	int go = 1;

	if (s->err.code != CTX_OK) {
		ctx_run_slot_forget(s, r);
		*err = s->err;
		return -1;
	}
	switch (s->way) {
	case CTX_RUN_MAIN:
		go = tell_lines(s, r, 0, alone, err);
		break;
	case CTX_RUN_CONVERSATIONS:
		go = tell_conversations(s, r, alone, err);
		break;
	case CTX_RUN_BY_KEY:
		go = tell_by_key(s, r, err);
		break;
	case CTX_RUN_AHEAD:
		go = tell_known(s, r, err);
		break;
	}
	if (go == 1 && s->late.code != CTX_OK) {
		*err = s->late;
		return -1;
	}
	return go;
}
