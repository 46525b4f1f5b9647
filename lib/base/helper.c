/* SPDX-License-Identifier: MIT */
#include "base/helper.h"

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/program.h"

extern char **environ;

/* Put dir/sub/NAME into path if it is executable. */
static int
is_in(struct ctx_buf *path, const char *dir, const char *sub,
    const char *name)
{
	path->len = 0;		/* a failure stays */
	ctx_buf_addf(path, "%s%s/%s", dir, sub, name);
	return ctx_buf_str(path) != NULL && access(path->data, X_OK) == 0;
}

int
ctx_helper_find(const char *name, struct ctx_buf *path, struct ctx_err *err)
{
	const char *env = getenv("CTX_LIBEXEC");
	char dir[4096];

	ctx_program_dir(dir, sizeof(dir));
	if ((env != NULL && *env != '\0' && is_in(path, env, "", name)) ||
	    (*dir != '\0' && (is_in(path, dir, "libexec", name) ||
	    is_in(path, dir, "../libexec/ctx", name))) ||
	    is_in(path, CTX_LIBEXECDIR, "", name))
		return 0;
	if (path->failed)
		return ctx_fail_nomem(err);
	return ctx_fail(err, CTX_ESYSTEM, "no %s in %s; set "
	    "CTX_LIBEXEC to its directory", name, CTX_LIBEXECDIR);
}

int
ctx_helper_start(const char *path, char *const *argv, int in, int out,
    pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t set;
	int rc;

	if ((rc = posix_spawn_file_actions_init(&files)) != 0)
		return rc;
	if ((rc = posix_spawnattr_init(&how)) == 0) {
		sigemptyset(&set);
		sigaddset(&set, SIGPIPE);
		posix_spawnattr_setsigdefault(&how, &set);
		/* a thread blocks more than a program should */
		sigemptyset(&set);
		posix_spawnattr_setsigmask(&how, &set);
		posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF |
		    POSIX_SPAWN_SETSIGMASK);
		rc = posix_spawn_file_actions_adddup2(&files, in,
		    STDIN_FILENO);
		if (rc == 0)
			rc = posix_spawn_file_actions_adddup2(&files, out,
			    STDOUT_FILENO);
		if (rc == 0)
			rc = posix_spawn(pid, path, &files, &how, argv,
			    environ);
		posix_spawnattr_destroy(&how);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}
