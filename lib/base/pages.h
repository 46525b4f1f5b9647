/* SPDX-License-Identifier: MIT */
/* The number of pages of a PDF file, as far as it can be read as it is. */
#ifndef CTX_BASE_PAGES_H
#define CTX_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The page objects in p[0 .. len), a PDF file or one of its object streams,
 * inflated: the number of times "/Type /Page" occurs in it, not counting
 * "/Pages".
 */
uint64_t ctx_pages_pdf(const char *p, size_t len);

/*
 * The number of pages that a file made for the web ("linearized") states at
 * its beginning; 0 if it does not.
 */
uint64_t ctx_pages_stated(const char *p, size_t len);

#endif
