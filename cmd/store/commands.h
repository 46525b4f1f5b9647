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

/* Suggest what argv may have meant and end the process with exit 2. */
_Noreturn void store_unknown(struct store *s, int argc, char *argv[]);

#endif
