/* SPDX-License-Identifier: MIT */
/*
 * ctx as a library: clean, truncate, count and convert message histories in
 * memory, and append them to sessions in a file and load them.  ctx(3)
 * describes it; the pages of the commands say what each of them does.
 *
 * A history is text as the commands read it: JSON, a message or a conversation
 * on a line, in any dialect of ctx-stream(5), at most 1 GiB.  What no option
 * touches is in the result byte for byte.
 *
 * Every function either does all of its work or fails: it then returns -1 or
 * NULL, says why in *err, unless err is NULL, and gives no output.  Nothing is
 * printed, and the process is never ended.
 *
 * Options are structs; what is zero has its default, and a NULL pointer to them
 * is all defaults.  Name the members that you set: more of them may come.
 *
 * Threads may call these functions at the same time; a counter or a store is
 * for one thread at a time.
 *
 * Names that begin with ctx_lib_ and CTX_LIB_ are promised to stay.  All others
 * in the archive begin with ctx_ too, but may change with each version.
 *
 * Names: ctx_lib_.
 */
#ifndef CTX_H
#define CTX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version that this header belongs to, such as "1.2.3". */
#define CTX_LIB_VERSION	"@VERSION@"
/* The version of the library that the program is linked with. */
const char *ctx_lib_version(void);

/* --- errors and results ------------------------------------------------ */

enum ctx_lib_code {
	CTX_LIB_OK,
	CTX_LIB_NO,		/* a rule says no: it does not fit, would lose
				   something, does not exist */
	CTX_LIB_USAGE,		/* an option or a name is wrong */
	CTX_LIB_INPUT,		/* the history is not what it should be */
	CTX_LIB_SYSTEM,		/* a file, the disk or a table */
	CTX_LIB_NOMEM,
	CTX_LIB_INTERNAL	/* a bug in ctx */
};

struct ctx_lib_err {
	enum ctx_lib_code code;
	uint64_t line;		/* of the history, from 1; 0: of none */
	uint64_t col;		/* the byte in that line, from 1; 0: none */
	char text[256];		/* what is wrong: printable, in UTF-8, without a
				   line end */
};

/* A result.  data ends in a NUL, which is not in len; free it. */
struct ctx_lib_text {
	char *data;
	size_t len;
};

/* Free data of a result.  NULL is ignored. */
void	ctx_lib_free(void *data);

/* The language of notes that are written into a history. */
enum ctx_lib_lang { CTX_LIB_EN, CTX_LIB_ZH };

/* --- counting ---------------------------------------------------------- */

/*
 * What counts tokens: for a model (ctx-count --list-models), with an encoding
 * (a name, or a file with a '/' or '.' in its name), or with o200k_base if both
 * are NULL.  The tables are looked for as by ctx-count(1); CTX_VOCAB names
 * their folder, and CTX_MODELS a file of models.  Opening one takes about as
 * long as counting a short history, so keep it.
 *
 * Returns: a counter, for ctx_lib_counter_free, or NULL with CTX_LIB_USAGE (the
 *          encoding is not known), CTX_LIB_SYSTEM or CTX_LIB_NOMEM.
 */
struct ctx_lib_counter;
struct ctx_lib_counter *ctx_lib_counter_new(const char *model,
	    const char *encoding, struct ctx_lib_err *err);
void	ctx_lib_counter_free(struct ctx_lib_counter *c);

/* How certain a count is, the best first. */
enum ctx_lib_level {
	CTX_LIB_EXACT = 1,
	CTX_LIB_APPROXIMATE,	/* by the vocabulary of another model */
	CTX_LIB_ESTIMATE,
	CTX_LIB_NOT_COUNTED	/* there is a file of which too little is
				   known */
};

struct ctx_lib_count {
	uint64_t tokens;	/* what a request with the history is charged */
	uint64_t messages;
	uint64_t others;	/* lines that are not messages, not counted */
	enum ctx_lib_level level;
};

/*
 * Count a history, or a plain text.  Returns 0, or -1 with CTX_LIB_INPUT (a
 * line is not JSON) or CTX_LIB_NOMEM.
 */
