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
 * A deed is written tool(value, value, …).  The length of the shortest
 * beginning of text that names the deed: up to the first value that
 * identifies something, or else to the first value.  The rest is 0 or begins
 * with ", ".
 */
size_t	ctx_deed_brief(const char *text, size_t len);

#endif
