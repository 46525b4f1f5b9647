/* SPDX-License-Identifier: MIT */
/*
 * Deeds: calls that change something, as opposed to those that only look.  The
 * verb in the name of the tool decides, in any style of names: book_room,
 * cancelOrder, mail.send, mcp__tracker__create-issue, 取消订单.
 */
#ifndef CTX_EXTRACT_DEED_H
#define CTX_EXTRACT_DEED_H

#include <stddef.h>

enum ctx_deed {
	CTX_DEED_UNKNOWN,	/* the name has no verb that tells */
	CTX_DEED_LOOKS,
	CTX_DEED_DONE,		/* changes something */
	CTX_DEED_FAILED		/* should have, but its result is an error */
};

/* What a tool of this name does: never CTX_DEED_FAILED. */
enum ctx_deed ctx_deed_of(const char *tool, size_t len);

/* Does the result say that the call failed? */
int	ctx_deed_failed(const char *result, size_t len);

/*
 * A deed is written tool(value, value, …).  Find the value that says what it
 * was done to: the first that identifies something, or else the first.  Sets
 * *at to where it begins, and returns its length.
 */
size_t	ctx_deed_object(const char *text, size_t len, size_t *at);

#endif
