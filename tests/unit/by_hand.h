/* SPDX-License-Identifier: MIT */
/*
 * Conversations written by hand, for tests of policies.  Each word is a
 * message:
 *
 *	s system   u user   A assistant   r results
 *
 * followed by its parts.  A letter is a call (in A) or a result (in u or r)
 * with that id, "." a text, "_" an empty text block, "~" thinking, "!" an empty
 * list of calls.  A u or s without parts has a text.  "Ab" calls b, "A.ab" has
 * a text and calls a and b, "rab" answers both, "u.a" has a text before its
 * result.  A number after a letter makes a longer id: "a41" is 41 a's.
 */
#ifndef CTX_TESTS_BY_HAND_H
#define CTX_TESTS_BY_HAND_H

#include <stdlib.h>

#include "view/dialect.h"

/* All records are this one: node 0 is a text, node 1 an empty one. */
#define BY_HAND_RAW	"\"x\" \"\"\n"

static const char by_hand_ids[26][65] = {
#define ID(c)	c c c c c c c c c c c c c c c c
#define ID64(c)	ID(c) ID(c) ID(c) ID(c)
	ID64("a"), ID64("b"), ID64("c"), ID64("d"), ID64("e"), ID64("f"),
	ID64("g")
};

static inline struct ctx_part *
by_hand_part(struct ctx_convo *c, char ch)
{
	struct ctx_part *p;

	p = ctx_convo_add_part(c, ch == '.' || ch == '_' ? CTX_TEXT :
	    ch == '~' ? CTX_THINKING : ch == '!' ? CTX_HOLLOW :
	    c->msg[c->nmsg - 1].role == CTX_ASSISTANT ? CTX_CALL : CTX_RESULT);
	if (p == NULL)
		abort();
	if (ch == '.' || ch == '_')
		p->text = ch == '_';
	if (ch == '_' || ch == '!')
		p->place[0].node = 1;
	if (ch >= 'a' && ch <= 'z') {
		p->id.p = by_hand_ids[ch - 'a'];
		p->id.len = 1;
	}
	return p;
}

static inline void
by_hand_msg(struct ctx_convo *c, const char *word, size_t len)
{
	struct ctx_rec *r = ctx_convo_add_rec(c);
	enum ctx_role role = *word == 's' ? CTX_SYSTEM : *word == 'u' ?
	    CTX_USER : *word == 'A' ? CTX_ASSISTANT : c->dialect ==
	    &ctx_dialect_anthropic ? CTX_USER : CTX_TOOL;
	struct ctx_part *p = NULL;
	size_t i;

	if (r == NULL)
		abort();
	r->raw = BY_HAND_RAW;
	r->len = sizeof(BY_HAND_RAW) - 1;
	r->line = r->seq + 1;
	r->shape = CTX_REC_MESSAGE;
	if (ctx_convo_add_msg(c, role, CTX_NONE, CTX_NONE) == NULL)
		abort();
	if (len == 1 && (*word == 'u' || *word == 's'))
		by_hand_part(c, '.');
	for (i = 1; i < len; i++) {
		if (word[i] < '0' || word[i] > '9')
			p = by_hand_part(c, word[i]);
		else if (word[i - 1] > '9')
			p->id.len = (uint32_t)strtoul(word + i, NULL, 10);
	}
}

/* Fill c, which must be empty, from words. */
static inline void
by_hand(struct ctx_convo *c, const char *words, const struct ctx_dialect *d)
{
	size_t len;

	ctx_convo_reset(c);
	c->dialect = d;
	if (CTX_ROOM(c->doc.node, 1, &c->doc.cap) == -1)
		abort();
	c->doc.node[0] = (struct ctx_node){ 0, 3, 1 };
	c->doc.node[1] = (struct ctx_node){ 4, 2, 2 };
	c->doc.n = 2;
	for (; *words != '\0'; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		by_hand_msg(c, words, len);
	}
}

#endif
