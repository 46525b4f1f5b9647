/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-summarize: replaces the older part of each conversation with a
 * summary.  decide/fold decides how much; the summary comes from the offline
 * engine (extract/extract.h) or from a callback.
 *
 * Conversation lines are written at once, message lines at the end of the file.
 */
#ifndef CTX_JOB_FOLD_JOB_H
#define CTX_JOB_FOLD_JOB_H

#include "decide/fold.h"
#include "extract/extract.h"
#include "job/charge.h"
#include "job/job.h"

enum ctx_fold_job_as {
	CTX_FOLD_AS_OWN,	/* as the program of the session writes it; of
				   other histories, a pair */
	CTX_FOLD_AS_PAIR,	/* a user's message, and a reply to it */
	CTX_FOLD_AS_USER,
	CTX_FOLD_AS_SYSTEM
};

enum ctx_fold_job_to {
	CTX_FOLD_TO_STREAM,
	CTX_FOLD_TO_TEXT,	/* only the summaries, under their heads */
	CTX_FOLD_TO_ANSWER,	/* the answers of ask, one per line */
	CTX_FOLD_TO_QUESTION	/* the same, and nothing is folded */
};

/* When a model is asked once more for what its answer lacks. */
enum ctx_fold_job_again {
	CTX_FOLD_AGAIN_NEVER,
	CTX_FOLD_AGAIN_LOST,	/* if too little would be left, even with a
				   list of the facts that are missing */
	CTX_FOLD_AGAIN_MISSING	/* if anything is missing in the answer */
};

enum ctx_fold_job_row {
	/*
	 * The result for a conversation.  rule is "folded", "unchanged",
	 * "failed" or "refused" (it is left as it is, which may affect the
	 * exit code), text says why, name is its key as in the stream, and n
	 * has the numbers below.
	 */
	CTX_FOLD_ROW_DONE,
	/* ask failed, as text says, and the offline engine is used instead. */
	CTX_FOLD_ROW_OFFLINE,
	/* A conversation does not begin as remembered. */
	CTX_FOLD_ROW_ANEW,
	/*
	 * Which facts the next result kept: text has the members "facts",
	 * "facts_kept", "facts_lost", "decisions" and "decisions_lost" of a
	 * JSON object; and of a model's, "facts_written" and "asked_again".
	 */
	CTX_FOLD_ROW_FACTS
};

/* The numbers of CTX_FOLD_ROW_DONE. */
enum ctx_fold_job_num {
	CTX_FOLD_N_TURNS,	/* turns folded in this run */
	CTX_FOLD_N_KEPT,	/* turns that stay */
	CTX_FOLD_N_ALL,		/* turns that the summary covers */
	CTX_FOLD_N_TOKENS,	/* tokens of what was folded */
	CTX_FOLD_N_SUMMARY,	/* tokens of the summary */
	CTX_FOLD_N_MS,		/* time taken by the summary */
	CTX_FOLD_N_ENGINE,	/* the enum ctx_fold_engine used last */
	/* of struct ctx_fold_question, as int64_t */
	CTX_FOLD_N_TRIES, CTX_FOLD_N_PROMPT, CTX_FOLD_N_CACHED,
	CTX_FOLD_N_OUTPUT
};

enum ctx_fold_engine { CTX_FOLD_NOBODY, CTX_FOLD_OFFLINE, CTX_FOLD_ASKED };

/* A request for a summary, and the answer. */
struct ctx_fold_question {
	const struct ctx_talk *said;	/* what is to go; an earlier summary
					   comes first */
	size_t nsaid;
	const struct ctx_buf *old;	/* text of the earlier summary, or
					   empty */
	uint64_t most;			/* tokens that the answer may have; 0:
					   not said */
	/*
	 * An earlier answer that is to be written again, or NULL, and lines
	 * with the facts that it lacks, each with the words around it.
	 */
	const struct ctx_buf *draft, *missing;
	/* the whole conversation, and the first message of it that stays */
	struct ctx_convo *convo;
	const struct ctx_strand *strand;
	uint32_t cut;
	/* set by the callback */
	struct ctx_buf *answer;
	unsigned tries;
	/* of all requests; -1 if unknown */
	int64_t prompt_tokens, cached_tokens, output_tokens;
};

/* What is remembered of a conversation between runs. */
struct ctx_fold_memo {
	const char *key, *side;		/* its key as in the stream, and the
					   name of a side conversation; NULL if
					   the length is 0 */
	size_t keylen, sidelen;
	const char *summary;		/* of its first messages, in UTF-8 */
	size_t summarylen;
	uint64_t tokens, turns;		/* of the summary; turns that it
					   covers */
	uint64_t upto;			/* number of messages, including system
					   messages */
	uint64_t users;			/* of them, those before the first whose
					   user's words stay; upto: none stay;
					   UINT64_MAX: not known */
	const char *sha256;		/* of their bytes, each with a newline
					   after it, in hexadecimal */
};

struct ctx_redact;

struct ctx_fold_job_opts {
	struct ctx_fold fold;		/* when, and how much; besides and taken
					   are the job's */
	uint64_t system_free;		/* tokens of what goes out besides the
					   turns that the budget leaves out */
	const struct ctx_along *along;	/* NULL: nothing */
	uint64_t max_tokens;		/* limit of a summary */
	int facts;			/* report which facts are kept */
	enum ctx_fold_job_again ask_again;
	struct ctx_ratio min_facts;	/* refuse a summary with a smaller share
					   of the facts; num 0: none */
	struct ctx_redact *redact;	/* finds secrets, which are no facts; may
					   be NULL */
	int keep_user;			/* the newest of the user's words stay,
					   up to half of the target */
	enum ctx_fold_job_as as;
	enum ctx_fold_job_to to;
	int fallback;			/* use the offline engine if ask
					   fails */
	int put_aside;			/* what goes is written to
					   CTX_TO_SIDE */
	struct ctx_cost *cost;		/* must be ready */

	/*
	 * NULL: use the offline engine.  Returns 0 with q's answer, or -1 with
	 * *err; CTX_EREMOTE leaves the conversation unchanged.
	 */
	int (*ask)(void *arg, struct ctx_fold_question *q,
	    struct ctx_err *err);
	void *ask_arg;
	/*
	 * Both or neither are NULL.  recall is called once for a conversation.
	 * It returns 1 and what is remembered of the one with m's key and side,
	 * valid until the next call, 0, or -1 with *err.  remember stores m and
	 * returns 0, or -1 with *err.
	 */
	int (*recall)(void *arg, struct ctx_fold_memo *m, struct ctx_err *err);
	int (*remember)(void *arg, const struct ctx_fold_memo *m,
	    struct ctx_err *err);
	void *memo_arg;
};

/* The totals. */
struct ctx_fold_job_sums {
	uint64_t conversations, folded, failed;	/* folded and failed are parts
						   of conversations */
	uint64_t turns, tokens;		/* folded turns and their tokens */
	uint64_t summary_tokens;	/* tokens that they became */
};

/*
 * A new job; what opts points to must outlive it.  With ask or recall,
 * conversations are handled one after another in one thread.  NULL with *err.
 */
struct ctx_job *ctx_fold_job_new(const struct ctx_fold_job_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_fold_job_sums *ctx_fold_job_figures(const struct ctx_job *j);

#endif