int	ctx_lib_count(struct ctx_lib_counter *c, const char *history,
	    size_t len, struct ctx_lib_count *out, struct ctx_lib_err *err);
int	ctx_lib_count_text(struct ctx_lib_counter *c, const char *text,
	    size_t len, uint64_t *tokens, struct ctx_lib_err *err);

/* --- clean: as ctx-clean(1) --------------------------------------------- */

enum ctx_lib_unanswered { CTX_LIB_TRIM, CTX_LIB_DROP, CTX_LIB_REPAIR };
enum ctx_lib_lean { CTX_LIB_LEAN_OFF, CTX_LIB_LEAN_SAFE, CTX_LIB_LEAN_STRONG };
enum ctx_lib_thinking {
	CTX_LIB_THINKING_KEEP, CTX_LIB_THINKING_DROP, CTX_LIB_THINKING_LAST
};

/* Members are named after the options, whose pages describe them. */
struct ctx_lib_clean_opts {
	const char *api;	/* a server, if not the dialect's own */
	enum ctx_lib_unanswered unanswered;
	int keep_pending, empty, merge_runs;
	int drop_branches;	/* --branches drop */
	enum ctx_lib_lean lean;
	/* In characters; 0: no limit. */
	uint64_t max_result, max_message, tail;
	int choose, ansi, minify, tables, squeeze, fold, base64;
	uint64_t dedupe;	/* the least number of characters; 0: off */
	enum ctx_lib_thinking thinking;
	int clear_results, prune_calls;	/* at most one of both; */
	uint64_t keep_results;	/* so many of the newest stay; 0: 3 */
	int redact;		/* needed by the two that follow */
	const char *redact_rules;	/* as in --redact=RULES; NULL: those for
					   secrets */
	const char *redact_key;	/* at least 16 bytes, so that placeholders are
				   the same each time; NULL: a random one */
	enum ctx_lib_lang lang;
};

/*
 * Make a history valid for its API, and lean.  Returns 0 with *out, or -1 with
 * CTX_LIB_USAGE, CTX_LIB_INPUT (a line is not JSON) or CTX_LIB_NOMEM.
 */
int	ctx_lib_clean(const struct ctx_lib_clean_opts *opts,
	    const char *history, size_t len, struct ctx_lib_text *out,
	    struct ctx_lib_err *err);

/* --- truncate: as ctx-truncate(1) ---------------------------------------- */

enum ctx_lib_start { CTX_LIB_START_AUTO, CTX_LIB_START_USER,
	CTX_LIB_START_ANY };
enum ctx_lib_end { CTX_LIB_END_ANY, CTX_LIB_END_USER, CTX_LIB_END_ASSISTANT };

struct ctx_lib_truncate_opts {
	/*
	 * The limits.  With neither last nor tokens: the budget of counter's
	 * model, as with -m and without variables; without a model, the newest
	 * 40 messages.
	 */
	uint64_t last;		/* messages */
	uint64_t tokens;	/* needs counter */
	struct ctx_lib_counter *counter;	/* used during the call */
	uint64_t step;		/* cut only at multiples of so many tokens, or
				   messages without a budget */
	uint64_t keep_first, exclude_last;	/* messages */
	const char *pin;	/* a member that keeps a message */
	enum ctx_lib_start start_on;
	enum ctx_lib_end end_on;
	int results_first;	/* --priority results */
	int partial;
	int edge_drop;		/* --edge drop */
	int note;		/* say how many messages are missing */
	enum ctx_lib_lang lang;
};

/*
 * Cut a history to what fits.  Returns 0 with *out, or -1 with CTX_LIB_NO (what
 * must stay does not fit), CTX_LIB_USAGE, CTX_LIB_INPUT or CTX_LIB_NOMEM.
 */
int	ctx_lib_truncate(const struct ctx_lib_truncate_opts *opts,
	    const char *history, size_t len, struct ctx_lib_text *out,
	    struct ctx_lib_err *err);

/* --- convert: as ctx-convert(1) ------------------------------------------ */

enum ctx_lib_shape { CTX_LIB_AS_CAME, CTX_LIB_MESSAGES, CTX_LIB_CONVERSATION };

