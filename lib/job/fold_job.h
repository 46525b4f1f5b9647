/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-summarize: the older part of each conversation becomes a
 * summary, which stands in its place.  How much is folded is decided by
 * decide/fold; who summarizes is the offline engine (extract/extract.h), or
 * whoever the caller asks.
 *
 * Conversation lines leave at once, message lines at the end of the file.
 */
#ifndef CTX_JOB_FOLD_JOB_H
#define CTX_JOB_FOLD_JOB_H

#include "decide/fold.h"
#include "extract/extract.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_fold_job_as { CTX_FOLD_AS_PAIR, CTX_FOLD_AS_USER, CTX_FOLD_AS_SYSTEM };

enum ctx_fold_job_to {
	CTX_FOLD_TO_STREAM,
	CTX_FOLD_TO_TEXT,	/* the summaries under their heads alone */
	CTX_FOLD_TO_ANSWER,	/* what ask answers, a line each */
	CTX_FOLD_TO_QUESTION	/* what ask answers, and nothing is folded */
};

enum ctx_fold_job_row {
	/*
	 * What came of a conversation: rule is "folded", "unchanged" or
	 * "failed" (it stays as it is, and exit codes may say so), text says
	 * why, name is its key as it stands in the stream; n by the enum below.
	 */
	CTX_FOLD_ROW_DONE,
	/* ask has failed, as text says: the offline engine takes its place. */
	CTX_FOLD_ROW_OFFLINE,
	/* A conversation does not begin as what is known of it. */
	CTX_FOLD_ROW_ANEW
};

/* Numbers of CTX_FOLD_ROW_DONE. */
enum ctx_fold_job_num {
	CTX_FOLD_N_TURNS,	/* that were folded now */
	CTX_FOLD_N_KEPT,	/* turns that stay */
	CTX_FOLD_N_ALL,		/* turns that the summary stands for */
	CTX_FOLD_N_TOKENS,	/* of what was folded */
	CTX_FOLD_N_SUMMARY,	/* tokens of the summary */
	CTX_FOLD_N_MS,		/* time that the summary took */
	CTX_FOLD_N_ENGINE,	/* the last enum ctx_fold_engine at it */
	/* of struct ctx_fold_question, as int64_t */
	CTX_FOLD_N_TRIES, CTX_FOLD_N_PROMPT, CTX_FOLD_N_OUTPUT
};

enum ctx_fold_engine { CTX_FOLD_NOBODY, CTX_FOLD_OFFLINE, CTX_FOLD_ASKED };

/* What somebody is asked to summarize, and the answer. */
struct ctx_fold_question {
	const struct ctx_talk *said;	/* what goes; the earlier summary, if
					   any, comes first */
	size_t nsaid;
	const struct ctx_buf *old;	/* the text of that summary, or empty */
	/* to be filled */
	struct ctx_buf *answer;
	unsigned tries;
	int64_t prompt_tokens, output_tokens;	/* -1: not said */
};

/* What is remembered of a conversation from one run to the next. */
struct ctx_fold_memo {
	const char *key, *side;		/* its key as it stands in the stream,
					   the name of a side conversation; NULL
					   where the length is 0 */
	size_t keylen, sidelen;
	const char *summary;		/* of its first messages, UTF-8 */
	size_t summarylen;
	uint64_t tokens, turns;		/* of the summary; that it stands for */
	uint64_t upto;			/* messages, those of the system too */
	const char *sha256;		/* of their bytes, each with a newline
					   behind it: hexadecimal */
};

struct ctx_fold_job_opts {
	struct ctx_fold fold;		/* when, and how much */
	uint64_t max_tokens;		/* of a summary */
	enum ctx_fold_job_as as;
	enum ctx_fold_job_to to;
	int fallback;			/* offline, if ask fails */
	int put_aside;			/* what goes, to CTX_TO_SIDE */
	struct ctx_cost *cost;		/* ready */

	/*
	 * NULL: the offline engine.  0 and q's answer, or -1 with *err, of
	 * which CTX_EREMOTE leaves the conversation as it is.
	 */
	int (*ask)(void *arg, struct ctx_fold_question *q,
	    struct ctx_err *err);
	void *ask_arg;
	/*
	 * Both NULL or: 1 and what is known of the conversation with m's key
	 * and side, good until the next call, or 0; and keep that, 0 or -1 with
	 * *err.
	 */
	int (*recall)(void *arg, struct ctx_fold_memo *m);
	int (*remember)(void *arg, const struct ctx_fold_memo *m,
	    struct ctx_err *err);
	void *memo_arg;
};

/* What it came to. */
struct ctx_fold_job_sums {
	uint64_t conversations, folded, failed;	/* the last two: of these */
	uint64_t turns, tokens;		/* that were folded */
	uint64_t summary_tokens;	/* that they became */
};

/*
 * What opts points to outlives the job.  With ask or recall a conversation
 * follows the other, in one thread.  NULL with *err.
 */
struct ctx_job *ctx_fold_job_new(const struct ctx_fold_job_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_fold_job_sums *ctx_fold_job_figures(const struct ctx_job *j);

#endif
