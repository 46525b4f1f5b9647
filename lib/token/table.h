/* SPDX-License-Identifier: MIT */
/*
 * The table file (.ctxv): one vocabulary, made by token/build, mapped as it is
 * on disk and never parsed.  Sections begin at multiples of 4096 bytes, so
 * that the one that is written to (the word cache, a private copy) can be
 * mapped by itself.
 *
 * Readers trust the numbers in the header, which ctx_table_open has checked,
 * and nothing else: an index read from a section is checked before it is used,
 * so that a damaged table gives wrong counts but never a crash.
 */
#ifndef CTX_TOKEN_TABLE_H
#define CTX_TOKEN_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "token/cross.h"
#include "token/trie.h"

#define CTX_TABLE_VERSION	4
#define CTX_TABLE_ORDER		0x01020304u
#define CTX_TABLE_ALIGN		4096u

#define CTX_ID_MAX	((1u << 21) - 1)	/* no token; ids are lower */
#define CTX_RANK_MAX	((1u << 21) - 1)	/* no merge; ranks are lower */
#define CTX_WORD_MAX	15			/* bytes of a cached word */

/* Sections and their contents. */
enum ctx_section {
	CTX_SEC_TOKENS,	/* uint32_t[size + 1]: start of the bytes of id i */
	CTX_SEC_BYTES,	/* the bytes of all tokens */
	CTX_SEC_INDEX,	/* uint32_t slots: bytes -> id + 1, 0 is empty */
	CTX_SEC_FIRST,	/* uint32_t[256]: byte -> id */
	CTX_SEC_GRID,	/* uint32_t[65536]: two bytes -> rank of their merge */
	CTX_SEC_PAIRS,	/* uint64_t buckets of 8: id, id -> rank; ctx_pair_* */
	CTX_SEC_MERGED,	/* uint32_t[]: rank -> id; absent: they are equal */
	CTX_SEC_CACHE,	/* sets of struct ctx_cache_word, with the vocabulary */
	CTX_SEC_CROSS,	/* struct ctx_cross: where a piece may be cut */
	CTX_SEC_SPECIAL,/* struct ctx_special[], in any order */
	CTX_SEC_SPECIAL_TEXT,	/* the texts to search for */
	CTX_SEC_PATTERN,/* the split pattern's text, if it is not one of ours */
	CTX_SEC_TRIE,	/* uint64_t[]: token/trie.h; of UNIGRAM */
	CTX_SEC_SCORES,	/* double[size + 1]: of each id, and at the end that of
			   a character that is not a token; of UNIGRAM */
	CTX_SEC_CHARSMAP,	/* token/charsmap.h */
	CTX_SEC_USER,	/* uint64_t[]: token/trie.h, texts that stay as they
			   are when others are normalized */
	CTX_SEC_STEPS,	/* token/steps.h */
	CTX_SEC_COUNT
};

struct ctx_table_section {
	uint64_t off;
	uint64_t len;
};

/* Flags. */
#define CTX_TABLE_WHOLE	1	/* a piece that is a token is that token, and
				   there is one that merges would miss */
#define CTX_TABLE_CHARS	2	/* merging begins with characters, not bytes;
				   one that is no token is its bytes */
#define CTX_TABLE_UNIGRAM 4	/* tokens with the highest sum of scores */
#define CTX_TABLE_BYTES	8	/* of UNIGRAM: a character that is no token is
				   its bytes */
#define CTX_TABLE_EXACT	32	/* of UNIGRAM: sums are in double precision, not
				   in single, and the text of a byte's token
				   is one, too, as in Hugging Face's library */
#define CTX_TABLE_WORDS	16	/* WordPiece: TRIE has what begins a word, USER
				   what continues one */

struct ctx_table_header {
	char magic[8];		/* "ctxvocab" */
	uint32_t version;
	uint32_t order;		/* CTX_TABLE_ORDER in the machine's order */
	uint64_t length;	/* of the file */
	uint32_t unknown;	/* the id of what is not a token; CTX_ID_MAX */
	uint32_t longest_word;	/* of WORDS: characters; longer are unknown */
	char name[32];		/* terminated */
	uint32_t split;		/* enum ctx_split_kind */
	uint32_t flags;
	uint32_t size;		/* one more than the largest id */
	uint32_t nspecial;
	uint32_t longest;	/* bytes of the longest token */
	uint32_t index_bits;	/* log2 of slots */
	uint32_t index_probes;	/* longest probe */
	uint32_t pair_bits;	/* log2 of buckets */
	uint32_t pair_probes;	/* most buckets searched after the first */
	uint32_t cache_bits;	/* log2 of sets */
	uint32_t nmerged;	/* length of MERGED */
	uint32_t norm;		/* CTX_NORM_...; token/norm.h */
	struct ctx_table_section section[CTX_SEC_COUNT];
	uint64_t head_sum;	/* of all bytes before this one */
};

/* A token that text is searched for before it is cut. */
struct ctx_special {
	uint32_t id;
	uint32_t flags;		/* CTX_SPECIAL_... */
	uint32_t off;		/* in SPECIAL_TEXT */
	uint32_t len;
};

