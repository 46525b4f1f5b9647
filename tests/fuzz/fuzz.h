/* SPDX-License-Identifier: MIT */
/* What all fuzz targets share. */
#ifndef CTX_TESTS_FUZZ_H
#define CTX_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define MUST(cond)	do { if (!(cond)) { fprintf(stderr, "%s:%d: %s\n", \
			__FILE__, __LINE__, #cond); abort(); } } while (0)

#endif
