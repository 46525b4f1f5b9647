/* SPDX-License-Identifier: MIT */
/* What was said in the messages that go; see fold_job_impl.h. */
#include "job/fold_job_impl.h"

#include "decide/reads.h"
#include "read/spell.h"
#include "text/command.h"

/* Decode s to the end of f->text, which has room. */
static const char *
decode(struct ctx_fold_convo *f, struct ctx_str s, int raw, size_t *len)
{
	size_t from = f->text.len;

	if (s.p == NULL)
		s.len = 0;
	else if (raw)
		ctx_spell_plain(&f->text, s);
	else
		ctx_str_decode(&f->text, s.p, s.len);
	*len = f->text.len - from;
	return f->text.data + from;
}

static int
add_said(struct ctx_fold_convo *f, const struct ctx_talk *said,
    struct ctx_err *err)
{
	if (CTX_ROOM(f->said, f->nsaid, &f->capsaid) == -1)
		return ctx_fail_nomem(err);
	f->said[f->nsaid++] = *said;
	return 0;
}

#define WORD_MAX 24

static int
is_letters(const struct ctx_shell_word *w)
{
	size_t i;

	for (i = 0; i < w->len; i++)
		if ((w->p[i] | 32) < 'a' || (w->p[i] | 32) > 'z')
			return 0;
	return 1;
}

/* What a command does: its first operand that is a known verb may say it. */
static enum ctx_deed
deed_of(const struct ctx_command_one *one)
{
	enum ctx_command_does does = ctx_command_does(one);
	enum ctx_deed deed = CTX_DEED_UNKNOWN;
	size_t i;

	if (does != CTX_COMMAND_MAY)
		return does == CTX_COMMAND_CHANGES ? CTX_DEED_DONE :
		    CTX_DEED_LOOKS;
	for (i = 1; i < one->nword && deed == CTX_DEED_UNKNOWN; i++)
		if (is_letters(&one->word[i]))
			deed = ctx_deed_of(one->word[i].p, one->word[i].len);
	return deed;
}

/*
 * A shell's command line: what it changes, from the first to the last of its
 * commands that change something.  It only looks if all of them do.
 */
static void
say_command(struct ctx_talk *said, const char *p, size_t len)
{
	const char *line = p, *end = p + len;
	struct ctx_command_one one;
	enum ctx_deed deed;
	int looks = 1;

	while (ctx_command_next(&p, &end, &one)) {
		deed = deed_of(&one);
		looks &= deed == CTX_DEED_LOOKS;
		if (deed != CTX_DEED_DONE)
			continue;
		said->did = said->did == NULL ? one.at : said->did;
		said->didlen = (size_t)(one.at + one.len - said->did);
	}
	said->deed = said->did != NULL ? CTX_DEED_DONE :
	    looks ? CTX_DEED_LOOKS : CTX_DEED_UNKNOWN;
	/* one word may be no program: "view", "str_replace" of an editor */
	if (said->deed == CTX_DEED_UNKNOWN && len < WORD_MAX &&
	    memchr(line, ' ', len) == NULL)
		said->deed = ctx_deed_of(line, len);
}

/* What a shell was told to do, if the call is one to a shell. */
static int
say_shell(struct ctx_fold_convo *f, struct ctx_talk *said, struct ctx_err *err)
{
	size_t from = f->text.len;
	uint32_t v;
	int rc = ctx_doc_try(&f->args, said->text, said->len);

	if (rc == 1 && (v = ctx_reads_command(&f->args, 0)) != CTX_NONE) {
		if ((rc = ctx_node_decode(&f->text, &f->args, v)) != -1)
			say_command(said, f->text.data + from,
			    f->text.len - from);
	}
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* Add one part; result is the number of the result that contains it. */
static int
say_part(struct ctx_fold_convo *f, uint32_t i, uint32_t result,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	const struct ctx_part *p = &c->part[i];
	struct ctx_str text = ctx_part_text(c, i), tool = { NULL, 0 };
	enum ctx_role role = c->msg[p->msg].role;
	struct ctx_talk said = { 0 };

	if (p->kind == CTX_CALL) {
		said.kind = CTX_TALK_CALL;
		tool = p->name;
	} else if (p->kind == CTX_RESULT || p->flags & CTX_INNER) {
		said.kind = CTX_TALK_RESULT;
		said.failed = result != CTX_NONE &&
		    c->part[result].flags & CTX_ERROR;
		if (result != CTX_NONE && c->part[result].mate != CTX_NONE)
			tool = c->part[c->part[result].mate].name;
	} else if (p->flags & CTX_COMPACTED)
		said.kind = CTX_TALK_SUMMARY;
	else
		said.kind = role == CTX_USER ? CTX_TALK_USER :
		    CTX_TALK_ASSISTANT;
	if (text.p == NULL && p->kind != CTX_CALL)
		return 0;
	said.text = decode(f, text, p->flags & CTX_RAW, &said.len);
	said.tool = decode(f, tool, 0, &said.toollen);
	if (p->kind == CTX_CALL && say_shell(f, &said, err) == -1)
		return -1;
	return add_said(f, &said, err);
}

/* Reserve memory for everything that is decoded, so that it never moves. */
static int
reserve(struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	size_t sum = 32, tool = 0;	/* an escape is written with room */
	uint32_t i, end = f->cut < c->nmsg ? c->msg[f->cut].part : c->npart;

	for (i = 0; i < end; i++) {
		/* each inner part of a result also has the tool's name */
		if (c->part[i].kind == CTX_RESULT)
			tool = c->part[i].mate == CTX_NONE ? 0 :
			    c->part[c->part[i].mate].name.len;
		/* and a shell's command is decoded twice */
		sum += ctx_part_text(c, i).len * (c->part[i].kind == CTX_CALL ?
		    2 : 1) + c->part[i].name.len + tool + 16;
	}
	if (ctx_buf_reserve(&f->text, sum) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

int
ctx_fold_job_gather(struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct ctx_talk old = { .kind = CTX_TALK_SUMMARY,
		.text = f->old_text.data, .len = f->old_text.len };
	uint32_t m, i, result;

	if (reserve(f, err) == -1 || (f->old_text.len > 0 &&
	    add_said(f, &old, err) == -1))
		return -1;
	for (m = f->users_before < f->first ? f->users_before : f->first;
	    m < f->cut; m++) {
		if (ctx_fold_job_stays(f, m) || ctx_fold_job_is_old(f, m) ||
		    /* folded before, unless it stayed then */
		    (m < f->first && !ctx_group_begins(c, m)))
			continue;
		result = CTX_NONE;
		CTX_FOR_PARTS(c, m, i) {
			if (c->part[i].kind == CTX_RESULT)
				result = i;
			if ((c->part[i].kind == CTX_TEXT ||
			    c->part[i].kind == CTX_CALL ||
			    c->part[i].kind == CTX_RESULT ||
			    c->part[i].flags & CTX_COMPACTED) &&
			    say_part(f, i, result, err) == -1)
				return -1;
		}
	}
	return 0;
}
