/* SPDX-License-Identifier: MIT */
/*
 * What the files of ctx-store share: one row a subcommand, the open store, and
 * the ways in and out.
 */
#ifndef CTX_CMD_STORE_CMD_H
#define CTX_CMD_STORE_CMD_H

#include "base/buf.h"
#include "cli.h"
#include "store/log.h"
#include "store/thread.h"

struct store;

/*
 * A subcommand.  run takes the options, opens the store and does the work; -1
 * with *err, or with *err clear if that has been said.
 */
struct store_cmd {
	enum ctx_store_mode mode;
	int (*run)(struct store *s, struct ctx_err *err);
	struct cli_cmd cli;		/* the name with "ctx-store " */
};

/* The row of a command; tables end with run NULL. */
#define STORE_CMD(name, mode, run, operands, about, opts) \
	{ CTX_STORE_##mode, run, \
	    { "ctx-store " name, operands, about, opts, NULL } }
#define STORE_END { .run = NULL }
#define STORE_NAME(cmd) ((cmd)->cli.name + sizeof("ctx-store ") - 1)

extern const struct store_cmd store_append_cmds[], store_load_cmds[],
	    store_list_cmds[], store_checkpoint_cmds[], store_view_cmds[],
	    store_state_cmds[], store_summary_cmds[], store_agent_cmds[],
	    store_keep_cmds[], store_port_cmds[], store_search_cmds[],
	    store_memory_cmds[], store_code_cmds[], store_coderef_cmds[],
	    store_upload_cmds[], store_relevant_cmds[],
	    store_embed_cmds[], store_recover_cmds[];

struct store {
	struct cli cli;			/* first: options are stored by it */
	const struct store_cmd *cmd;
	const char *db;			/* NULL: the default */
	struct ctx_store *st;
	struct ctx_where where;		/* the operand and --context */
	struct ctx_buf row;		/* for one line of output */
	int open_line;			/* the last message had no line end */
};

/* --db and what every command has; -c besides; and tables of these alone. */
extern const struct cli_opt store_common[], store_context[];
#define STORE_COMMON OPT_ROWS(store_common), OPT_END
#define STORE_CONTEXT OPT_ROWS(store_context)
extern const struct cli_opt store_plain_opts[], store_context_opts[];

/*
 * The options into place, and the operands counted by what the usage says of
 * them; the first one is the thread if it is called so.
 */
void	store_options(struct store *s, void *place);

/* The same, and the store is opened, as the subcommand needs it. */
int	store_begin(struct store *s, void *place, struct ctx_err *err);

/* "NAME@N" cut in argv's own word.  N, from 1 on; 0: there is none. */
int64_t	store_version(char *name);

/*
 * A name of the form NAME@DIGITS could not be read back, since it would be a
 * version of NAME: it ends with exit 2, remedy being the message's end.
 */
void	store_not_version(const struct store *s, const char *name,
	    const char *remedy);

/* "N" or "N-M" at p: where it ends; NULL if it is neither. */
const char *store_range(const char *p, int64_t *from, int64_t *to);

/* Operand i, or NULL if there are not so many. */
const char *store_operand(const struct store *s, int i);

/*
 * A command without options of its own that calls fn for each operand behind
 * the thread; what fails is said, and the others are done all the same.
 */
typedef int store_name_fn(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);
int	store_each_name(struct store *s, store_name_fn *fn,
	    struct ctx_err *err);

/* Open the store in the subcommand's mode, first all of standard input read. */
int	store_open(struct store *s, struct ctx_err *err);
int	store_open_with(struct store *s, struct ctx_buf *in,
	    struct ctx_err *err);

/* *err, reported and then clear; file as in cli_report.  Returns -1. */
int	store_report(struct store *s, const char *file, struct ctx_err *err);

/*
 * What came of standard input: rc, with what is wrong with that input reported
 * by its name.
 */
int	store_report_input(struct store *s, int rc, struct ctx_err *err);

/* Nobody reads standard output any more: nothing is said of it. */
extern int store_no_reader;

/*
 * Bytes to standard output.  -1 with *err, CTX_ESYSTEM; if nobody reads any
 * more, the command ends quietly (as by SIGPIPE) after the store is closed.
 */
int	store_write(const void *p, size_t n, struct ctx_err *err);

/* Likewise: all that was written goes out now. */
int	store_flush(struct ctx_err *err);

/* A message as it came, on a line of its own. */
int	store_message(struct store *s, const struct ctx_message *m,
	    struct ctx_err *err);

/* A row of one member, {"context_id":"main"}, written. */
int	store_put_text(struct store *s, const char *name, const char *text,
	    struct ctx_err *err);

/* Lines of text, but the last one's end, as a system message, written. */
int	store_system_message(struct store *s, const struct ctx_buf *text,
	    struct ctx_err *err);

/* All of b, or the row in s->row, ended, written. */
int	store_write_buf(const struct ctx_buf *b, struct ctx_err *err);
int	store_row(struct store *s, struct ctx_err *err);

/* A descriptor to read file from, standard input's for "-"; -1 with *err. */
int	store_open_input(const char *file, struct ctx_err *err);

/* All of a file, or of standard input for NULL or "-"; it has a limit. */
int	store_slurp(const char *file, struct ctx_buf *out,
	    struct ctx_err *err);

/* CTX_PRUNE_AFTER in seconds, 0: never; a bad one ends with exit 2. */
uint64_t store_prune_age(const struct store *s);

/* What it asks for, after an append. */
void	store_prune_after(struct store *s, uint64_t seconds);

#endif
