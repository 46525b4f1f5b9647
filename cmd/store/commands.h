/* SPDX-License-Identifier: MIT */
/* All commands of ctx-store, by name and by the groups in its help. */
#ifndef CTX_CMD_STORE_COMMANDS_H
#define CTX_CMD_STORE_COMMANDS_H

#include "cmd/store/cmd.h"

/* Print the list for --help or for programs; see struct cli_cmd. */
void	store_list_commands(int for_programs);

/*
 * The command that argv begins with, the number of words in its name in
 * *words, and the manual page that describes it; NULL if there is none.
 */
const struct store_cmd *store_find_command(int argc, char *argv[],
	    int *words, const char **page);

/*
 * If the store is on PostgreSQL, by --db or CTX_DB, execute the helper that is
 * linked with libpq with the same arguments.  Returns if it is not, or if there
 * is no helper, which opening the store says.
 */
void	store_elsewhere(int argc, char *argv[]);

/* The command line; returns the exit code. */
int	store_main(int argc, char *argv[]);

/* Suggest what argv may have meant and end the process with exit 2. */
_Noreturn void store_unknown(struct store *s, int argc, char *argv[]);

#endif
