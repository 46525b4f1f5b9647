/* SPDX-License-Identifier: MIT */
/*
 * The byte order of a vocabulary table: one that is made on this machine for
 * another gets the order of that one.  Names: ctx_reorder_.
 */
#ifndef CTX_TOKEN_HOST_REORDER_H
#define CTX_TOKEN_HOST_REORDER_H

#include <stddef.h>

/*
 * Reverse the bytes of every number in the table file[0 .. len), which is in
 * this machine's order and sound, and make its sum anew.
 */
void	ctx_reorder_table(void *file, size_t len);

#endif
