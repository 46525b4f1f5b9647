/* SPDX-License-Identifier: MIT */
/* Where the program's file is.  Its other files are in the same directory. */
#ifndef CTX_BASE_PROGRAM_H
#define CTX_BASE_PROGRAM_H

#include <stddef.h>

/* The directory of the program, as "dir/"; "" if it is not known. */
void	ctx_program_dir(char *out, size_t size);

#endif
