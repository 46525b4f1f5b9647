/* SPDX-License-Identifier: MIT */
/*
 * All histories of a length.  A message is a word, as in by_hand.h:
 *
 *	s system   u user   A assistant   t a result
 *
 * followed by its parts: "." a text, a letter a call or a result with that id.
 * "Aab" calls a and b, "uab" of Anthropic answers both, "u.a" has a text before
 * its result.  Histories that differ only in the names of ids are one: the
 * first id is a, the next b.
 */
#ifndef CTX_TESTS_EVERY_H
#define CTX_TESTS_EVERY_H

#include <stdlib.h>

#include "base/buf.h"

#define EVERY_MOST	8	/* messages of an enumerated history */
#define EVERY_PARTS	8
#define EVERY_MSGS	24	/* with what is added to it */

/* Words of each dialect.  Whatever a message may be is in some word. */
static const char *const every_openai[] = { "s", "u", "A.", "Aa", "Ab", "Ac",
    "Aab", "Aac", "Abc", "Aaa", "ta", "tb", "tc", NULL };
static const char *const every_anthropic[] = { "u.", "A.", "Aa", "Ab", "Ac",
    "Aab", "Aac", "Abc", "Aaa", "ua", "ub", "uc", "uab", "u.a", NULL };
static const char *const every_responses[] = { "s", "u", "A.", "Aa", "Ab",
    "Ac", "ta", "tb", "tc", NULL };

enum every_dialect { EVERY_OPENAI, EVERY_ANTHROPIC, EVERY_RESPONSES };

struct every_part {
	char kind;		/* . text, c call, r result */
	char id[12];
	int tag;		/* tells it from all others; -1: it was added */
};

struct every_msg {
	char role;		/* s u A t */
	int npart;
	struct every_part part[EVERY_PARTS];
};

struct every {
	enum every_dialect d;
	int n;
	struct every_msg msg[EVERY_MSGS];
};

#define EVERY_PART(h, m, k)	(&(h)->msg[m].part[k])

/* Append the message that a word says; used is the number of ids so far. */
static inline void
every_add(struct every *h, const char *word)
{
	struct every_msg *m = &h->msg[h->n];
	struct every_part *p;
	const char *s = word[1] != '\0' ? word + 1 : ".";

	*m = (struct every_msg){ .role = *word };
	for (; *s != '\0'; s++) {
		p = &m->part[m->npart];
		p->kind = *s == '.' ? '.' : *word == 'A' ? 'c' : 'r';
		p->tag = h->n * 8 + m->npart++;
		if (*s != '.') {
			p->id[0] = *s;
			p->id[1] = '\0';
		}
	}
	h->n++;
}

/* The number of ids after the word, or -1 if it names one too early. */
static inline int
every_ids(const char *word, int used)
{
	for (word++; *word != '\0'; word++)
		if (*word >= 'a' && *word - 'a' > used)
			return -1;
		else if (*word >= 'a' && *word - 'a' == used)
			used++;
	return used;
}

/* Call on_each with all continuations of h by left messages. */
static inline void
every_history(struct every *h, const char *const *words, int left, int used,
    void (*on_each)(const struct every *))
{
	int i, n;

	if (left == 0) {
		on_each(h);
		return;
	}
	for (i = 0; words[i] != NULL; i++) {
		if ((n = every_ids(words[i], used)) == -1)
			continue;
		every_add(h, words[i]);
		every_history(h, words, left - 1, n, on_each);
		h->n--;
	}
}

/* The words of h, for messages. */
static inline const char *
every_words(const struct every *h)
{
	static char s[EVERY_MSGS * (EVERY_PARTS * 12 + 2)];
	size_t n = 0;
	int m, k;

	for (m = 0; m < h->n; m++) {
		n += (size_t)sprintf(s + n, "%s%c", m > 0 ? " " : "",
		    h->msg[m].role);
		for (k = 0; k < h->msg[m].npart; k++)
			n += (size_t)sprintf(s + n, "%s",
			    EVERY_PART(h, m, k)->kind == '.' ? "." :
			    EVERY_PART(h, m, k)->id);
	}
	s[n] = '\0';
	return s;
}

