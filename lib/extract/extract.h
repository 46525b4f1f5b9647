/* SPDX-License-Identifier: MIT */
/*
 * The offline summarizer.  It picks the passages that say most of what a
 * conversation says, facts first, and lists facts for which there was no room
 * in a last line "Refs: ...".  Nothing is invented or rephrased.
 *
 * It takes text and returns text, with no model, network or floating point, so
 * the result is the same on every machine.  Time is about linear in the text;
 * memory is about 60 times the number of words.  EXTRACT.md in this directory
 * describes the method and what was tried.
 */
#ifndef CTX_EXTRACT_EXTRACT_H
#define CTX_EXTRACT_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "extract/deed.h"

enum ctx_talk_kind {
	CTX_TALK_USER,
	CTX_TALK_ASSISTANT,
	CTX_TALK_CALL,		/* text: the arguments, JSON or not */
	CTX_TALK_RESULT,
	CTX_TALK_SUMMARY	/* written by an earlier run */
};

/* All strings are borrowed, in UTF-8 without escapes, and not terminated. */
struct ctx_talk {
	enum ctx_talk_kind kind;
	const char *text;
	size_t len;
	const char *tool;	/* name of the tool, of a call or result */
	size_t toollen;
	int failed;		/* the result says that the call failed */
	/* of a call: what it does, if it is known; CTX_DEED_UNKNOWN: the tool's
	   name tells */
	enum ctx_deed deed;
	const char *did;	/* of CTX_DEED_DONE: what was done, in place of
				   the arguments; or NULL */
	size_t didlen;
};

struct ctx_extract {
	uint64_t budget;	/* tokens, as counted by cost */
	uint64_t size;		/* a limit in ctx_glyph_size, so that other
				   tokenizers do not count much more; 0: none */
	/*
	 * Count the tokens of a text into *n; ctx_counter_text can be used.
	 * Returns 0, or -1 with *err.
	 */
	int (*cost)(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);
	void *arg;
};

/*
 * Append the summary of said[0 .. n) to out, with a newline at the end of each
 * line except the last.  It never costs more than the budget and may be empty.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or the error of cost.
 */
int	ctx_extract(const struct ctx_talk *said, size_t n,
	    const struct ctx_extract *opt, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
