/* SPDX-License-Identifier: MIT */
/*
 * getentropy(3), of which at most 256 bytes may be asked.  macOS declares it in
 * a header of its own, the other systems in unistd.h.
 */
#ifndef CTX_BASE_RANDOM_H
#define CTX_BASE_RANDOM_H

#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#endif
