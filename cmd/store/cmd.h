/* SPDX-License-Identifier: MIT */
/*
 * What the files of ctx-store share: one row a subcommand, the open store, and
 * the ways in and out.
 */
#ifndef CTX_CMD_STORE_CMD_H
#define CTX_CMD_STORE_CMD_H

#include "base/buf.h"
#include "cli.h"
#include "store/thread.h"

struct store;

/* A subcommand.  Tables end with name NULL. */
struct store_cmd {
	const char *name;		/* "append", "ckpt put" */
	enum ctx_store_mode mode;
	void (*run)(struct store *s);	/* reports in s->cli */
	struct cli_cmd cli;
};

extern const struct store_cmd store_append_cmds[], store_load_cmds[],
	    store_list_cmds[], store_ckpt_cmds[], store_view_cmds[],
	    store_state_cmds[], store_agent_cmds[], store_keep_cmds[],
	    store_port_cmds[], store_search_cmds[], store_memory_cmds[],
	    store_code_cmds[], store_extract_cmds[], store_expand_cmds[],
	    store_upload_cmds[], store_relevant_cmds[], store_embed_cmds[],
	    store_recover_cmds[];

struct store {
	struct cli cli;
	const struct store_cmd *cmd;
	const char *db;			/* NULL: the default */
	struct ctx_store *st;
	struct ctx_where where;		/* the operand and --context */
	struct ctx_buf row;		/* for one line of output */
};

#define OPT_DB (CLI_LONG + 990)
#define STORE_COMMON \
	{ OPT_DB, "db", "FILE", "the database" }, \
	CLI_COMMON
#define STORE_CONTEXT \
	{ 'c', "context", "NAME", "this context, not the thread's head" }

/* cli_getopt, with --db and --context dealt with. */
int	store_getopt(struct store *s);

/*
 * After the options: between min and max operands, the first one being the
 * thread; what says what they are, for the message ("a thread").
 */
void	store_operands(struct store *s, int min, int max, const char *what);

/* Open the store in the subcommand's mode; -1 has been reported. */
int	store_open(struct store *s);

/* err, reported; file as in cli_report.  Returns -1. */
int	store_report(struct store *s, const char *file,
	    const struct ctx_err *err);

/* Nobody reads standard output any more: nothing is said of it. */
extern int store_no_reader;

/*
 * Bytes to standard output.  -1 with *err, CTX_ESYSTEM; if nobody reads any
 * more, the command ends quietly (as by SIGPIPE) after the store is closed.
 */
int	store_write(const void *p, size_t n, struct ctx_err *err);

/* Likewise: all that was written goes out now. */
int	store_flush(struct ctx_err *err);

/* The row in s->row, written. */
int	store_row(struct store *s, struct ctx_err *err);

/* A descriptor to read file from, standard input's for "-"; -1 with *err. */
int	store_open_input(const char *file, struct ctx_err *err);

/* All of a file, or of standard input for NULL or "-", at most max bytes. */
int	store_slurp(const char *file, size_t max, struct ctx_buf *out,
	    struct ctx_err *err);

/* CTX_PRUNE_AFTER in seconds, 0: never; a bad one ends with exit 2. */
uint64_t store_prune_age(const struct store *s);

/* What it asks for, after an append. */
void	store_prune_after(struct store *s, uint64_t seconds);

#endif
