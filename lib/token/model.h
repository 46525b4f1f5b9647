/* SPDX-License-Identifier: MIT */
/*
 * Models: which vocabulary each one uses, how certain that is, and how many
 * tokens it reads and writes.  They are a table of prefix rules of which the
 * longest matching prefix wins; a user's file (variable CTX_MODELS) takes
 * precedence.
 *
 * Names are matched in lower case and without what precedes the last '/'
 * ("azure/", "openrouter/openai/", "models/"), without a cloud's
 * "us.anthropic.", a library's "openai:" and a fine tune's "ft:", and with the
 * version of a Claude model last from 4 on (claude-4-sonnet is claude-sonnet-4), and
 * before that first (claude-sonnet-3.7 is claude-3.7-sonnet).  A rule matches a name that
 * equals its prefix or continues it with something other than a letter or
 * digit ("gpt-4o" matches "gpt-4o-2024-08-06" and "gpt-4o:latest").  A % in a
 * prefix stands for a number ("gpt-%" matches "gpt-17-mini").
 *
 * Names: ctx_level_.
 */
#ifndef CTX_TOKEN_MODEL_H
#define CTX_TOKEN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/num.h"
#include "token/image.h"
#include "token/tok.h"

#define CTX_MODEL_NAME_MAX	256

/* How a count was made, the best first. */
enum ctx_level {
	CTX_EXACT = 1,		/* with the model's own vocabulary */
	CTX_APPROX,		/* with another one instead */
	CTX_ESTIMATE,		/* characters / 2.5, or a factor */
	CTX_NOT_COUNTED		/* a file of which too little is known */
};

/* A vocabulary that counts for a model, and how well it does. */
struct ctx_way {
	const char *encoding;	/* "o200k_base" */
	enum ctx_level level;
	struct ctx_ratio factor;	/* for an estimate; otherwise 1 */
	int by_script;		/* the factor is only that of Latin prose */
};

/* Tokens of a page, of a second of sound and of one of film; 0: not given. */
struct ctx_rates {
	unsigned page, audio, video;
};

/* How far off counts are. */
struct ctx_margin {
	int exact;	/* at least 97 % of the requests were counted exactly */
	int low, high;	/* percent; 90 % of them were counted by this much too
			   low, to this much too high; all 0: nobody knows */
};

/* What a user's log has shown, on top of what is known. */
struct ctx_fitted {
	struct ctx_ratio factor;	/* of texts; den 0: not given */
	int message;			/* more tokens for each message, */
	uint64_t request;		/* and for each request */
	int has_margin;
	struct ctx_margin margin;
};

struct ctx_model {
	const char *prefix;	/* "gpt-4o" */
	const char *like;	/* of the rule that a user's rule adds to, which
				   says what framing costs; else NULL */
	const char *provider;	/* "openai" */
	const char *encoding;	/* the three members of a way: */
	enum ctx_level level;
	struct ctx_ratio factor;
	/*
	 * What counts if that table is not at hand: the first of these that
	 * is; a NULL encoding ends the list.  NULL: nothing.
	 */
	const struct ctx_way *instead;
	uint64_t window;	/* tokens it reads; 0 if unknown */
	uint64_t output;	/* most tokens it writes; 0 if unknown */
	const char *source;	/* of window and output, with a date */
	/* What else a user's rule says: */
	struct ctx_image_rule image;
	struct ctx_rates rates;
	struct ctx_fitted fitted;
};

struct ctx_models;		/* the table together with the user's rules */

/* How to count for a model; filled in by ctx_model_open. */
struct ctx_choice {
	struct ctx_tok *tok;	/* yours to free */
	enum ctx_level level;	/* the level in use */
	struct ctx_ratio factor;	/* for ctx_counter.factor */
	int by_script;			/* and for its by_script */
	const struct ctx_model *model;	/* borrowed; NULL for an unknown name */
	/* The model's encoding if its table is not at hand, else NULL. */
	const char *missing;
};

/*
 * Create the table and read the file named by CTX_MODELS, if that is set.  The
 * lines of that file are: prefix encoding [window [output]] [KEY=VALUE ...];
 * # begins a comment.  An encoding may be a file and may end in *FACTOR
 * ("cl100k_base*1.2", an estimate); - is what counts without this line, which
 * then adds to the rule before it, or to ours.  The keys are image
 * (token/image.h), page, audio and video (a number of tokens), and factor,
 * message, request and margin, as job/calibrate.h finds them.  Of two lines with
 * the same prefix the last one counts.
 *
 * Returns: yours to free, or NULL with CTX_ESYSTEM, CTX_EUSAGE (a bad line;
 *          the message names it) or CTX_ENOMEM.
 */
struct ctx_models *ctx_models_new(struct ctx_err *err) CTX_CHECKED;
void	ctx_models_free(struct ctx_models *m);

/*
 * The number of characters of the prefix if it matches name; otherwise 0.
 */
size_t	ctx_model_match(const char *prefix, const char *name);

/*
 * Write name to out as rules are matched with it, without the terms of clouds.
 * Returns it, which is in out.
 */
const char *ctx_model_plain(const char *name, char out[CTX_MODEL_NAME_MAX]);

/* Rule i, the user's rules first, for --list-models; NULL past the end. */
const struct ctx_model *ctx_models_at(const struct ctx_models *m, size_t i);

/* The rule for a model name; NULL if none matches.  Borrowed from m. */
const struct ctx_model *ctx_model_find(const struct ctx_models *m,
	    const char *name);

/*
 * Open what counts for the model called name: its own vocabulary, else the
 * first at hand of those that its rule names instead, else chars.  A name that
 * no rule matches gets cl100k_base.
 *
 * Returns: 0, or -1 with CTX_ENOMEM, or CTX_EUSAGE or CTX_ESYSTEM when a
 *          user's rule names a vocabulary that cannot be opened.
 */
int	ctx_model_open(const struct ctx_models *m, const char *name,
	    struct ctx_choice *out, struct ctx_err *err) CTX_CHECKED;

/*
 * The name under which a table is installed for model to find it; NULL if it
 * needs none (its vocabulary is one of ours, or a file).
 */
const char *ctx_model_table(const struct ctx_model *model);

/* "exact", "approximate", "estimate", "not counted". */
const char *ctx_level_name(enum ctx_level level);

#endif
