/* SPDX-License-Identifier: MIT */
/*
 * What a program puts before what a command printed: how long it ran, and the
 * like.  When a text is shown in part, that is not the part.
 *
 * Names: ctx_frame_.
 */
#ifndef CTX_SHOW_FRAME_H
#define CTX_SHOW_FRAME_H

#include "show/scene.h"

/* The bytes of such lines at the beginning of a result's text, or 0. */
uint32_t ctx_frame_len(struct ctx_str text);

/* Does a line of them say that the command failed? */
int	ctx_frame_fails(struct ctx_str line);

/*
 * The text from the line on that says so, or else without such lines: its first
 * line tells most.
 */
struct ctx_str ctx_frame_inside(struct ctx_str text);

#endif
