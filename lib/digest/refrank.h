/* SPDX-License-Identifier: MIT */
/*
 * How much the definitions of a tree matter: PageRank on the graph in which a
 * file leads to the words that it uses, and a word to what is defined by that
 * name.  All arithmetic is of integers, so that results are the same on every
 * machine.  All zero is an empty graph.
 *
 * Add a file, then its definitions and words, then the next file.
 */
#ifndef CTX_DIGEST_REFRANK_H
#define CTX_DIGEST_REFRANK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_REFRANK_ONE		((uint64_t)1 << 40)	/* all ranks together */
#define CTX_REFRANK_FILES	((size_t)1 << 22)
#define CTX_REFRANK_WORDS	((size_t)1 << 25)	/* and definitions */

/* Weights of a word. */
#define CTX_REFRANK_WEIGHT	10
#define CTX_REFRANK_HEAVIEST	200

struct ctx_refrank_file {
	uint64_t rank;			/* the result */
	uint64_t next;			/* the rank of the next round */
	uint64_t sum;			/* of the weights of its words */
	uint32_t prior;			/* its part of what files begin with */
	uint32_t word, def;		/* where its words and definitions begin */
};

struct ctx_refrank_def {
	uint32_t word;			/* its name */
	uint32_t file:31, declared:1;
};

struct ctx_refrank_word {		/* of a file */
	uint32_t word;
	uint32_t weight;
};

struct ctx_refrank_name {		/* of what is defined */
	uint64_t flow;			/* the rank that comes to the name */
	uint32_t defs;			/* definitions with this name, */
	uint32_t declared;		/* and declarations */
	uint32_t weight;
};

struct ctx_refrank {
	struct ctx_refrank_file *file;
	size_t nfile, capfile;
	struct ctx_refrank_def *def;
	size_t ndef, capdef;
	struct ctx_refrank_word *word;
	size_t nword, capword;
	struct ctx_refrank_name *name;	/* by number, of words that are seen */
	uint64_t *hash;			/* of each */
	size_t nname, capname, caphash;
	uint32_t *slot;			/* number plus 1; 0: free */
	size_t nslot;
	uint64_t prior;			/* of all files */
};

/*
 * Add a file, with a prior of 1.  Past CTX_REFRANK_FILES it fails with
 * CTX_ESYSTEM.  Returns 0, or -1 with *err.
 */
int	ctx_refrank_file(struct ctx_refrank *r, struct ctx_err *err)
	    CTX_CHECKED;

/* How much file i matters beside what others use of it; up to 2^24. */
void	ctx_refrank_prefer(struct ctx_refrank *r, size_t i, uint32_t prior);

/*
 * The last file defines or declares what has this hash.  A declaration matters
 * only if there is no definition.  Returns 0, or -1 with *err.
 */
int	ctx_refrank_define(struct ctx_refrank *r, uint64_t hash,
	    uint32_t weight, int declared, struct ctx_err *err) CTX_CHECKED;

/*
 * The last file uses a word n times.  Past CTX_REFRANK_WORDS it is ignored.
 * Returns 0, or -1 with *err.
 */
int	ctx_refrank_use(struct ctx_refrank *r, uint64_t hash, uint32_t n,
	    struct ctx_err *err) CTX_CHECKED;

/* Rank what was added.  Nothing can be added after that. */
void	ctx_refrank_run(struct ctx_refrank *r);

/* What comes to definition i, of CTX_REFRANK_ONE. */
uint64_t ctx_refrank_of(const struct ctx_refrank *r, size_t i);

void	ctx_refrank_done(struct ctx_refrank *r);

#endif
