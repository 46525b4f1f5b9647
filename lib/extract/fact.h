/* SPDX-License-Identifier: MIT */
/*
 * Facts: what must not be lost when a text is shortened, because nobody can
 * guess it.  These are URLs, addresses, paths, identifiers, numbers with their
 * unit, codes in capitals and quoted strings; and, with less weight, what looks
 * like a name.
 */
#ifndef CTX_EXTRACT_FACT_H
#define CTX_EXTRACT_FACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "extract/glyph.h"

/* How a name was found. */
#define CTX_FACT_NAME 1		/* capitals, or enough Han characters */
#define CTX_FACT_PLACE 2	/* Han that ends as the names of places do */

struct ctx_fact {
	const char *key;	/* its identity: "4.5分" */
	const char *show;	/* the key in context: "评分4.5分以上" */
	uint32_t keylen;
	uint32_t showlen;
	uint32_t at;		/* for the caller: see ctx_facts_scan */
	uint32_t rank;		/* its weight in an old list of references,
				   set by the caller; 0: not from one */
	const char *label;	/* of what it is the value, or NULL */
	uint32_t labellen;
	uint8_t name;		/* only looks like a name: CTX_FACT_ */
};

struct ctx_facts {
	struct ctx_fact *v;
	size_t n;
	size_t cap;
};

/*
 * Append the facts of text[0 .. len).  They point into text and get the given
 * at.  border has the Han characters that end a name.  Returns 0, or -1 with
 * CTX_ENOMEM.
 */
int	ctx_facts_scan(struct ctx_facts *facts,
	    const struct ctx_han_set *border, const char *text, size_t len,
	    uint32_t at, struct ctx_err *err) CTX_CHECKED;

/*
 * How hard a fact is to guess from the rest, in percent: an identifier is, a
 * short number hardly, a mark of a few capitals somewhat.
 */
unsigned ctx_fact_share(const char *key, size_t len);

/* Is it an identifier, a date, an address or a path: the hardest to guess? */
int	ctx_fact_is_id(const char *key, size_t len);

/* Append a fact that the caller found. */
int	ctx_facts_add(struct ctx_facts *facts, const struct ctx_fact *fact,
	    struct ctx_err *err) CTX_CHECKED;

#endif
