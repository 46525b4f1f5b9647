/* SPDX-License-Identifier: MIT */
/*
 * What a tokenizer.json does with a text before it is cut, one step after the
 * other, as Hugging Face's normalizers do it.  Used where the bits of
 * token/norm.h do not suffice.
 */
#ifndef CTX_TOKEN_STEPS_H
#define CTX_TOKEN_STEPS_H

#include "token/charsmap.h"
#include "token/cluster.h"
#include "token/norm.h"

/* The numbers are written to table files and never change. */
enum ctx_steps_kind {
	CTX_STEPS_FORM = 1,	/* by is base/unorm.h's number */
	CTX_STEPS_MAP = 2,	/* the charsmap, cluster by cluster */
	CTX_STEPS_REPLACE = 3,	/* from by to */
	CTX_STEPS_RUNS = 4,	/* two spaces or more by to */
	CTX_STEPS_STRIP = 5,	/* no white space at the ends; by has bits: */
	CTX_STEPS_LOWER = 6,
	CTX_STEPS_MARKS = 7,	/* without marks */
	CTX_STEPS_NMT = 8,	/* control characters go, others are spaces */
	CTX_STEPS_PREPEND = 9,	/* to comes before a text that is not empty */
	CTX_STEPS_WORDS = 10,	/* white space is CTX_STEPS_BETWEEN */
	CTX_STEPS_KINDS = 10
};

#define CTX_STRIP_LEFT	1
#define CTX_STRIP_RIGHT	2

/* What stands between two words, if the table has CTX_NORM_WORDS. */
#define CTX_STEPS_BETWEEN	'\n'

#define CTX_STEPS_MAX	16

struct ctx_steps_one {
	enum ctx_steps_kind kind;
	unsigned by;
	const char *from, *to;	/* borrowed */
	size_t nfrom, nto;
};

struct ctx_steps {
	struct ctx_steps_one step[CTX_STEPS_MAX];
	size_t n;
	struct ctx_charsmap map;
};

/* What one step remembers of a text. */
struct ctx_steps_part {
	struct ctx_buf in;	/* text that is not certain yet */
	struct ctx_buf kept;	/* white space that the end would remove */
	size_t spaces;		/* so far, not written yet */
	int begun;
	int longer;		/* in a cluster that is not looked up whole */
	struct ctx_cluster cluster;
};

/* The state in a text; at its beginning, all but steps is zero. */
struct ctx_steps_text {
	const struct ctx_steps *steps;	/* borrowed */
	struct ctx_steps_part part[CTX_STEPS_MAX];
};

/* Add a step to those in list, which is what a table file has of them. */
int	ctx_steps_add(struct ctx_buf *list, enum ctx_steps_kind kind,
	    unsigned by, const char *from, const char *to);

/*
 * Prepare for the steps in list[0 .. len), with a charsmap; both are borrowed.
 * Returns 0 if they are damaged.
 */
int	ctx_steps_open(struct ctx_steps *s, const char *list, size_t len,
	    const char *map, size_t maplen);

/*
 * Append p[0 .. *len), which is UTF-8, to out after all steps, like
 * ctx_norm_append.
 */
int	ctx_steps_append(struct ctx_steps_text *x, struct ctx_buf *out,
	    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
	    CTX_CHECKED;

/* Forget the text. */
void	ctx_steps_reset(struct ctx_steps_text *x);
void	ctx_steps_done(struct ctx_steps_text *x);

#endif
