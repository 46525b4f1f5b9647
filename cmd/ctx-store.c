/* SPDX-License-Identifier: MIT */
/* ctx-store - keep sessions: their messages, checkpoints, memory and files. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd/store/cmd.h"

static const struct store_cmd *const tables[] = {
	store_append_cmds, store_load_cmds, store_list_cmds, store_ckpt_cmds,
	store_view_cmds, store_state_cmds, store_agent_cmds, store_keep_cmds,
	store_port_cmds, store_search_cmds, store_memory_cmds,
	store_code_cmds, store_extract_cmds, store_expand_cmds,
	store_upload_cmds, store_relevant_cmds, store_embed_cmds,
	store_recover_cmds,
};
#define NTABLES (sizeof(tables) / sizeof(tables[0]))

enum { OPT_LIST = CLI_LONG };

static const struct cli_opt opts[] = {
	{ OPT_LIST, "commands", NULL, "list the commands" },
	STORE_COMMON
};
static const struct cli_cmd top = {
	"ctx-store", "[--db FILE] COMMAND [ARGUMENT ...]",
	"Keep sessions in one SQLite file.  ctx-store --commands lists the "
	"commands, ctx-store COMMAND --help explains one.",
	opts
};

/* Nobody reads our output: what SIGPIPE would have done, after closing. */
int store_no_reader;

int
store_getopt(struct store *s)
{
	int ch;

	while ((ch = cli_getopt(&s->cli)) != -1) {
		if (ch == OPT_DB)
			s->db = s->cli.arg;
		else if (ch == 'c' && s->cmd != NULL)
			s->where.context = s->cli.arg;
		else
			return ch;
	}
	return -1;
}

void
store_operands(struct store *s, int min, int max, const char *what)
{
	if (s->cli.nfile < min)
		cli_usage(&s->cli, "needs %s", what);
	if (s->cli.nfile > max)
		cli_usage(&s->cli, "too many operands");
	if (s->cli.nfile > 0)
		s->where.thread = s->cli.file[0];
}

int
store_report(struct store *s, const char *file, const struct ctx_err *err)
{
	static const struct ctx_err none = { .code = CTX_ERANGE,
	    .text = "failed, and did not say why" };

	/* whatever failed, it is not success */
	if (!store_no_reader)
		cli_report(&s->cli, file, err->code != CTX_OK ? err : &none);
	return -1;
}

int
store_open(struct store *s)
{
	struct ctx_err err = { 0 };

	if (ctx_store_open(&s->st, s->db, s->cmd->mode, &err) == 0)
		return 0;
	return store_report(s, NULL, &err);
}

int
store_write(const void *p, size_t n, struct ctx_err *err)
{
	if (fwrite(p, 1, n, stdout) == n)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_flush(struct ctx_err *err)
{
	if (fflush(stdout) == 0)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_row(struct store *s, struct ctx_err *err)
{
	if (ctx_buf_fail(&s->row, err) == -1)
		return -1;
	return store_write(s->row.data, s->row.len, err);
}

int
store_open_input(const char *file, struct ctx_err *err)
{
	int fd;

	if (strcmp(file, "-") == 0)
		return STDIN_FILENO;
	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "cannot open");
	return fd;
}

int
store_slurp(const char *file, size_t max, struct ctx_buf *out,
    struct ctx_err *err)
{
	int fd = store_open_input(file == NULL ? "-" : file, err), rc;

	if (fd == -1)
		return -1;
	if ((rc = ctx_fd_read(fd, max, out)) == -1)
		ctx_fail_errno(err, errno, "reading");
	else if (rc == 0)
		ctx_fail(err, CTX_EINPUT, "more than %zu bytes", max);
	if (fd != STDIN_FILENO)
		close(fd);
	return rc == 1 ? 0 : -1;
}

static void
list_commands(void)
{
	const struct store_cmd *cmd;
	size_t i;

	for (i = 0; i < NTABLES; i++)
		for (cmd = tables[i]; cmd->name != NULL; cmd++)
			printf("%-16s %s\n", cmd->name, cmd->cli.about);
}

/* Is cmd what argv[0], or argv[0] and argv[1], say?  Words, 0: no. */
static int
words_match(const struct store_cmd *cmd, int argc, char *argv[])
{
	size_t n = strcspn(cmd->name, " ");

	if (argc < 1 || strlen(argv[0]) != n ||
	    memcmp(argv[0], cmd->name, n) != 0)
		return 0;
	if (cmd->name[n] == '\0')
		return 1;
	return argc > 1 && strcmp(argv[1], cmd->name + n + 1) == 0 ? 2 : 0;
}

static const struct store_cmd *
find_command(int argc, char *argv[], int *words)
{
	const struct store_cmd *cmd;
	size_t i;

	for (i = 0; i < NTABLES; i++)
		for (cmd = tables[i]; cmd->name != NULL; cmd++)
			if ((*words = words_match(cmd, argc, argv)) > 0)
				return cmd;
	return NULL;
}

/* Options before the command end at its name. */
static int
count_leading(int argc, char *argv[])
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
		if (strcmp(argv[i], "--") == 0)
			return i;
		if (strcmp(argv[i], "--db") == 0 && i + 1 < argc)
			i++;
		i++;
	}
	return i;
}

static void
unknown(struct store *s, int argc, char *argv[])
{
	char quoted[80];

	if (argc < 1)
		cli_usage(&s->cli, "needs a command");
	cli_usage(&s->cli, "unknown command '%s'",
	    ctx_err_quote(quoted, sizeof(quoted), argv[0], strlen(argv[0])));
}

static int
finish(struct store *s)
{
	struct ctx_err err = { 0 };

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
main(int argc, char *argv[])
{
	struct store s = { 0 };
	int n = count_leading(argc, argv), words, ch;

	/*
	 * Killed by SIGPIPE, a reader would leave the log's files behind; so
	 * writing fails instead, and finish does the rest.
	 */
	signal(SIGPIPE, SIG_IGN);
	cli_init(&s.cli, &top, n, argv);
	while ((ch = store_getopt(&s)) != -1)
		if (ch == OPT_LIST) {
			list_commands();
			return cli_end(&s.cli);
		}
	s.cmd = find_command(argc - n, argv + n, &words);
	if (s.cmd == NULL)
		unknown(&s, argc - n, argv + n);
	cli_init(&s.cli, &s.cmd->cli, argc - n - words + 1,
	    argv + n + words - 1);
	s.cmd->run(&s);
	return finish(&s);
}
