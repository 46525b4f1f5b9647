/* SPDX-License-Identifier: MIT */
/* The endings of files in the languages that models write. */
#ifndef CTX_BASE_ENDING_H
#define CTX_BASE_ENDING_H

/* The extension for a language's files, such as "py"; NULL if unknown. */
const char *ctx_ending_of(const char *lang);

#endif