struct ctx_lib_convert_opts {
	const char *to;		/* needed: a target, such as "anthropic" */
	const char *from;	/* a dialect; NULL: as recognized */
	enum ctx_lib_shape shape;
	int strict;		/* fail with CTX_LIB_NO rather than lose
				   something */
	int request;		/* write whole requests, for */
	const char *model;
	const char *api;	/* a server, if not the dialect's own */
	/* These need request. */
	const char *system;	/* a prompt in place of the history's; UTF-8 */
	const char *tools;	/* definitions in place of the history's, a JSON
				   list */
	const char *tool_choice;	/* auto, none, required or a name */
	uint64_t max_output;	/* tokens */
	int stream, cache;

	enum ctx_lib_lang lang;
};

/*
 * Write a history in another dialect.  *lost, unless lost is NULL, is how many
 * values that dialect cannot express: they were left out or changed.
 *
 * Returns: 0 with *out, or -1 with CTX_LIB_NO (strict), CTX_LIB_USAGE,
 *          CTX_LIB_INPUT (also if there is nothing to convert, or only its own
 *          API can read how it begins) or CTX_LIB_NOMEM.
 */
int	ctx_lib_convert(const struct ctx_lib_convert_opts *opts,
	    const char *history, size_t len, struct ctx_lib_text *out,
	    uint64_t *lost, struct ctx_lib_err *err);

/* --- sessions: as ctx-store(1) ------------------------------------------- */

enum ctx_lib_mode {
	CTX_LIB_READ,		/* changes nothing; the file must exist */
	CTX_LIB_WRITE,		/* the file must exist */
	CTX_LIB_CREATE		/* it is created if it is missing */
};

/*
 * Open the store at path, or the default one (CTX_DB) if path is NULL.  Several
 * processes and threads may have it open at the same time, each with a store of
 * its own.
 *
 * Returns: a store, for ctx_lib_store_close, or NULL with CTX_LIB_NO (there is
 *          no file to read), CTX_LIB_SYSTEM or CTX_LIB_NOMEM.
 */
struct ctx_lib_store;
struct ctx_lib_store *ctx_lib_store_open(const char *path,
	    enum ctx_lib_mode mode, struct ctx_lib_err *err);
/* Close it.  Nothing that was stored depends on this.  NULL is ignored. */
void	ctx_lib_store_close(struct ctx_lib_store *st);

struct ctx_lib_append_opts {
	const char *context;	/* NULL: the thread's head */
	const char *user;	/* its owner; NULL: unchanged */
	uint64_t expect_seq;	/* fail with CTX_LIB_NO unless the first message
				   gets this number; 0: any */
	int split;		/* the messages of a conversation one by one */
};

/*
 * Append a history to a thread, which is created if it does not exist: all of
 * it or, on failure, nothing.  When this has returned, it is on disk.
 *
 * Returns: the number of messages that were stored (one whose id the thread has
 *          already, with the same bytes, is not stored again), or -1 with
 *          CTX_LIB_NO (expect_seq, or another user's thread), CTX_LIB_USAGE (a
 *          name), CTX_LIB_INPUT (a line is not a JSON object, or has a known
 *          id and other bytes), CTX_LIB_SYSTEM or CTX_LIB_NOMEM.
 */
int64_t	ctx_lib_append(struct ctx_lib_store *st, const char *thread,
	    const struct ctx_lib_append_opts *opts, const char *history,
	    size_t len, struct ctx_lib_err *err);

struct ctx_lib_load_opts {
	const char *context;	/* NULL: the thread's head */
	uint64_t last;		/* the newest so many messages; 0: all */
	uint64_t from_seq, to_seq;	/* numbers, inclusive; 0: no limit */
	const char *view;	/* this view instead of the log */
};

/*
 * Load the messages of a thread, as they were appended.  Returns 0 with *out,
 * or -1 with CTX_LIB_NO (there is no such thread or view), CTX_LIB_USAGE (a
 * name), CTX_LIB_SYSTEM or CTX_LIB_NOMEM.
 */
int	ctx_lib_load(struct ctx_lib_store *st, const char *thread,
	    const struct ctx_lib_load_opts *opts, struct ctx_lib_text *out,
	    struct ctx_lib_err *err);

#ifdef __cplusplus
}
#endif

#endif