#define CTX_SPECIAL_ALWAYS 1	/* found even where specials are plain text */
#define CTX_SPECIAL_LSTRIP 2	/* takes in the white space before it, */
#define CTX_SPECIAL_RSTRIP 4	/* after it */
#define CTX_SPECIAL_WORD   8	/* no word may continue before or after it */
#define CTX_SPECIAL_NORMAL 16	/* looked for in text that is normalized */

/*
 * The cache: sets of four words, each set one cache line.  A word is stored as
 * two numbers holding its bytes, the first byte lowest; above them are its
 * length (4 bits; 0 means empty) and its token count (4 bits).
 */
struct ctx_cache_word {
	uint64_t lo;
	uint64_t hi;
};

#define CTX_SET_WORDS	4

struct ctx_table {
	const struct ctx_table_header *head;	/* the mapping's start */
	size_t mapped;				/* its length in bytes */
	int fd;
	/* Pointers to the sections, for speed. */
	const uint32_t *token;
	const uint8_t *bytes;
	const uint32_t *index;
	const uint32_t *first;
	const uint32_t *grid;
	const uint64_t *pair;
	uint32_t pair_shift;			/* takes a hash to its bucket */
	const uint32_t *merged;			/* or NULL */
	const struct ctx_cross *cross;
	const struct ctx_special *special;
	const char *special_text;
	struct ctx_trie trie;
	struct ctx_trie user;
	const double *score;
	const char *steps;
};

/*
 * Map the file at path.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM ("... not a vocabulary table", "...
 *          damaged", or a system error).  If missing is not NULL, *missing
 *          tells whether the file does not exist.
 */
int	ctx_table_open(struct ctx_table *t, const char *path, int *missing,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_table_close(struct ctx_table *t);

/*
 * The checksum used for the sum in the header.  Like every hash here it is the
 * same in both byte orders, so that only the numbers in a table depend on it.
 */
uint64_t ctx_table_sum(const void *data, size_t len);

/* The id of the token text[0 .. len); CTX_ID_MAX if it is not a token. */
uint32_t ctx_table_find(const struct ctx_table *t, const uint8_t *text,
	    size_t len);

/* The hash functions; they are part of the format. */

static inline uint64_t
ctx_hash_pair(uint32_t left, uint32_t right)
{
	return ((uint64_t)left << 21 | right) * 0x9e3779b97f4a7c15u;
}

static inline uint64_t
ctx_hash_word(uint64_t lo, uint64_t hi)
{
	return lo * 0x9fb21c651e98df25u + hi * 0xd6e8feb86659fd93u;
}

uint64_t ctx_table_hash(const uint8_t *text, size_t len);

/* Does merging begin with characters? */
static inline int
ctx_table_by_chars(const struct ctx_table *t)
{
	return (t->head->flags & CTX_TABLE_CHARS) != 0;
}

/*
 * A pair's slot holds left id, right id and rank; all ones means empty.  A
 * bucket is one cache line; what does not fit goes into the next one.
 */
#define CTX_PAIR_NONE	UINT64_MAX
#define CTX_PAIR_BUCKET	8

static inline uint64_t
ctx_pair_make(uint32_t left, uint32_t right, uint32_t rank)
{
	return ((uint64_t)left << 21 | right) << 21 | rank;
}

/* The bucket to search first. */
static inline const uint64_t *
ctx_pair_bucket(const struct ctx_table *t, uint32_t left, uint32_t right)
{
	return t->pair + CTX_PAIR_BUCKET * (ctx_hash_pair(left, right) >>
	    t->pair_shift);
}

/* The bucket after b. */
static inline const uint64_t *
ctx_pair_next(const struct ctx_table *t, const uint64_t *b)
{
	return t->pair + ((size_t)(b - t->pair + CTX_PAIR_BUCKET) &
	    (((size_t)CTX_PAIR_BUCKET << t->head->pair_bits) - 1));
}

/*
 * The rank of the merge of left and right; CTX_RANK_MAX if they do not merge.
 */
static inline uint32_t
ctx_pair_rank(const struct ctx_table *t, uint32_t left, uint32_t right)
{
	const uint64_t *b = ctx_pair_bucket(t, left, right);
	uint64_t key = (uint64_t)left << 21 | right;
	uint32_t i, k;

	for (k = 0; k <= t->head->pair_probes; k++) {
		for (i = 0; i < CTX_PAIR_BUCKET; i++) {
			if (b[i] >> 21 == key)
				return (uint32_t)(b[i] & CTX_RANK_MAX);
			if (b[i] == CTX_PAIR_NONE)
				return CTX_RANK_MAX;
		}
		b = ctx_pair_next(t, b);
	}
	return CTX_RANK_MAX;
}

/* The id of the token that the merge of this rank produces. */
static inline uint32_t
ctx_rank_id(const struct ctx_table *t, uint32_t rank)
{
	if (t->merged == NULL)
		return rank;
	return rank < t->head->nmerged ? t->merged[rank] & CTX_ID_MAX :
	    CTX_ID_MAX;
}

#endif
