/* SPDX-License-Identifier: MIT */
/* What the sources of page.h share. */
#ifndef CTX_SHOW_PAGE_IMPL_H
#define CTX_SHOW_PAGE_IMPL_H

#include "show/html.h"
#include "show/page.h"

/* Append "1 token", "1,234 tokens". */
void	ctx_page_count(struct ctx_buf *out, uint64_t n, const char *unit);

#endif
