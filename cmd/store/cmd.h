/* SPDX-License-Identifier: MIT */
/*
 * What the files of ctx-store share: one row for each subcommand, the open
 * store, input and output.
 */
#ifndef CTX_CMD_STORE_CMD_H
#define CTX_CMD_STORE_CMD_H

#include "base/buf.h"
#include "cli.h"
#include "cli_progress.h"
#include "cli_table.h"
#include "store/log.h"
#include "store/thread.h"

struct store;

/*
 * A subcommand.  run parses the options, opens the store and does the work.
 * It returns -1 with *err set, or with *err clear if the error was already
 * reported.
 */
struct store_cmd {
	enum ctx_store_mode mode;
	int whole;			/* takes no --user */
	int (*run)(struct store *s, struct ctx_err *err);
	struct cli_cmd cli;		/* its name begins with "ctx-store " */
};

/*
 * The row of a command, and of one that works on the whole store, not on the
 * threads of one user; a row whose run is NULL ends a table.
 */
#define STORE_CMD(name, mode, run, operands, about, opts) \
	{ CTX_STORE_##mode, 0, run, \
	    { "ctx-store " name, operands, about, opts, NULL } }
#define STORE_CMD_WHOLE(name, mode, run, operands, about, opts) \
	{ CTX_STORE_##mode, 1, run, \
	    { "ctx-store " name, operands, about, opts, NULL } }
#define STORE_END { .run = NULL }
#define STORE_NAME(cmd) ((cmd)->cli.name + sizeof("ctx-store ") - 1)

extern const struct store_cmd store_append_cmds[], store_load_cmds[],
	    store_list_cmds[], store_user_cmds[],
	    store_checkpoint_cmds[], store_view_cmds[],
	    store_state_cmds[], store_summary_cmds[], store_agent_cmds[],
	    store_keep_cmds[], store_port_cmds[], store_search_cmds[],
	    store_memory_cmds[], store_code_cmds[], store_coderef_cmds[],
	    store_upload_cmds[], store_relevant_cmds[],
	    store_embed_cmds[], store_recover_cmds[];

struct store {
	struct cli cli;			/* must be first */
	const struct store_cmd *cmd;
	const char *db;			/* NULL for the default */
	int single_host;
	const char *user;		/* whose threads; NULL for all */
	int user_given;			/* as --user, not as CTX_USER */
	struct ctx_store *st;
	struct ctx_where where;		/* the operand and --context */
	struct ctx_buf row;		/* for one line of output */
	int listed;			/* rows of a list were written */
	struct cli_table table;		/* with columns: of these rows */
	int open_line;			/* the last message had no line end */
	struct cli_progress progress;
	int64_t done;			/* counted meanwhile */
	const char *unit;		/* what is; NULL if nothing */
	const char *asked;		/* who is, before anything is done */
};

/*
 * --db and the options of every command; the same with -c; and tables with
 * only these.
 */
extern const struct cli_opt store_common[], store_context[];
#define STORE_COMMON OPT_ROWS(store_common), OPT_END
#define STORE_CONTEXT OPT_ROWS(store_context)
extern const struct cli_opt store_plain_opts[], store_context_opts[];
extern const struct cli_opt store_rm_context[];	/* -c of rm */

/*
 * Parse the options, check the number of operands against the usage line, and
 * take the first one as the thread if it is called THREAD there.
 */
void	store_options(struct store *s, void *place);

/* Like store_options, and open the store in the subcommand's mode. */
int	store_begin(struct store *s, void *place, struct ctx_err *err);

/*
 * Cut "NAME@N" in argv's own string.  Returns N, which is at least 1, or 0 if
 * there is none.
 */
int64_t	store_version(char *name);

/*
 * Refuse a name of the form NAME@DIGITS, which get would read as a version of
 * NAME.  Ends with exit 2; remedy is the end of the message.
 */
