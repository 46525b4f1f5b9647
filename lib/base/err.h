/* SPDX-License-Identifier: MIT */
/*
 * Errors: one fixed-size struct that the caller owns, filled by the first
 * function that fails.  The library never prints and never exits.
 *
 * The text is a fragment without program name, full stop or newline.  It names
 * the thing, then what failed: "vocabulary 'x' unknown".  Bytes from the input
 * are quoted with ctx_err_quote, so that no control character can reach a
 * terminal through a diagnostic.
 *
 * Names: ctx_fail_.
 */
#ifndef CTX_BASE_ERR_H
#define CTX_BASE_ERR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Put this after the declaration of a function that can fail, above all one
 * that allocates: the compiler then warns about each call whose result is
 * ignored.  (gcc and clang; `make lint` fails on it, and a cast to void does
 * not silence it.)  Functions with a sticky error, as in buf.h, carry it on the
 * call that asks for the overall result.
 */
#define CTX_CHECKED	__attribute__((warn_unused_result))

enum ctx_code {
	CTX_OK = 0,
	CTX_ENO,	/* the answer is "no"			exit 1 */
	CTX_EUSAGE,	/* usage error				exit 2 */
	CTX_EINPUT,	/* invalid input line			exit 3 */
	CTX_ESYSTEM,	/* file, disk or database		exit 4 */
	CTX_ENOMEM,	/* out of memory			exit 4 */
	CTX_ERANGE,	/* internal error: bad argument	exit 4 */
	CTX_EREMOTE	/* the endpoint failed after retries	exit 5 */
};

struct ctx_err {
	enum ctx_code code;
	uint64_t line;		/* of the input, from 1; 0 if unknown */
	uint64_t col;		/* byte in that line, from 1; 0 if unknown */
	char text[256];
};

/* Fill *err unless it is already filled; err may be NULL.  Returns -1. */
int	ctx_fail(struct ctx_err *err, enum ctx_code code, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));

/*
 * The same, with ": " and strerror(errnum) appended.  The code is CTX_ENOMEM if
 * errnum is ENOMEM, else CTX_ESYSTEM.  Returns -1.
 */
int	ctx_fail_errno(struct ctx_err *err, int errnum, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));

/* Fail with "out of memory".  Returns -1. */
int	ctx_fail_nomem(struct ctx_err *err);

/* Clear the error. */
void	ctx_err_clear(struct ctx_err *err);

/*
 * May the character at p[0 .. len), len > 0, not reach a terminal?  Then its
 * bytes are returned (1 for a byte that is not UTF-8), and out is what to write
 * instead: \xHH for each byte of a control character or of what is not UTF-8,
 * \uHHHH or \UHHHHHHHH for what shows nothing and may change how others look,
 * such as the marks and overrides of direction, joiners and tags.  Otherwise 0.
 */
#define CTX_ERR_ESCAPED	12
size_t	ctx_err_escape(const char *p, size_t len, char out[CTX_ERR_ESCAPED]);

/*
 * Copy text[0 .. len) into out[0 .. size) as printable text, with all of these
 * escaped; a copy that was cut ends in "...".  The copy is always terminated.
 * Returns out.
 */
char	*ctx_err_quote(char *out, size_t size, const char *text, size_t len);

#endif
