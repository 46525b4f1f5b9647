/* SPDX-License-Identifier: MIT */
/*
 * Whose the messages are if each fits several dialects: messages of texts alone are
 * the same in most APIs.
 */
#ifndef CTX_EDIT_ADOPT_H
#define CTX_EDIT_ADOPT_H

#include "edit/target.h"

/*
 * Make c a conversation in the target's dialect if none of its messages decides
 * otherwise, all of them are what the target takes, and something in them, or beside
 * them in a request, is taken by the target and not by OpenAI, or all settings of the
 * request mean the same for both.
 */
void	ctx_adopt(struct ctx_convo *c, const struct ctx_target *t);

#endif
