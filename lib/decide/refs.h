/* SPDX-License-Identifier: MIT */
/*
 * References.  A history may have, in place of a long text that was sent
 * before,
 *
 *	[same text as sent before: sha256:HHHHHHHHHHHHHHHH, N chars]
 *
 * or the same in another language (marker.h), with the first 16 hexadecimal
 * digits of the SHA-256 of its decoded text and its length in characters.
 * This finds the message that sent it first, among those of one conversation.
 * Nothing is hashed before a reference is seen.
 *
 * All zero is empty.
 */
#ifndef CTX_DECIDE_REFS_H
#define CTX_DECIDE_REFS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "view/convo.h"

/*
 * A text with a shorter spelling is not worth replacing by a reference, which
 * is longer itself.
 */
#define CTX_REFS_MIN	200	/* bytes, still escaped */

struct ctx_refs_key {
	uint64_t digest;	/* the first 8 bytes, big-endian */
	uint64_t chars;
};

struct ctx_refs {
	struct ctx_refs_text *text;	/* ordered by number */
	size_t n, cap;
	size_t hashed;		/* text[0 .. hashed) have digests */
	uint32_t *slot;		/* by digest: index + 1; 0 is free */
	size_t nslot;
	struct ctx_buf decoded;
	/*
	 * If this is set, texts are not borrowed: it returns the bytes of the
	 * record with that number, or NULL with *err.
	 */
	const char *(*record)(void *arg, uint64_t no, struct ctx_err *err);
	void *arg;
};

void	ctx_refs_done(struct ctx_refs *r);
/* Forget all texts but keep the memory. */
void	ctx_refs_reset(struct ctx_refs *r);

/* Is the string s, still escaped, a reference and nothing else? */
int	ctx_refs_parse(struct ctx_str s, struct ctx_refs_key *ref);

/*
 * Remember that message no sent text s, if it is long enough.  s is borrowed
 * until ctx_refs_prune drops it; numbers never decrease.  Returns 0, or -1 if
 * out of memory.
 */
int	ctx_refs_add(struct ctx_refs *r, uint64_t no, struct ctx_str s,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Find who sent the text first.  Returns 1 with the number in *no, 0 if nobody
 * did, -1 if out of memory or if record failed.
 */
int	ctx_refs_find(struct ctx_refs *r, const struct ctx_refs_key *ref,
	    uint64_t *no, struct ctx_err *err) CTX_CHECKED;

/*
 * Hash all texts that were added, after which the borrowed bytes are no longer
 * needed.  Returns 0, or -1 if out of memory or if record failed.
 */
int	ctx_refs_settle(struct ctx_refs *r, struct ctx_err *err) CTX_CHECKED;

/*
 * Is any text of c a reference?  If c is a whole conversation and has none, nobody
 * asks for a text of it.
 */
int	ctx_refs_any(const struct ctx_convo *c);

/* What was sent under one number: messages m to end of c, all of one record. */
struct ctx_refs_sent {
	uint64_t no;
	const struct ctx_convo *c;
	uint32_t m, end;
	const char *raw;	/* the record's bytes at their permanent
				   place */
	size_t skip;		/* its bytes before those that are held */
};

/*
 * Remember its texts, and call fn for each reference in it, with the number
 * that it refers to or CTX_REFS_GONE.  Returns 0, -1 if out of memory, or what
 * fn returned.
 */
#define CTX_REFS_GONE	UINT64_MAX
typedef int ctx_refs_fn(void *arg, uint64_t to, struct ctx_err *err);
int	ctx_refs_scan(struct ctx_refs *r, const struct ctx_refs_sent *sent,
	    ctx_refs_fn *fn, void *arg, struct ctx_err *err) CTX_CHECKED;

/* Forget the texts of messages that are no longer alive. */
void	ctx_refs_prune(struct ctx_refs *r,
	    int (*alive)(uint64_t no, const void *arg), const void *arg);

#endif
