/* SPDX-License-Identifier: MIT */
/* The command line of ctx-store, whatever the store is kept in. */
#include <signal.h>
#include <string.h>

#include "cmd/store/commands.h"

static const struct cli_cmd top = {
	"ctx-store", "COMMAND [ARGUMENT ...]",
	"Keep sessions in one SQLite file.  See ctx-store COMMAND --help for "
	"each command.", store_plain_opts, store_list_commands
};

/* Count the options before the command; they end at its name. */
static int
count_leading(int argc, char *argv[])
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
		if (strcmp(argv[i], "--") == 0)
			return i;
		if ((strcmp(argv[i], "--db") == 0 ||
		    strcmp(argv[i], "--user") == 0) && i + 1 < argc)
			i++;
		i++;
	}
	return i;
}

static int
finish(struct store *s)
{
	struct ctx_err err = { 0 };

	store_watch_end(s);
	if (store_list_end(s, &err) == -1)
		store_report(s, NULL, &err);
	cli_table_done(&s->table);
	store_flush(NULL);
	if (ctx_store_close(s->st, &err) == -1)
		store_report(s, NULL, &err);
	ctx_buf_done(&s->row);
	if (store_no_reader) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return cli_end(&s->cli);
}

int
store_main(int argc, char *argv[])
{
	int n = count_leading(argc, argv), words;
	struct ctx_err err = { 0 };
	struct store s = { 0 };
	const char *page;

	/*
	 * A reader killed by SIGPIPE would leave the log's files behind, so
	 * writing fails instead, and finish does the rest.
	 */
	signal(SIGPIPE, SIG_IGN);
	ctx_store_alone();
	cli_init(&s.cli, &top, n, argv);
	cli_options(&s.cli, &s);
	s.cmd = store_find_command(argc - n, argv + n, &words, &page);
	if (s.cmd == NULL)
		store_unknown(&s, argc - n, argv + n);
	cli_init(&s.cli, &s.cmd->cli, argc - n - words + 1,
	    argv + n + words - 1);
	s.cli.page = page;
	s.cli.lifted = 1;	/* SQLite opens files whenever it needs them */
	/*
	 * an error that was already reported has no code, but an exit code is
	 * set
	 */
	if (s.cmd->run(&s, &err) == -1 && (err.code != CTX_OK ||
	    s.cli.worst == CLI_OK))
		store_report(&s, NULL, &err);
	return finish(&s);
}
