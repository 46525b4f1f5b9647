/* SPDX-License-Identifier: MIT */
/*
 * Notes: the texts that filters write into histories, each in two languages,
 * with placeholders such as {chars}.  They are written and recognized by one
 * table, so a run recognizes what a run in the other language has written, also
 * if another program spelled it with escapes since.
 *
 * A note has no line end, quotation mark or backslash, so it is the same in a
 * text as in a JSON string.
 */
#ifndef CTX_DECIDE_MARKER_H
#define CTX_DECIDE_MARKER_H

#include "base/wording.h"
#include "read/span.h"

enum ctx_marker {
	CTX_MARKER_BASE64,
	CTX_MARKER_BEGINNING,	/* a request must not begin here */
	CTX_MARKER_CLEARED,
	CTX_MARKER_CLEARED_KEPT,	/* and the text was kept in a file: its
					   path ends in a hash, the word of 64
					   digits */
	CTX_MARKER_COPY,	/* its word is 16 digits of a hash */
	CTX_MARKER_CUT,		/* the rest of a text; n is all of it */
	CTX_MARKER_CUT_TOKENS,	/* the same in tokens */
	CTX_MARKER_CUT_KEPT,	/* and the text was kept under its hash, the
				   word of 64 digits */
	CTX_MARKER_CUT_TOKENS_KEPT,
	CTX_MARKER_CUT_PATH,	/* the same, with the path of the file */
	CTX_MARKER_CUT_TOKENS_PATH,
	CTX_MARKER_FILE,	/* not a note, but the word for the type of a
				   file, if that is unknown */
	CTX_MARKER_GAP,		/* lines of a text */
	CTX_MARKER_GAP_PATH,	/* and the whole text was kept under its hash,
				   the word, in a folder */
	CTX_MARKER_GAP_SENT,	/* that were sent before */
	CTX_MARKER_IMAGE,	/* its word is the type */
	CTX_MARKER_LINES,	/* what that many lines have in common follows,
				   and a bracket; their rows are under it */
	CTX_MARKER_MISSING,	/* messages */
	CTX_MARKER_MISSING_TOKENS,	/* the same, with their tokens */
	CTX_MARKER_NO_RESULT,
	CTX_MARKER_OMITTED,	/* content that a target does not have */
	CTX_MARKER_PART,
	CTX_MARKER_PICTURE,	/* like CTX_MARKER_FILE */
	CTX_MARKER_REPEATED,
	CTX_MARKER_TURN_END,	/* an answer where one must be */
	CTX_MARKER_N
};

/* How a run writes its notes.  All zero, or NULL for a pointer: in English. */
struct ctx_markers {
	enum ctx_wording lang;
	const char *own[CTX_MARKER_N];	/* the user's; NULL: the table's */
	const char *dir;	/* the folder of kept texts, for notes that name
				   a path; NULL: they name the hash */
};

/* Can notes name files in this folder?  Returns 0, or -1 with CTX_EUSAGE. */
int	ctx_marker_dir(const char *dir, struct ctx_err *err) CTX_CHECKED;

/* The longest text of a user's own, in bytes: shorter than a base64 blob. */
#define CTX_MARKER_MAX	160

/* What a note says. */
struct ctx_marker_said {
	uint64_t n;		/* of whatever is counted */
	uint64_t tokens;	/* of CTX_MARKER_MISSING_TOKENS */
	struct ctx_str word;
};

/*
 * Take a text of the user's own, "NAME=TEXT", which is borrowed.  Returns 0, or
 * -1 with CTX_EUSAGE if there is no such note, or the text is not fit for it.
 */
int	ctx_marker_own(struct ctx_markers *notes, const char *arg,
	    struct ctx_err *err) CTX_CHECKED;

/* Append a note; what it does not say may be left out of said.  0, or -1. */
int	ctx_marker_put(struct ctx_buf *out, const struct ctx_markers *notes,
	    enum ctx_marker id, const struct ctx_marker_said *said);

/*
 * How many characters more the note has in another language, if it is longer
 * there: what is worth a note must not depend on the language of a run.
 */
size_t	ctx_marker_margin(const struct ctx_markers *notes, enum ctx_marker id);

/* Has the user's text for the note this placeholder, as "{chars}"? */
int	ctx_marker_has(const struct ctx_markers *notes, enum ctx_marker id,
	    const char *place);

/* The text of a note without placeholders; notes outlives it. */
struct ctx_str ctx_marker_text(const struct ctx_markers *notes,
	    enum ctx_marker id);

/*
 * Is there such a note at byte at of s, in any language?  Sets *said, whose
 * word is borrowed from s.  Returns the byte after it, or 0.
 */
size_t	ctx_marker_at(enum ctx_marker id, struct ctx_str s, size_t at,
	    struct ctx_marker_said *said);

/*
 * Does s begin like such a note: in any language up to its first number or
 * word, or in the user's text up to a digit of it?
 */
int	ctx_marker_begins(enum ctx_marker id, const struct ctx_markers *notes,
	    struct ctx_str s);

#endif
