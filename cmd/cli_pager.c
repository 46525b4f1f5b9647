/* SPDX-License-Identifier: MIT */
/* What people look at; see cli_pager.h. */
#include "cli_pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPT_OF struct cli_screen
/* In the order of enum cli_color. */
static const char *const colors[] = { "auto", "always", "never", NULL };
const struct cli_opt cli_screen_opts[] = {
	OPT_WORD(0, "color", "WHEN", color, colors,
	    "when to use colours (default auto: on a terminal)"),
	OPT_NUM(0, "width", "N", width, 20, 10000,
	    "columns of the output (default: the terminal's)"),
	OPT_FLAG(0, "no-pager", no_pager, "do not start a pager"),
	OPT_END
};

static pid_t pager = -1;

/* By COLUMNS, by the terminal itself, or by custom. */
size_t
cli_screen_columns(void)
{
	const char *given = getenv("COLUMNS");
	struct winsize w;
	long n = given != NULL ? strtol(given, NULL, 10) : 0;

	if (n >= 20 && n <= 10000)
		return (size_t)n;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20)
		return w.ws_col;
	return 80;
}

int
cli_screen_colored(enum cli_color when)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != CLI_COLOR_AUTO)
		return when == CLI_COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && (none == NULL || *none == '\0') &&
	    term != NULL && strcmp(term, "dumb") != 0;
}

/* Run the pager.  Returns 0 if there is no such program. */
static int
run(const char *command)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	/* the keys that end a program are the pager's */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (child != -1 && waitpid(child, &status, 0) == -1 &&
	    errno == EINTR)
		;
	/* what the shell says of one that it cannot find or run */
	return child != -1 && !(WIFEXITED(status) &&
	    (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}

/* In the child: let the pager show all, or pass it on without one. */
static _Noreturn void
show(const char *command, int in)
{
	static char block[65536];
	ssize_t n;

	dup2(in, STDIN_FILENO);
	close(in);
	setenv("LESS", "FRX", 0);
	setenv("LESSCHARSET", "utf-8", 0);
	if (run(command))
		_exit(0);
	while ((n = read(STDIN_FILENO, block, sizeof(block))) > 0)
		if (write(STDOUT_FILENO, block, (size_t)n) != n)
			break;
	_exit(0);
}

static void
start_pager(struct cli *c)
{
	const char *command = getenv("PAGER");
	int end[2];

	if (command == NULL)
		command = "less";
	if (*command == '\0' || strcmp(command, "cat") == 0)
		return;
	if (pipe(end) == -1)
		return;
	fflush(stdout);
	if ((pager = fork()) == 0) {
		close(end[1]);
		show(command, end[0]);
	}
	close(end[0]);
	if (pager != -1) {
		dup2(end[1], STDOUT_FILENO);
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
	}
	close(end[1]);
	c->lifted = 1;
}

void
cli_screen_open(struct cli_screen *s, struct cli *c)
{
	int tty = isatty(STDOUT_FILENO);

	s->color = cli_screen_colored((enum cli_color)s->color);
	if (s->width == 0 && tty)
		s->width = cli_screen_columns();
	if (tty && !s->no_pager)
		start_pager(c);
}

int
cli_screen_end(struct cli *c)
{
	int code = cli_end(c), status;

	while (pager != -1 && waitpid(pager, &status, 0) == -1 &&
	    errno == EINTR)
		;
	return code;
}