/* --- spelling ------------------------------------------------------------ */

static inline const char *
every_role(char role)
{
	return role == 's' ? "system" : role == 'A' ? "assistant" :
	    role == 't' ? "tool" : "user";
}

/* What a message costs: from 1 to 5, so that budgets are reached exactly. */
static inline int
every_cost(const struct every *h, int m)
{
	return 1 + (m * 3 + (int)h->msg[m].role) % 5;
}

static inline void
every_spell_openai(struct ctx_buf *b, const struct every_msg *m)
{
	const struct every_part *p = m->part;
	int k;

	if (p->kind == 'r')
		ctx_buf_addf(b, ",\"tool_call_id\":\"%s\"", p->id);
	if (p->kind != 'c') {
		ctx_buf_addf(b, ",\"content\":\"t%d\"}", p->tag);
		return;
	}
	ctx_buf_adds(b, ",\"content\":null,\"tool_calls\":[");
	for (k = 0; k < m->npart; k++)
		ctx_buf_addf(b, "%s{\"id\":\"%s\",\"type\":\"function\","
		    "\"function\":{\"name\":\"f\",\"arguments\":\"t%d\"}}",
		    k > 0 ? "," : "", p[k].id, p[k].tag);
	ctx_buf_adds(b, "]}");
}

static inline void
every_spell_anthropic(struct ctx_buf *b, const struct every_msg *m)
{
	const struct every_part *p;
	int k;

	ctx_buf_adds(b, ",\"content\":[");
	for (k = 0; k < m->npart; k++) {
		p = &m->part[k];
		if (k > 0)
			ctx_buf_addc(b, ',');
		if (p->kind == '.')
			ctx_buf_addf(b, "{\"type\":\"text\",\"text\":\"t%d\"}",
			    p->tag);
		else if (p->kind == 'c')
			ctx_buf_addf(b, "{\"type\":\"tool_use\",\"id\":\"%s\","
			    "\"name\":\"f\",\"input\":{\"x\":\"t%d\"}}", p->id,
			    p->tag);
		else
			ctx_buf_addf(b, "{\"type\":\"tool_result\","
			    "\"tool_use_id\":\"%s\",\"content\":\"t%d\"}",
			    p->id, p->tag);
	}
	ctx_buf_adds(b, "]}");
}

static inline void
every_spell_responses(struct ctx_buf *b, const struct every_msg *m, int cost)
{
	const struct every_part *p = m->part;

	if (p->kind == 'c')
		ctx_buf_addf(b, "{\"n\":%d,\"type\":\"function_call\","
		    "\"call_id\":\"%s\",\"name\":\"f\",\"arguments\":"
		    "\"t%d\"}", cost, p->id, p->tag);
	else if (p->kind == 'r')
		ctx_buf_addf(b, "{\"n\":%d,\"type\":\"function_call_output\","
		    "\"call_id\":\"%s\",\"output\":\"t%d\"}", cost, p->id,
		    p->tag);
	else
		ctx_buf_addf(b, "{\"n\":%d,\"role\":\"%s\",\"content\":"
		    "\"t%d\"}", cost, every_role(m->role), p->tag);
}

/* Append message m of h as JSON. */
static inline void
every_spell(struct ctx_buf *b, const struct every *h, int m)
{
	const struct every_msg *msg = &h->msg[m];

	if (h->d == EVERY_RESPONSES) {
		every_spell_responses(b, msg, every_cost(h, m));
		return;
	}
	ctx_buf_addf(b, "{\"n\":%d,\"role\":\"%s\"", every_cost(h, m),
	    every_role(msg->role));
	if (h->d == EVERY_OPENAI)
		every_spell_openai(b, msg);
	else
		every_spell_anthropic(b, msg);
}

/* Append h as a conversation line. */
static inline void
every_line(struct ctx_buf *b, const struct every *h)
{
	int m;

	ctx_buf_addf(b, "{\"%s\":[", h->d == EVERY_RESPONSES ? "input" :
	    "messages");
	for (m = 0; m < h->n; m++) {
		if (m > 0)
			ctx_buf_addc(b, ',');
		every_spell(b, h, m);
	}
	ctx_buf_adds(b, "]}\n");
}

#endif
