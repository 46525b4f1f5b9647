/* SPDX-License-Identifier: MIT */
/*
 * Errors: one fixed-size struct that the caller owns, filled by the first
 * function that fails.  The library never prints and never exits.
 *
 * Text is a fragment without program name, full stop or newline; it names the
 * thing, then what failed: "vocabulary 'x' unknown".  Bytes that came from
 * input are put in with ctx_err_quote, so that no control character can reach
 * a terminal through a diagnostic.
 *
 * Names: ctx_fail_.
 */
#ifndef CTX_BASE_ERR_H
#define CTX_BASE_ERR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Behind the declaration of a function that can fail, for want of memory above
 * all: the compiler names each call whose answer nobody looks at (gcc and
 * clang; `make lint` stops at it, and a cast to void is no way around it).
 * What is sticky, as in buf.h, has it where the sum of it is asked for.
 */
#define CTX_CHECKED	__attribute__((warn_unused_result))

enum ctx_code {
	CTX_OK = 0,
	CTX_ENO,	/* the answer is "no"			exit 1 */
	CTX_EUSAGE,	/* called wrongly			exit 2 */
	CTX_EINPUT,	/* an input line is not what it should be exit 3 */
	CTX_ESYSTEM,	/* file, disk, database			exit 4 */
	CTX_ENOMEM,	/* memory				exit 4 */
	CTX_ERANGE,	/* a caller inside the toolkit is wrong	exit 4 */
	CTX_EREMOTE	/* the endpoint failed after retries	exit 5 */
};

struct ctx_err {
	enum ctx_code code;
	uint64_t line;		/* of the input, from 1; 0: none */
	uint64_t col;		/* byte in that line, from 1; 0: none */
	char text[256];
};

/* Fill *err (may be NULL) unless it is filled already.  Returns -1. */
int	ctx_fail(struct ctx_err *err, enum ctx_code code, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));

/*
 * The same with strerror(errnum) behind ": "; the code is CTX_ENOMEM of ENOMEM,
 * else CTX_ESYSTEM.  Returns -1.
 */
int	ctx_fail_errno(struct ctx_err *err, int errnum, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));

/* Shorthand for "out of memory".  Returns -1. */
int	ctx_fail_nomem(struct ctx_err *err);

/* Back to "no error". */
void	ctx_err_clear(struct ctx_err *err);

/*
 * Copy text[0 .. len) into out[0 .. size) as printable text: control bytes and
 * invalid UTF-8 become \xHH, a cut copy ends in "...".  Always terminated.
 * Returns out.
 */
char	*ctx_err_quote(char *out, size_t size, const char *text, size_t len);

#endif
