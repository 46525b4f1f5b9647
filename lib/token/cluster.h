/* SPDX-License-Identifier: MIT */
/*
 * Extended grapheme clusters (UAX #29 of Unicode 17.0, as Hugging Face's library
 * has them), and what is a mark in Unicode 9.0, as its normalizers have it.
 */
#ifndef CTX_TOKEN_CLUSTER_H
#define CTX_TOKEN_CLUSTER_H

#include <stdint.h>

/* What came before in a cluster; all zero is the start of a text. */
struct ctx_cluster {
	uint8_t last;		/* class of the last character; 0 and ... */
	uint8_t begun;		/* ... this: there was one */
	uint8_t cr;		/* it is a carriage return */
	uint8_t odd;		/* an odd number of regional indicators */
	uint8_t pict;		/* a pictograph and its extensions; 2: a ZWJ */
	uint8_t conjunct;	/* a consonant; 2: with a linker after it */
};

/* Take the next character.  Does a cluster begin at it? */
int	ctx_cluster_begins(struct ctx_cluster *c, uint32_t cp);

int	ctx_cluster_mark(uint32_t cp);

#endif
