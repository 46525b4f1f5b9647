/* SPDX-License-Identifier: MIT */
/*
 * What a process gives up when it only has to read and write files that are
 * open: it can no longer open or create files, connect, start programs, or
 * signal other processes.  What a fault in it could be made to do ends there.
 */
#ifndef CTX_BASE_SANDBOX_H
#define CTX_BASE_SANDBOX_H

/* What is in force. */
enum ctx_sandbox {
	CTX_SANDBOX_LANDLOCK = 1,	/* Linux: files, TCP, signals */
	CTX_SANDBOX_SECCOMP = 2,	/* Linux: system calls */
	CTX_SANDBOX_PLEDGE = 4		/* OpenBSD */
};

/*
 * Give it up, for this thread and those that it starts, for good.  If scratch
 * is not NULL, files without a name can still be made in that folder (O_TMPFILE
 * with O_EXCL, so that they cannot get one).
 *
 * What was given up fails with EPERM or EACCES, rather than ending the process,
 * so that a call that was overlooked ends in a message, and so that libc can do
 * without: malloc, for one, asks for figures in /proc and takes a default.
 *
 * Returns what is in force; 0 if the system has nothing of this, or the program
 * is built with a sanitizer, whose runtime opens files at any time.
 */
int	ctx_sandbox_enter(const char *scratch);

#endif
