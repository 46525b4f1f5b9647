/* SPDX-License-Identifier: MIT */
/* The number of pages of a PDF file, as far as it can be read as it is. */
#ifndef CTX_BASE_PAGES_H
#define CTX_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>

struct ctx_pages {
	uint64_t objects;	/* of pages, each as often as it was written */
	uint64_t stated;	/* by the last root of a tree of pages, or 0 */
};

/*
 * Add what p[0 .. len) has, a piece of a PDF file or one of its object streams,
 * inflated.  All zero is none; later versions of objects come later in a file.
 */
void	ctx_pages_read(struct ctx_pages *pages, const char *p, size_t len);

uint64_t ctx_pages_number(const struct ctx_pages *pages);

/*
 * The number of pages that a file made for the web ("linearized") states at
 * its beginning; 0 if it does not.
 */
uint64_t ctx_pages_stated(const char *p, size_t len);

#endif
