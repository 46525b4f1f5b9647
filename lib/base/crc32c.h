/* SPDX-License-Identifier: MIT */
/*
 * CRC-32C (Castagnoli, RFC 3720 B.4), to find bytes that changed on disk by
 * accident.  It is not a hash and does not detect deliberate changes.
 */
#ifndef CTX_BASE_CRC32C_H
#define CTX_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * The checksum of p[0 .. len).  For data in pieces, pass the last result as
 * crc; begin with 0.
 */
uint32_t ctx_crc32c(uint32_t crc, const void *p, size_t len);

/* The same without the CPU's instruction, for tests. */
uint32_t ctx_crc32c_portable(uint32_t crc, const void *p, size_t len);

#endif
