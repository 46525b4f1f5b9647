/* SPDX-License-Identifier: MIT */
/*
 * Which messages of a history are those of another: what was dropped, added,
 * shortened, changed or moved.  Parts of messages are paired (texts, calls,
 * results, images) and messages follow from them, so that a history may have
 * been converted in between, which divides and joins messages and makes ids.
 *
 * A part is the same if its role (of texts), its name and arguments (of calls),
 * its data (of images and files) and its text are the same; ids and signatures
 * are not compared, but tell the same calls apart.  Parts are paired, in this
 * order: the same ones, in order (align.h); texts that were divided or joined;
 * calls with one id and name, and the results of calls that are paired; the
 * same ones elsewhere, and short ones beside them; texts that begin or end alike,
 * in order; and what alone stands where another was.
 *
 * Kept are, of each part, a digest, the first CTX_MATCH_HEAD bytes of its text
 * and the last CTX_MATCH_TAIL, and of each message a digest of its bytes.  With
 * whole set, the texts are kept.
 *
 * Names: ctx_match_, struct ctx_matching, struct ctx_unit.
 */
#ifndef CTX_COMPARE_MATCH_H
#define CTX_COMPARE_MATCH_H

#include "base/strmap.h"
#include "show/became.h"
#include "show/scene.h"

#define CTX_MATCH_HEAD	160
#define CTX_MATCH_TAIL	32
#define CTX_MATCH_DIGEST 16

/* What a part is to its mate. */
enum ctx_match_how {
	CTX_MATCH_SAME,
	CTX_MATCH_LIKE,		/* what is left of it */
	CTX_MATCH_INSTEAD	/* what it became */
};

struct ctx_match_part {
	enum ctx_kind kind;
	enum ctx_role role;
	enum ctx_match_how how;	/* if it has a mate */
	int failed;		/* a result that is an error */
	uint32_t msg;		/* its message, and the key of that */
	uint32_t key;
	uint32_t what;		/* equal numbers: the same part */
	uint32_t id, name;	/* numbers in ids and names, or CTX_NONE */
	uint32_t link;		/* a result's call or a call's result, or
				   CTX_NONE */
	uint32_t mate;		/* in the other history, or CTX_NONE */
	size_t at;		/* of what is kept of its text */
	uint32_t kept;		/* bytes */
	uint32_t len;		/* of the whole text; 0 of images and files
				   that are no text, of which words are kept */
	uint32_t nth;		/* place among what is shown of its message */
	uint32_t sum[2];	/* of what is not white space in it; of texts */
	uint32_t power[2];	/* for the sum of one text after another */
	uint32_t marks;		/* the bytes that are not white space */
};

struct ctx_match_msg {
	uint64_t line, nth;	/* place in the input; messages of one line
				   count from 1 */
	uint64_t conversation;
	uint64_t tokens;
	enum ctx_role role;
	unsigned flags;		/* enum ctx_msg_flag */
	uint32_t key;		/* number in keys, or CTX_NONE */
	uint32_t part, npart;
	uint32_t unit;
	uint32_t added;		/* how many of its side were before it: where
				   it is in a reel that has them all */
	int cached;		/* in the beginning that is sent as it was */
	unsigned char digest[CTX_MATCH_DIGEST];
};

/* One of the histories: 0 is the old one, 1 the new one. */
struct ctx_match_side {
	struct ctx_match_msg *msg;
	struct ctx_match_part *part;
	uint32_t nmsg, npart;
	size_t capmsg, cappart;
	struct ctx_buf text;
	uint64_t tokens;
	uint64_t messages;	/* without those that continue another */
	uint32_t *list;		/* messages by units */
	int several;		/* a line has several messages */
};

/* Messages that belong together: those of one history became the others. */
struct ctx_unit {
	enum ctx_became change;
	uint32_t first[2], n[2];	/* in the list of each side */
	uint32_t messages[2];	/* without those that continue another */
	uint64_t tokens[2];
};

struct ctx_matching {
	int whole;		/* set by the caller */
	struct ctx_match_side side[2];
	struct ctx_strmap whats, ids, names, keys;

	/* after ctx_match_end: */
	struct ctx_unit *unit;	/* in the order of the histories */
	uint32_t nunit;
	struct ctx_became_sum sum[CTX_BECAME_N];
	uint64_t cached;	/* tokens at the beginning of the new history's
				   conversations that are sent as they were */

	/* internal */
	struct ctx_doc doc;
	struct ctx_buf word;
};

/* Add the next message of history new (0 or 1).  Returns 0, or -1 with *err. */
int	ctx_match_add(struct ctx_matching *m, int new,
	    const struct ctx_shown *s, struct ctx_err *err) CTX_CHECKED;

/* Pair all messages.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_match_end(struct ctx_matching *m, struct ctx_err *err) CTX_CHECKED;

/* What became of message i of a side. */
static inline enum ctx_became
ctx_match_became(const struct ctx_matching *m, int new, uint32_t i)
{
	return m->unit[m->side[new].msg[i].unit].change;
}

void	ctx_match_done(struct ctx_matching *m);

/* What is kept of a part's text: its beginning, and its end. */
struct ctx_str ctx_match_head(const struct ctx_match_side *s,
	    const struct ctx_match_part *p);
struct ctx_str ctx_match_tail(const struct ctx_match_side *s,
	    const struct ctx_match_part *p);

#endif
