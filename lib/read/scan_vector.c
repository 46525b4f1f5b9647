/* SPDX-License-Identifier: MIT */
/* The path for machines with vectors (base/vec.h). */
#include "read/span_scan.h"

#include "base/vec.h"

#ifdef VEC
#define SCAN_TARGET	VEC_TARGET

#include "read/scan_vector.inc"
#include "read/scan_grammar.inc"

const struct ctx_scan_kernel ctx_scan_vector = {
	scan_doc, scan_utf8, scan_chars
};

#else
extern int ctx_scan_no_vector;	/* ISO C requires a declaration in each file */
#endif
