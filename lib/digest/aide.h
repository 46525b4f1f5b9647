/* SPDX-License-Identifier: MIT */
/*
 * Ask a helper program what is in a file.  It is started when it is first asked
 * and stays for later files; if it fails or takes too long, it is started again
 * for the next one.
 *
 * Both sides write a head of CTX_AIDE_HEAD bytes, a digit of state and the
 * number of bytes that follow, and those bytes.
 */
#ifndef CTX_DIGEST_AIDE_H
#define CTX_DIGEST_AIDE_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

#define CTX_AIDE_HEAD		16
#define CTX_AIDE_FORM		"%d%14zu\n"	/* of a head */
/* Most bytes of a file that is handed over, and of an answer. */
#define CTX_AIDE_ASK_MAX	((size_t)256 << 20)
#define CTX_AIDE_ANSWER_MAX	((size_t)32 << 20)

enum ctx_aide_state {
	CTX_AIDE_ALL,		/* the answer is complete */
	CTX_AIDE_PART,		/* of the first part of the file */
	CTX_AIDE_NOT,		/* it is the reason why there is none */
	CTX_AIDE_NOMEM		/* the program has no memory */
};

/* Ready when all zero. */
struct ctx_aide {
	pid_t pid;		/* 0 if it is not running */
	int fd;
	int missing;		/* it could not be started */
	struct ctx_buf answer;	/* of the last question, terminated */
};

/*
 * Ask the program called name about data[0 .. len).  Returns one of the first
 * three states, which tells what a->answer is, or -1 if out of memory.
 */
int	ctx_aide_ask(struct ctx_aide *a, const char *name, const char *data,
	    size_t len) CTX_CHECKED;

/* End the program if it is running. */
void	ctx_aide_done(struct ctx_aide *a);

#endif
