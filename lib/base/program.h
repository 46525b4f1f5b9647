/* SPDX-License-Identifier: MIT */
/*
 * Where the running program's file is.  Its other files are in the same
 * directory.
 */
#ifndef CTX_BASE_PROGRAM_H
#define CTX_BASE_PROGRAM_H

#include <stddef.h>

/*
 * The directory of the running program, as "dir/"; "" if it cannot be found
 * out.
 */
void	ctx_program_dir(char *out, size_t size);

#endif
