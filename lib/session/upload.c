/* SPDX-License-Identifier: MIT */
/* Files given to a thread; see upload.h. */
#include "session/upload.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "digest/digest_mime.h"
#include "store/folder.h"
#include "store/space.h"

#define FOLDER		"uploads"	/* in the thread's workspace */

int
ctx_upload_name_ok(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= CTX_UPLOAD_NAME_MAX &&
	    strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
	    strcmp(name, "..") != 0 && ctx_utf8_check(name, n) == n;
}

/* Make the digest in each language, without the mark "[file read]". */
static int
describe(struct ctx_upload *u, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	const char *text;
	int lang, rc = 0;

	ctx_buf_reset(&u->descr);
	for (lang = CTX_EN; lang <= CTX_ZH && rc == 0; lang++) {
		ctx_buf_reset(&line);
		ctx_digest_line(&u->digest, (enum ctx_wording)lang,
		    CTX_LINE_WIDTH, &line);
		if (ctx_buf_str(&line) == NULL) {
			rc = ctx_fail_nomem(err);
			break;
		}
		text = strstr(line.data, "] ");
		if (lang != CTX_EN)
			ctx_buf_addc(&u->descr, '\n');
		ctx_buf_adds(&u->descr, text != NULL ? text + 2 : line.data);
	}
	ctx_buf_done(&line);
	if (rc == 0 && (u->file.descr = ctx_buf_str(&u->descr)) == NULL)
		rc = ctx_fail_nomem(err);
	return rc;
}

const char *
ctx_upload_digest(const struct ctx_file *f, enum ctx_wording lang,
    size_t *len)
{
	const char *text = f->descr;

	if (text == NULL)
		return NULL;
	if (lang == CTX_ZH && strchr(text, '\n') != NULL)
		text = strchr(text, '\n') + 1;
	*len = strcspn(text, "\n");
	return text;
}

static int
write_copy(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct ctx_folder_file file = { .folder = FOLDER, .name = f->name,
	    .data = f->data, .len = f->len, .mode = 0600 };
	struct ctx_upload *u = arg;
	char *dir = NULL;
	int rc = ctx_space_make(u->st, u->where.thread, &dir, err);

	file.dir = dir;
	if (rc == 0)
		rc = ctx_folder_write(&file, &u->path, err);
	free(dir);
	return rc;
}

int
ctx_upload_put(struct ctx_upload *u, const char *name, const char *data,
    size_t len, struct ctx_err *err)
{
	const struct ctx_file_key key = { .kind = "upload", .name = name };
	struct ctx_file *f = &u->file;

	free(u->path);
	u->path = NULL;
	*f = (struct ctx_file){ .kind = key.kind, .name = name,
	    .data = data != NULL ? data : "", .len = len };
	if (ctx_digest_make(&u->digest, name, f->data, len, NULL, err) == -1 ||
	    describe(u, err) == -1)
		return -1;
	f->lang = u->digest.type;
	f->mime = ctx_digest_mime(&u->digest);
	f->lines = u->digest.text ? (int64_t)u->digest.lines : -1;
	if (ctx_file_put(u->st, &u->where, f, &f->version, err) == -1)
		return -1;
	return u->store_only ? 0 : ctx_file_newest(u->st, &u->where, &key,
	    write_copy, u, err);
}

void
ctx_upload_done(struct ctx_upload *u)
{
	free(u->path);
	ctx_digest_done(&u->digest);
	ctx_buf_done(&u->descr);
}

char *
ctx_upload_path(const char *workspace, const char *name)
{
	/*
	 * an import may have any name, including one that leads out of the
	 * folder
	 */
	return workspace == NULL || !ctx_upload_name_ok(name) ? NULL :
	    ctx_folder_find(workspace, FOLDER, name);
}

/* Remove the copy before another process can store that file again. */
int
ctx_upload_remove(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_err *err)
{
	char *dir = NULL;
	int ok;

	if (ctx_space_find(st, w->thread, &dir, err) == -1)
		return -1;
	if (ctx_file_begin(st, err) == -1) {
		free(dir);
		return -1;
	}
	/* A name that is invalid here is not in the store either. */
	ok = ctx_file_remove(st, w, "upload", name, err) == 0 &&
	    (dir == NULL || !ctx_upload_name_ok(name) ||
	    ctx_folder_unlink(dir, FOLDER, name, err) == 0);
	free(dir);
	return ctx_file_end(st, ok, err);
}
