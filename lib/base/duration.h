/* SPDX-License-Identifier: MIT */
/* How long a sound or a film is, by its file's headers. */
#ifndef CTX_BASE_DURATION_H
#define CTX_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

/*
 * Set *ms to the milliseconds of data[0 .. len), the whole file: WAV, MP3
 * (by its number of frames, or its first bit rate), FLAC, Ogg (Vorbis and
 * Opus), or MP4 and its relatives (M4A, MOV).  Returns 0, or -1 with *ms
 * unchanged if data is none of them or does not say.
 */
int	ctx_duration_read(const void *data, size_t len, uint64_t *ms);

#endif
