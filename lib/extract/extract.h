/* SPDX-License-Identifier: MIT */
/*
 * The offline summarizer: picks passages of a conversation that say most of
 * what it says, facts first, and lists the facts for which there was no room
 * in a last line "Refs: ...".  Nothing is made up and nothing is rephrased.
 *
 * Text in, text out; no model, no network, no floating point: the same bytes
 * on every machine.  Time is about linear in the text, memory about 60 times
 * the number of its words.  EXTRACT.md beside this file has the method, and
 * what was tried.
 */
#ifndef CTX_EXTRACT_EXTRACT_H
#define CTX_EXTRACT_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum ctx_talk_kind {
	CTX_TALK_USER,
	CTX_TALK_ASSISTANT,
	CTX_TALK_CALL,		/* text: the arguments, JSON or not */
	CTX_TALK_RESULT,
	CTX_TALK_SUMMARY	/* what an earlier run wrote */
};

/* All strings are borrowed, UTF-8 without escapes, not terminated. */
struct ctx_talk {
	enum ctx_talk_kind kind;
	const char *text;
	size_t len;
	const char *tool;	/* name of the tool called, with _CALL */
	size_t toollen;
};

struct ctx_extract {
	uint64_t budget;	/* tokens, by the same measure as cost */
	uint64_t size;		/* the same limit for ctx_glyph_size, so that
				   no other tokenizer gets much more; 0: none */
	/* Tokens of a text into *n; ctx_counter_text fits.  0 or -1. */
	int (*cost)(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);
	void *arg;
};

/*
 * Append the summary of said[0 .. n) to out, newline at the end of each line
 * but the last.  It never costs more than the budget; it may be empty.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or what cost failed with.
 */
int	ctx_extract(const struct ctx_talk *said, size_t n,
	    const struct ctx_extract *opt, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
