/* SPDX-License-Identifier: MIT */
/*
 * The running summary of a conversation, kept in the stream itself: a user
 * message that begins with CTX_SUMMARY_HEAD, N and CTX_SUMMARY_TAIL, and the
 * assistant's reply to it.  It is recognized only in the first messages that
 * are not system messages.
 */
#ifndef CTX_DECIDE_SUMMARY_H
#define CTX_DECIDE_SUMMARY_H

#include "view/convo.h"

#define CTX_SUMMARY_HEAD	"[Context: Summary of earlier conversation ("
#define CTX_SUMMARY_TAIL	" turns)]:\n"
#define CTX_SUMMARY_REPLY \
	"Understood. I have the context from our earlier conversation."
/* what a summary begins with in a text for a prompt */
#define CTX_SUMMARY_SAID	"[Earlier conversation summary ("

/*
 * Is message m a summary?  If so, sets *turns to the number that it states and
 * *text to its text without the head, still escaped.  Either may be NULL.
 */
int	ctx_summary_is(const struct ctx_convo *c, uint32_t m, uint64_t *turns,
	    struct ctx_str *text);

/*
 * The text of message m, which consists of one text: of a summary without its head,
 * which also sets *turns, unless that is NULL.  .len is 0 for others.
 */
struct ctx_str ctx_summary_text(const struct ctx_convo *c, uint32_t m,
	    uint64_t *turns);

/* Is message m the reply to a summary? */
int	ctx_summary_is_reply(const struct ctx_convo *c, uint32_t m);

#endif
