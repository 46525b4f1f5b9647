/* SPDX-License-Identifier: MIT */
/*
 * What the steps of a script say, part by part.  Only script.c uses this; it
 * decides what belongs to which step.
 */
#ifndef CTX_EDIT_SAID_H
#define CTX_EDIT_SAID_H

#include "edit/script.h"

/* Is p half of a call and its result in a single part of a message? */

/* The kind that part i is converted as; CTX_HOLLOW if it is left out. */
enum ctx_kind ctx_said_kind(const struct ctx_convo *c, uint32_t i);

/* The node of part i as a whole; CTX_NONE if it has none. */
uint32_t ctx_said_node(const struct ctx_convo *c, uint32_t i);

/* The JSON of part i; .p is NULL if it is not a value of its own. */
struct ctx_str ctx_said_json(const struct ctx_convo *c, uint32_t i);

/* What is taken in a part of this kind. */
struct ctx_taker ctx_said_taker(const struct ctx_script *s,
	    enum ctx_kind kind);

/*
 * Is part i, which is in the target's own form, of a kind that its API does not
 * take, or a member of its message that it does not?
 */
int	ctx_said_refused(const struct ctx_script *s, const struct ctx_convo *c,
	    uint32_t i);

/* A new item, valid until the next; NULL if out of memory. */
struct ctx_said *ctx_said_add(struct ctx_script *s, enum ctx_kind kind);

/*
 * Add part i as an item, followed by items for what a result contains.  Returns
 * 0, or -1 if out of memory.
 */
int	ctx_said_part(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs, uint32_t i);

/*
 * Add the parts that message m carries for other dialects, in the order of their
 * places; so many parts of its step are before the message.  Returns 0, or -1 if out
 * of memory.
 */
int	ctx_said_kept(struct ctx_script *s, uint32_t m, uint32_t before);

/*
 * If part i is the first node of its message's list of parts, add the numbers and
 * literals in that list as what the message carries for its own dialect: they have no
 * nodes, and are no parts.  Returns 0, or -1 if out of memory.
 */
int	ctx_said_bare(struct ctx_script *s, uint32_t i);

/* A copy that belongs to the script; .p is NULL if out of memory. */
struct ctx_str ctx_said_own(struct ctx_script *s, const char *p, size_t len);

/*
 * The name that the API takes for a tool, which it does not take as it is; it is
 * counted.  .p is NULL if out of memory.
 */
struct ctx_str ctx_said_tool_name(struct ctx_script *s, struct ctx_str name);

/*
 * Make the id or name in b unique in the script: sep and a number follow it if
 * it was given before.  Returns 0, or -1 if out of memory.
 */
int	ctx_said_unique(struct ctx_script *s, struct ctx_buf *b, char sep)
	    CTX_CHECKED;

/*
 * Does the target take an id: of 40 bytes for OpenAI chat, of 64 for its Responses and
 * Bedrock, nine letters and digits for Mistral, letters, digits, _ and - for Anthropic
 * and Bedrock?
 */
int	ctx_said_id_fits(unsigned needs, struct ctx_str id);

/* An id that fits in place of another; .p is NULL if out of memory. */
struct ctx_str ctx_said_fit_id(struct ctx_script *s, struct ctx_str id,
	    unsigned needs);

/* Was the id made for a call without one? */
int	ctx_said_made_id(struct ctx_str id);

/* Free the strings that were made for items. */
void	ctx_said_forget(struct ctx_script *s);

#endif
