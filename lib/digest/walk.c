/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "digest/ignore.h"
#include "digest/walk.h"

#define DEPTH_MAX	256		/* nested folders */
#define RULES_MAX	((size_t)1 << 20)	/* bytes of a .gitignore */

struct walk {
	const struct ctx_walk *w;
	struct ctx_ignore ignore;
	/*
	 * The path as the caller spells it and, for the rules, from the root.
	 * Both have the same last parts; only their beginnings differ.
	 */
	struct ctx_buf path, real;
	size_t depth;
};

/* Append a slash, unless there is one, and a name to both paths. */
static int
push(struct walk *k, const char *name)
{
	struct ctx_buf *b[2] = { &k->path, &k->real };
	int i;

	for (i = 0; i < 2; i++) {
		if (b[i]->len > 0 && b[i]->data[b[i]->len - 1] != '/')
			ctx_buf_addc(b[i], '/');
		ctx_buf_adds(b[i], name);
		if (ctx_buf_str(b[i]) == NULL)
			return -1;
	}
	return 0;
}

/* Restore earlier lengths. */
static void
pop(struct walk *k, size_t path, size_t real)
{
	k->path.len = path;
	k->path.data[path] = '\0';
	k->real.len = real;
	k->real.data[real] = '\0';
}

/* Read the rules of folder/.gitignore; a file that cannot be read has none. */
static int
read_rules(struct ctx_ignore *g, const char *folder, size_t base)
{
	struct ctx_buf data = { 0 };
	struct stat st;
	char *name;
	int fd, rc = 0;

	ctx_buf_adds(&data, folder);
	ctx_buf_adds(&data, "/.gitignore");
	if ((name = ctx_buf_str(&data)) == NULL)
		return -1;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ctx_buf_reset(&data);
	if (fd == -1) {
		ctx_buf_done(&data);
		return 0;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    ctx_fd_read(fd, RULES_MAX, &data) == -1 && data.failed)
		rc = -1;
	if (rc == 0 && data.len > 0)
		rc = ctx_ignore_add(g, data.data, data.len, base);
	close(fd);
	ctx_buf_done(&data);
	return rc;
}

/*
 * Read the rules of the folders above real, from the one that holds .git
 * downwards.
 */
static int
rules_above(struct walk *k)
{
	char *real = k->real.data, *at, *from = NULL;
	struct stat st;
	char git[sizeof("/.git")] = "/.git", saved[sizeof(git)];
	int rc = 0;

	/* real has room for "/.git" after each of its folders. */
	if (ctx_buf_reserve(&k->real, sizeof(git)) == -1)
		return -1;
	real = k->real.data;
	for (at = real + k->real.len; at > real; at--) {
		if (*at != '/' && *at != '\0')
			continue;
		memcpy(saved, at, sizeof(git));
		memcpy(at, git, sizeof(git));
		rc = lstat(real, &st);
		memcpy(at, saved, sizeof(git));
		if (rc == 0) {
			from = at;
			break;
		}
	}
	for (at = from; at != NULL && *at != '\0'; at = strchr(at + 1, '/')) {
		*at = '\0';
		rc = read_rules(&k->ignore, real, (size_t)(at - real) + 1);
		*at = '/';
		if (rc == -1)
			return -1;
	}
	return 0;
}

static int
is_listed(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
	    strcmp(e->d_name, ".git") != 0;
}

/* Sort by bytes in any locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int	folder(struct walk *, struct ctx_err *);

/* Visit one entry, whose path is k->path. */
static int
entry(struct walk *k, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct stat st;

	if (lstat(k->path.data, &st) == -1) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;	/* removed meanwhile */
		ctx_fail_errno(&why, errno, "cannot open");
		k->w->trouble(k->path.data, k->w->arg, &why);
		return 0;
	}
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return 0;
	if (!k->w->all &&
	    ctx_ignore_has(&k->ignore, k->real.data, S_ISDIR(st.st_mode)))
		return 0;
	return S_ISDIR(st.st_mode) ? folder(k, err) :
	    k->w->file(k->path.data, k->w->arg, err);
}

static int
folder(struct walk *k, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	size_t path = k->path.len, real = k->real.len, rules = k->ignore.n;
	struct dirent **entries;
	int rc = 0, n = -1, i;

	if (k->depth >= DEPTH_MAX)
		ctx_fail(&why, CTX_ESYSTEM, "folders are nested deeper than %d",
		    DEPTH_MAX);
	else if ((n = scandir(k->path.data, &entries, is_listed,
	    by_name)) == -1)
		ctx_fail_errno(&why, errno, "cannot read the directory");
	if (why.code == CTX_ENOMEM)
		return ctx_fail_nomem(err);
	if (n == -1) {
		k->w->trouble(k->path.data, k->w->arg, &why);
		return 0;
	}
	k->depth++;
	if (!k->w->all && read_rules(&k->ignore, k->path.data,
	    real + (real > 0 && k->real.data[real - 1] != '/')) == -1)
		rc = ctx_fail_nomem(err);
	for (i = 0; i < n; free(entries[i++])) {
		if (rc == -1)
			continue;
		rc = push(k, entries[i]->d_name) == -1 ? ctx_fail_nomem(err) :
		    entry(k, err);
		pop(k, path, real);
	}
	free(entries);
	k->depth--;
	ctx_ignore_pop(&k->ignore, rules);
	return rc;
}

int
ctx_walk_tree(const struct ctx_walk *w, const char *top, struct ctx_err *err)
{
	struct walk k = { .w = w };
	char *real = realpath(top, NULL);
	int rc;

	ctx_buf_adds(&k.path, top);
	ctx_buf_adds(&k.real, real == NULL ? top : real);
	free(real);
	if (ctx_buf_str(&k.path) == NULL || ctx_buf_str(&k.real) == NULL ||
	    (!w->all && rules_above(&k) == -1))
		rc = ctx_fail_nomem(err);
	else
		rc = folder(&k, err);
	ctx_buf_done(&k.path);
	ctx_buf_done(&k.real);
	ctx_ignore_done(&k.ignore);
	return rc;
}
