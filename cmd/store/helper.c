/* SPDX-License-Identifier: MIT */
/* ctx-embed as a process; see helper.h. */
#include "cmd/store/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/float32.h"
#include "base/program.h"

#define HELPER	"ctx-embed"

/* The option as it was written, for the helper. */
static void
pass(struct cli *c, void *place)
{
	struct helper *h = place;

	if (h->argc + 2 > HELPER_ARGS - 4)
		cli_usage(c, "too many options");
	h->argv[1 + h->argc++] = c->word;
	if (c->arg != NULL && strchr(c->word, '=') == NULL)
		h->argv[1 + h->argc++] = c->arg;
}

static void
take_url(struct cli *c, void *place)
{
	((struct helper *)place)->url = c->arg;
	pass(c, place);
}

static void
take_model(struct cli *c, void *place)
{
	((struct helper *)place)->model = c->arg;
	pass(c, place);
}

static void
take_timeout(struct cli *c, void *place)
{
	(void)cli_age(c);	/* before anything is done */
	pass(c, place);
}

static void
take_tries(struct cli *c, void *place)
{
	(void)cli_num(c, 1, 10);
	pass(c, place);
}

const struct cli_opt helper_opts[] = {
	OPT_GROUP("Whom to ask for vectors"),
	OPT_DO(0, "url", "URL", take_url, "ask at this endpoint"),
	OPT_DO(0, "ask-model", "NAME", take_model, "ask this model"),
	OPT_DO(0, "key-file", "FILE", pass, "the endpoint's key"),
	OPT_DO(0, "cacert", "FILE", pass, "certificates to trust"),
	OPT_DO(0, "insecure-http", NULL, pass,
	    "let a key go over http: to another machine"),
	OPT_DO(0, "no-redact", NULL, pass, "send secrets, too"),
	OPT_DO(0, "timeout", "TIME", take_timeout,
	    "for all tries of a request (120s)"),
	OPT_DO(0, "tries", "N", take_tries,
	    "tries of a request at most (3)"),
	OPT_END
};

static const char *
variable(const char *name)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? s : NULL;
}

int
helper_wanted(const struct helper *h)
{
	return h->url != NULL || h->model != NULL ||
	    variable("CTX_EMBED_URL") != NULL ||
	    variable("CTX_EMBED_MODEL") != NULL;
}

const char *
helper_model(const struct helper *h)
{
	const char *s = h->model != NULL ? h->model :
	    variable("CTX_EMBED_MODEL");

	return s != NULL ? s : "default";
}

/* --- the process ----------------------------------------------------------------- */

/* dir/sub/ctx-embed into path, if it can be run. */
static int
helper_in(struct ctx_buf *path, const char *dir, const char *sub)
{
	ctx_buf_reset(path);
	ctx_buf_addf(path, "%s%s/" HELPER, dir, sub);
	return ctx_buf_str(path) != NULL && access(path->data, X_OK) == 0;
}

/* Where it is: as the tables of tokens are found. */
static int
find_helper(struct ctx_buf *path, struct ctx_err *err)
{
	const char *env = variable("CTX_LIBEXEC");
	char dir[4096];

	ctx_program_dir(dir, sizeof(dir));
	if ((env != NULL && helper_in(path, env, "")) ||
	    (*dir != '\0' && (helper_in(path, dir, "libexec") ||
	    helper_in(path, dir, "../libexec/ctx"))) ||
	    helper_in(path, CTX_LIBEXECDIR, ""))
		return 0;
	if (path->failed)
		return ctx_fail_nomem(err);
	return ctx_fail(err, CTX_ESYSTEM, "no " HELPER " in %s; set "
	    "CTX_LIBEXEC to its directory", CTX_LIBEXECDIR);
}

/* In the child: to and from are its ends. */
static _Noreturn void
become(struct helper *h, const char *path, int in, int out)
{
	int n = 1 + h->argc;

	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, STDIN_FILENO) == -1 || dup2(out, STDOUT_FILENO) == -1)
		_exit(CLI_SYSTEM);
	h->argv[0] = HELPER;
	if (h->s->cli.verbose)
		h->argv[n++] = "-v";
	if (h->s->cli.quiet)
		h->argv[n++] = "-q";
	h->argv[n] = NULL;
	execv(path, (char *const *)(uintptr_t)h->argv);
	_exit(CLI_SYSTEM);
}

