/* SPDX-License-Identifier: MIT */
/* The commands of ctx-store; see commands.h. */
#include "cmd/store/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli_help.h"

/* The commands by manual page, in the groups of --help. */
static const struct group {
	const char *name;
	const char *page;
	const struct store_cmd *table[4];	/* ends with NULL */
} groups[] = {
	{ "Messages", "ctx-store-log",
	    { store_append_cmds, store_load_cmds } },
	{ "Messages", "ctx-store-search",
	    { store_search_cmds, store_relevant_cmds, store_embed_cmds } },
	{ "Threads", "ctx-store-threads",
	    { store_list_cmds, store_user_cmds } },
	{ "Checkpoints, views, state", "ctx-store-checkpoint",
	    { store_checkpoint_cmds } },
	{ "Checkpoints, views, state", "ctx-store-view", { store_view_cmds } },
	{ "Checkpoints, views, state", "ctx-store-state",
	    { store_state_cmds } },
	{ "Checkpoints, views, state", "ctx-store-summary",
	    { store_summary_cmds } },
	{ "Memory and files", "ctx-store-memory", { store_memory_cmds } },
	{ "Memory and files", "ctx-store-code",
	    { store_code_cmds, store_coderef_cmds } },
	{ "Memory and files", "ctx-store-upload", { store_upload_cmds } },
	{ "Agents", "ctx-store-agent", { store_agent_cmds } },
	{ "The store itself", "ctx-store-export", { store_port_cmds } },
	{ "The store itself", "ctx-store-admin",
	    { store_recover_cmds, store_keep_cmds } },
};
#define NGROUPS (sizeof(groups) / sizeof(groups[0]))

/* Iterates over all commands; all zero is before the first. */
struct each {
	size_t group, table, row;
};

static const struct store_cmd *
next_command(struct each *e)
{
	const struct store_cmd *const *table;

	for (; e->group < NGROUPS; e->group++, e->table = 0) {
		table = groups[e->group].table;
		for (; table[e->table] != NULL; e->table++, e->row = 0)
			if (table[e->table][e->row].run != NULL)
				return &table[e->table][e->row++];
	}
	return NULL;
}

void
store_list_commands(int for_programs)
{
	const char *group = NULL;
	const struct store_cmd *cmd;
	struct each e = { 0 };
	char name[40];

	while ((cmd = next_command(&e)) != NULL) {
		if (for_programs) {
			printf("command\t%s\t%s\t%s\n", STORE_NAME(cmd),
			    groups[e.group].name, cmd->cli.about);
			continue;
		}
		if (group == NULL || strcmp(group, groups[e.group].name) != 0)
			printf("\n%s:\n", groups[e.group].name);
		group = groups[e.group].name;
		snprintf(name, sizeof(name), "  %s", STORE_NAME(cmd));
		cli_help_row(name, 17, cmd->cli.about);
	}
}

/*
 * Is cmd what argv[0], or argv[0] and argv[1], name?  Returns the number of
 * words, or 0.
 */
static int
words_match(const struct store_cmd *cmd, int argc, char *argv[])
{
	const char *name = STORE_NAME(cmd);
	size_t n = strcspn(name, " ");

	if (argc < 1 || strlen(argv[0]) != n || memcmp(argv[0], name, n) != 0)
		return 0;
	if (name[n] == '\0')
		return 1;
	return argc > 1 && strcmp(argv[1], name + n + 1) == 0 ? 2 : 0;
}

const struct store_cmd *
store_find_command(int argc, char *argv[], int *words, const char **page)
{
	const struct store_cmd *cmd;
	struct each e = { 0 };

	while ((cmd = next_command(&e)) != NULL)
		if ((*words = words_match(cmd, argc, argv)) > 0) {
			*page = groups[e.group].page;
			break;
		}
	return cmd;
}

/* Names used by other programs, and earlier names. */
static const char *const called[][2] = {
	{ "list", "threads" }, { "ls", "threads" }, { "sessions", "threads" },
	{ "show", "load" }, { "cat", "load" }, { "get", "load" },
	{ "add", "append" }, { "put", "append" }, { "write", "append" },
	{ "find", "search" }, { "grep", "search" },
	{ "delete", "rm" }, { "remove", "rm" }, { "pin", "keep" },
	{ "branch", "fork" }, { "rollback", "fork --head" },
	{ "ckpt", "checkpoint" }, { "remember", "memory put" },
	{ "recall", "memory get" }, { "dump", "export" },
	{ "restore", "import" }, { "repair", "recover" },
};

/* End with a list of the commands of a noun, if it is one; word is not one. */
static void
list_verbs(struct store *s, const char *noun, const char *word)
{
	struct ctx_buf verbs = { 0 };
	const struct store_cmd *cmd;
	struct each e = { 0 };
	size_t n = strlen(noun);
	char quoted[80];

	while ((cmd = next_command(&e)) != NULL)
		if (strncmp(STORE_NAME(cmd), noun, n) == 0 &&
		    STORE_NAME(cmd)[n] == ' ')
			ctx_buf_addf(&verbs, "%s%s", verbs.len > 0 ? ", " : "",
			    STORE_NAME(cmd) + n + 1);
	if (verbs.len == 0)
		return;
	if (ctx_buf_str(&verbs) == NULL)
		cli_nomem(&s->cli);
	if (word == NULL)
		cli_usage(&s->cli, "'%s' needs a subcommand: %s", noun,
		    verbs.data);
	cli_usage(&s->cli, "unknown command '%s %s'; the commands of '%s' "
	    "are %s", noun, ctx_err_quote(quoted, sizeof(quoted), word,
	    strlen(word)), noun, verbs.data);
}

void
store_unknown(struct store *s, int argc, char *argv[])
{
	struct cli_like best = { 0 };
	const struct store_cmd *cmd;
	struct each e = { 0 };
	char quoted[80];
	size_t i;

	if (argc < 1)
		cli_usage(&s->cli, "no command given");
	list_verbs(s, argv[0], argc > 1 ? argv[1] : NULL);
	while ((cmd = next_command(&e)) != NULL)
		cli_like(&best, argv[0], strlen(argv[0]), STORE_NAME(cmd));
	for (i = 0; i < sizeof(called) / sizeof(called[0]); i++)
		if (strcmp(called[i][0], argv[0]) == 0)
			best.word = called[i][1];
	ctx_err_quote(quoted, sizeof(quoted), argv[0], strlen(argv[0]));
	if (best.word != NULL)
		cli_usage(&s->cli, "unknown command '%s'; did you mean '%s'?",
		    quoted, best.word);
	cli_usage(&s->cli, "unknown command '%s'", quoted);
}
