/* SPDX-License-Identifier: MIT */
/*
 * JSON that is valid, spelled in other ways.  What lacks memory is in the buffer's
 * own flag.
 *
 * Names: ctx_spell_.
 */
#ifndef CTX_READ_SPELL_H
#define CTX_READ_SPELL_H

#include "base/strmap.h"
#include "read/span.h"

/* Append a JSON text without the white space between its tokens. */
void	ctx_spell_compact(struct ctx_buf *out, struct ctx_str json);

/* Append a JSON text with one space after each colon and comma. */
void	ctx_spell_spaced(struct ctx_buf *out, struct ctx_str json);
/* Append a JSON text with a line for each value, indented by two spaces. */
void	ctx_spell_indented(struct ctx_buf *out, struct ctx_str json);
/* Append an escaped string with its quotes, in its shortest spelling. */
void	ctx_spell_string(struct ctx_buf *out, struct ctx_str s);

/*
 * Append JSON, or the contents of a string, with each character of a string in
 * its shortest spelling; half a surrogate pair stays as it is.
 */
void	ctx_spell_plain(struct ctx_buf *out, struct ctx_str s);
/* Has it that spelling, but for control characters? */
int	ctx_spell_is_plain(struct ctx_str s);

/*
 * The number of the contents of a string in a map, to which they are added in that
 * spelling if they are new; CTX_STRMAP_FULL if out of memory.
 */
size_t	ctx_spell_number(struct ctx_strmap *m, struct ctx_str s) CTX_CHECKED;

#endif