static int
start(struct helper *h, struct ctx_err *err)
{
	struct ctx_buf path = { 0 };
	int fd[4] = { -1, -1, -1, -1 }, i;	/* to it, and from it */

	if (find_helper(&path, err) == -1)
		goto out;
	if (pipe(fd) == -1 || pipe(fd + 2) == -1) {
		ctx_fail_errno(err, errno, "pipe");
		goto out;
	}
	for (i = 0; i < 4; i++)
		fcntl(fd[i], F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	if ((h->pid = fork()) == 0)
		become(h, path.data, fd[0], fd[3]);
	if (h->pid > 0) {
		h->to = fdopen(fd[1], "w");
		h->from = fdopen(fd[2], "r");
	}
	if (h->to == NULL || h->from == NULL)
		ctx_fail_errno(err, errno, "cannot start " HELPER);
out:
	for (i = 0; i < 4; i++)
		if (fd[i] != -1 && !(i == 1 && h->to != NULL) &&
		    !(i == 2 && h->from != NULL))
			close(fd[i]);
	ctx_buf_done(&path);
	if (h->pid == -1)
		h->pid = 0;
	return h->to != NULL && h->from != NULL ? 0 : -1;
}

/* Its exit code when it has ended, -1: it was killed. */
static int
stop(struct helper *h)
{
	int status = 0;

	if (h->to != NULL)
		fclose(h->to);
	if (h->from != NULL)
		fclose(h->from);
	h->to = h->from = NULL;
	while (waitpid(h->pid, &status, 0) == -1 && errno == EINTR)
		continue;
	h->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void
helper_done(struct helper *h)
{
	if (h->pid > 0)
		stop(h);
	free(h->line);
	ctx_buf_done(&h->bytes);
}

/* --- a batch ---------------------------------------------------------------------- */

static int
hand_over(struct helper *h, const struct helper_text *text, size_t n,
    struct ctx_err *err)
{
	json_t *list = json_array();
	char *line = NULL;
	size_t i;
	int rc = list == NULL ? -1 : 0;

	for (i = 0; i < n && rc == 0; i++)
		if (text[i].len > 0)
			rc = json_array_append_new(list,
			    json_stringn(text[i].p, text[i].len));
	if (rc == 0)
		line = json_dumps(list, JSON_COMPACT);
	json_decref(list);
	if (line == NULL)
		return ctx_fail_nomem(err);
	/* what fails here is seen when there is no answer */
	fputs(line, h->to);
	fputc('\n', h->to);
	fflush(h->to);
	free(line);
	return 0;
}

/* One line of the answer into h->bytes. */
static int
take_line(struct helper *h)
{
	ssize_t len = getline(&h->line, &h->linecap, h->from);

	ctx_buf_reset(&h->bytes);
	return len < 2 || h->line[len - 1] != '\n' ? -1 :
	    ctx_base64_decode(&h->bytes, h->line, (size_t)len - 1);
}

static int
receive(struct helper *h, size_t n, float **v, size_t *dim)
{
	size_t i;

	*v = NULL;
	for (i = 0; i < n; i++) {
		if (take_line(h) == -1)
			break;
		if (i == 0) {
			*dim = h->bytes.len / CTX_FLOAT32;
			*v = calloc(n, h->bytes.len);
		}
		if (*v == NULL || h->bytes.len != *dim * CTX_FLOAT32)
			break;
		ctx_float32_get(h->bytes.data, *v + i * *dim, *dim);
	}
	if (i == n)
		return 0;
	free(*v);
	*v = NULL;
	return -1;
}

/* It gave no answer, and has said why. */
static void
failed(struct helper *h)
{
	int rc = stop(h);

	if (rc == -1)
		cli_warn(&h->s->cli, HELPER " was killed");
	if (rc <= CLI_OK || rc > CLI_REMOTE)
		rc = CLI_SYSTEM;
	if (!h->soft && h->s->cli.worst < (enum cli_exit)rc)
		h->s->cli.worst = (enum cli_exit)rc;
}

int
helper_ask(struct helper *h, const struct helper_text *text, size_t n,
    float **v, size_t *dim)
{
	struct ctx_err err = { 0 };
	size_t i, asked = 0;

	for (i = 0; i < n; i++)
		asked += text[i].len > 0;
	if ((h->pid == 0 && start(h, &err) == -1) ||
	    hand_over(h, text, n, &err) == -1) {
		if (h->soft)
			cli_warn(&h->s->cli, "%s", err.text);
		else
			store_report(h->s, NULL, &err);
		return -1;
	}
	if (receive(h, asked, v, dim) == 0)
		return 0;
	failed(h);
	return -1;
}
