/* SPDX-License-Identifier: MIT */
/*
 * The contents of a file in what a tool returned for them: JSON around a
 * string, a line that names the file, numbers before the lines, remarks on the
 * lines that are missing.  What is not known is never guessed.
 */
#ifndef CTX_TEXT_WRAPPED_H
#define CTX_TEXT_WRAPPED_H

#include "base/buf.h"
#include "read/node.h"

/* What is said of contents and the lines that they have; 0: not said. */
struct ctx_lines {
	uint64_t from, to;
	uint64_t total;		/* lines of the file */
	int more;		/* more of them follow */
	int base64;		/* they are spelled in base64 */
};

/* All zero is ready for use; memory is reused. */
struct ctx_wrapped {
	const char *p;		/* the contents: in the text, or in a buffer */
	size_t len;
	struct ctx_lines lines;
	int plain_lines;	/* set by the caller: what looks like numbers
				   of lines is of the file */
	/* working storage */
	struct ctx_buf json, plain, inner;
	struct ctx_doc doc;
};

/*
 * Find the contents of the file path (of no length if it is not known) in
 * text, which is decoded.  Returns 1, 0 if it is not sure what they are, -1 if
 * out of memory.
 */
int	ctx_wrapped_open(struct ctx_wrapped *w, struct ctx_str path,
	    struct ctx_str text) CTX_CHECKED;

/*
 * The same for contents that are spelled in base64, perhaps in lines.  Those
 * that JSON says to be so are decoded by ctx_wrapped_open, too.
 */
int	ctx_wrapped_base64(struct ctx_wrapped *w, struct ctx_str text)
	    CTX_CHECKED;

/*
 * The same for what a command printed or a search found, which names no file
 * and whose lines keep their numbers.  Returns 0 also if some of it is missing.
 */
int	ctx_wrapped_output(struct ctx_wrapped *w, struct ctx_str text)
	    CTX_CHECKED;

/*
 * The string that holds the contents in node i of doc, an object or a list as
 * tools return; CTX_NONE if there is no such one, or if it says that the tool
 * failed.  Sets of lines what the objects around it say.
 */
uint32_t ctx_wrapped_node(const struct ctx_doc *doc, uint32_t i,
	    struct ctx_lines *lines);

/* Set of lines what node i of doc, an object, says of the lines it has. */
void	ctx_wrapped_said(const struct ctx_doc *doc, uint32_t i,
	    struct ctx_lines *lines);

/* Does node i of doc, an object, say that the tool failed, or gave a part? */
int	ctx_wrapped_failed(const struct ctx_doc *doc, uint32_t i);

/*
 * Is s, decoded or spelled as in JSON, one or two short lines of several words?
 * It may be what a tool says instead of a file, and else is not worth a digest.
 */
int	ctx_wrapped_remark(struct ctx_str s);

/* "png" of "a/b.png"; nothing if the name has no ".", or only as the first. */
struct ctx_str ctx_wrapped_suffix(struct ctx_str path);

void	ctx_wrapped_done(struct ctx_wrapped *w);

#endif
