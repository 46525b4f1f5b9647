/* SPDX-License-Identifier: MIT */
/* Records that follow each other; see chain.h. */
#include "view/chain.h"

#include <stdlib.h>
#include <string.h>

#include "read/spell.h"

void
ctx_chain_done(struct ctx_chain *ch)
{
	ctx_strmap_done(&ch->ids);
	free(ch->rec);
	memset(ch, 0, sizeof(*ch));
}

uint32_t
ctx_chain_member(const struct ctx_doc *doc, uint32_t root, const char *key)
{
	return key == NULL ? CTX_NONE :
	    ctx_doc_get(doc, root, key, strlen(key));
}

int
ctx_chain_number(struct ctx_chain *ch, const struct ctx_doc *doc,
    uint32_t node, uint32_t *number)
{
	struct ctx_str id = ctx_node_str(doc, node);
	size_t n;

	*number = CTX_NONE;
	if (id.len == 0)
		return 0;
	n = ctx_spell_number(&ch->ids, id);
	if (n == CTX_STRMAP_FULL || n >= CTX_NONE ||
	    CTX_ROOM(ch->rec, n, &ch->caprec) == -1)
		return -1;
	if (n == ch->nrec)
		ch->rec[ch->nrec++] = (struct ctx_chain_rec){
		    .parent = CTX_NONE, .then = CTX_NONE, .up = CTX_NONE,
		    .part = CTX_NONE };
	*number = (uint32_t)n;
	return 0;
}

int
ctx_chain_read(struct ctx_chain *ch, const struct ctx_doc *doc, uint32_t root,
    uint32_t *number, uint32_t *parent)
{
	const struct ctx_chain_form *form = ch->form;

	if (ctx_chain_number(ch, doc, ctx_chain_member(doc, root, form->id),
	    number) == -1 || ctx_chain_number(ch, doc, ctx_chain_member(doc,
	    root, form->parent), parent) == -1)
		return -1;
	return *parent != CTX_NONE ? 0 : ctx_chain_number(ch, doc,
	    ctx_chain_member(doc, root, form->logical), parent);
}

void
ctx_chain_see(struct ctx_chain *ch, uint32_t number, uint32_t parent,
    int says)
{
	ch->linked |= parent != CTX_NONE;
	ch->nsaid += says != 0;
	if (number == CTX_NONE || ch->rec[number].seen)
		return;
	ch->rec[number].seen = 1;
	ch->rec[number].parent = parent;
}

int
ctx_chain_keep(struct ctx_chain *ch, const struct ctx_doc *doc, uint32_t root)
{
	uint32_t n;

	if (ctx_chain_number(ch, doc, ctx_chain_member(doc, root,
	    ch->form->id), &n) == -1)
		return -1;
	if (n != CTX_NONE)
		ch->rec[n].kept = 1;
	return 0;
}

/* The first part of n's message that is written and follows it, or CTX_NONE. */
static uint32_t
next_part(const struct ctx_chain *ch, uint32_t n)
{
	size_t steps = 0;

	while (n != CTX_NONE && !ch->rec[n].kept && steps++ <= ch->nrec)
		n = ch->rec[n].part;
	return n == CTX_NONE || !ch->rec[n].kept ? CTX_NONE : n;
}

uint32_t
ctx_chain_written(const struct ctx_chain *ch, uint32_t n, uint32_t by)
{
	size_t steps = 0;
	uint32_t part;

	while (n != CTX_NONE && ch->rec[n].seen && !ch->rec[n].kept) {
		/* those from there on are known */
		if (ch->rec[n].part != by &&
		    (part = next_part(ch, n)) != CTX_NONE)
			return part;
		by = n;
		n = ch->rec[n].parent;
		if (steps++ > ch->nrec)
			return CTX_NONE;	/* a loop */
	}
	return n;
}
