/* SPDX-License-Identifier: MIT */
/* Where the running program's file is: what belongs to it is beside it. */
#ifndef CTX_BASE_PROGRAM_H
#define CTX_BASE_PROGRAM_H

#include <stddef.h>

/* The running program's directory, as "dir/"; "" if it cannot be told. */
void	ctx_program_dir(char *out, size_t size);

#endif