void	store_not_version(const struct store *s, const char *name,
	    const char *remedy);

/* Parse "N" or "N-M" at p.  Returns where it ends, or NULL if it is neither. */
const char *store_range(const char *p, int64_t *from, int64_t *to);

/* Operand i, or NULL if there are not that many. */
const char *store_operand(const struct store *s, int i);

/*
 * Run a command without options of its own that calls fn for each operand
 * after the thread.  A failure is reported, and the other operands are still
 * processed.
 */
typedef int store_name_fn(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);
int	store_each_name(struct store *s, store_name_fn *fn,
	    struct ctx_err *err);

/*
 * Open the store in the subcommand's mode; the second function first reads all
 * of standard input.
 */
int	store_open(struct store *s, struct ctx_err *err);
int	store_open_with(struct store *s, struct ctx_buf *in,
	    struct ctx_err *err);

/*
 * A terminal is shown that the open store is at work, until something is written
 * there: how much is done or, from the first of these on, how much of the file was
 * read, or how many lines of a pipe.  The last of them ends it.
 */
void	store_watch_file(struct store *s, const char *file, int fd);
/* Show how far it is, of the struct store that is arg. */
void	store_watch_step(void *arg);
void	store_watch_end(struct store *s);

/* Report err and clear it; file as in cli_report.  Returns -1. */
int	store_report(struct store *s, const char *file, struct ctx_err *err);

/*
 * Report the result rc of reading standard input; errors in that input are
 * reported under its name.
 */
int	store_report_input(struct store *s, int rc, struct ctx_err *err);

/* Set when nobody reads standard output any more, which is not reported. */
extern int store_no_reader;

/*
 * Write bytes to standard output.  Returns -1 with *err set to CTX_ESYSTEM; if
 * nobody reads any more, the command ends quietly (as with SIGPIPE) after the
 * store is closed.
 */
int	store_write(const void *p, size_t n, struct ctx_err *err);

/* Flush standard output; errors as in store_write. */
int	store_flush(struct ctx_err *err);

/* A ctx_message_fn: write a message unchanged, on a line of its own. */
int	store_message(const struct ctx_message *m, void *store,
	    struct ctx_err *err);

/* Write a row with one member, {"context_id":"main"}. */
int	store_put_text(struct store *s, const char *name, const char *text,
	    struct ctx_err *err);

/*
 * Make a message with this text, without the line ends at its end, in s->row;
 * the second function also writes it.
 */
int	store_text(struct store *s, const char *role,
	    const struct ctx_buf *text, struct ctx_err *err);
int	store_text_message(struct store *s, const char *role,
	    const struct ctx_buf *text, struct ctx_err *err);

/* Write all of b, or end the row in s->row and write it. */
int	store_write_buf(const struct ctx_buf *b, struct ctx_err *err);
int	store_row(struct store *s, struct ctx_err *err);
/*
 * The same for a row of a list, of which a terminal gets a table; the second one
 * writes what waits for that.
 */
int	store_list_row(struct store *s, struct ctx_err *err);
int	store_list_end(struct store *s, struct ctx_err *err);

/*
 * Open file for reading, or standard input for "-".  Returns the descriptor,
 * or -1 with *err set.
 */
int	store_open_input(const char *file, struct ctx_err *err);

/* Read all of a file, or of standard input for NULL or "-", up to a limit. */
int	store_slurp(const char *file, struct ctx_buf *out,
	    struct ctx_err *err);

/* A ctx_gone_fn: print the row of a thread that is removed. */
struct ctx_gone;
int	store_gone(const struct ctx_gone *g, void *store,
	    struct ctx_err *err);

/*
 * CTX_PRUNE_AFTER in seconds, 0 for never; an invalid value ends with exit 2.
 */
uint64_t store_prune_age(const struct store *s);

/* Prune as that variable asks, after an append. */
void	store_prune_after(struct store *s, uint64_t seconds);

#endif
