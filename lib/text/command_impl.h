/* SPDX-License-Identifier: MIT */
/* What the sources of command share. */
#ifndef CTX_TEXT_COMMAND_IMPL_H
#define CTX_TEXT_COMMAND_IMPL_H

#include <stdint.h>

#include "text/command.h"

/* Where to look in the list of words. */
struct ctx_command_words {
	unsigned char class[256];	/* of bytes */
	unsigned char first[27];	/* the first word of each letter */
	uint32_t second[26];		/* and which letters may follow it */
};

void	ctx_command_words_init(struct ctx_command_words *index);

/*
 * Does a line have a word for something that went wrong, or for a count or a
 * code that says whether it did?  Names of files, identifiers, options and
 * counts of none are not such words.
 */
int	ctx_command_words_in(const struct ctx_command_words *index,
	    const char *p, size_t len);

#endif
