/* SPDX-License-Identifier: MIT */
/*
 * Images and files in words.
 *
 * Names: ctx_figure_.
 */
#ifndef CTX_SHOW_FIGURE_H
#define CTX_SHOW_FIGURE_H

#include "show/scene.h"

/*
 * Append what is known of an image or file, as one line without what could act
 * on a terminal: "[image image/png a.png, 1,234 bytes, 640x480 pixels]".
 */
void	ctx_figure_words(struct ctx_buf *out, const struct ctx_shown_part *p);

/* Append only ", 1,234 bytes, 640x480 pixels", or what of it is known. */
void	ctx_figure_size(struct ctx_buf *out, const struct ctx_shown_part *p);

#endif
