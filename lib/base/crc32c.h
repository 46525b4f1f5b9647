/* SPDX-License-Identifier: MIT */
/*
 * CRC-32C (Castagnoli, RFC 3720 B.4): finds bytes that changed on the disk.
 * Not a hash: it says nothing against somebody who changes them on purpose.
 */
#ifndef CTX_BASE_CRC32C_H
#define CTX_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of p[0 .. len).  Pieces: feed the last result as crc, 0 at first. */
uint32_t ctx_crc32c(uint32_t crc, const void *p, size_t len);

/* The same without the CPU's instruction, for tests. */
uint32_t ctx_crc32c_portable(uint32_t crc, const void *p, size_t len);

#endif
