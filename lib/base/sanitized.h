/* SPDX-License-Identifier: MIT */
/*
 * Is this built with a sanitizer that has memory and system calls of its own?  Such
 * a program cannot live within a limit on either.
 */
#ifndef CTX_BASE_SANITIZED_H
#define CTX_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CTX_SANITIZED	1
#elif defined(__has_feature)
#define CTX_SANITIZED	(__has_feature(address_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer))
#else
#define CTX_SANITIZED	0
#endif

#endif
