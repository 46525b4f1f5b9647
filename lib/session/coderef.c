/* SPDX-License-Identifier: MIT */
/* What storing and expanding code have in common; see coderef.h. */
#include "session/coderef_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ending.h"
#include "digest/names.h"
#include "digest/title.h"
#include "store/folder.h"
#include "store/row.h"
#include "store/space.h"

#define DESCR_MAX	200	/* bytes of a description that we derive */

/* --- the walk ------------------------------------------------------------ */

int
ctx_coderef_walk_blocks(struct ctx_coderef_walk *w, const struct ctx_doc *doc,
    uint32_t from, uint32_t to, struct ctx_err *err)
{
	uint32_t i, list, e, code;

	for (i = from; i < to; i++) {
		list = CTX_GET(doc, i, "code_blocks");
		CTX_FOR_LIST(doc, e, list) {
			code = ctx_node_if(doc, CTX_GET(doc, e, "code"), '"');
			if (code != CTX_NONE &&
			    w->block(doc, e, code, w, err) == -1)
				return -1;
		}
	}
	return 0;
}

int
ctx_coderef_walk_object(struct ctx_coderef_walk *w, const char *p, size_t len,
    struct ctx_patch *patch, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	size_t i = 0;

	while (i < len && strchr(" \t\r\n", p[i]) != NULL && p[i] != '\0')
		i++;
	if (i == len || p[i] != '{')
		return 0;
	w->patch = patch;
	if (ctx_doc_scan(&w->inner, p, len, &why) == 0)
		return 1;
	if (why.code != CTX_EINPUT)
		*err = why;
	return why.code == CTX_EINPUT ? 0 : -1;
}

int
ctx_coderef_walk_tell(struct ctx_coderef_walk *w, enum ctx_coderef_row what,
    struct ctx_str name, struct ctx_err *err)
{
	return ctx_job_put_row(&w->job, &(struct ctx_row){ .what = what,
	    .name = name.p, .namelen = name.len }, err);
}

static int
walk_message(struct ctx_coderef_walk *w, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *p;
	uint32_t i;

	if (msg->role == CTX_TOOL || (w->answers && msg->role != CTX_ASSISTANT))
		return 0;
	if (m == 0 || w->rec != msg->rec)
		w->size = 0;
	w->rec = msg->rec;
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER) &&
		    (p->kind == CTX_TEXT || p->kind == CTX_CALL) &&
		    ctx_retext_part(&w->texts, c, i, p->kind == CTX_TEXT ?
		    w->text : w->arguments, w, err) == -1)
			return -1;
	}
	/* several messages may be one object, whose blocks occur once */
	if (msg->role != CTX_ASSISTANT || (m > 0 &&
	    msg[-1].rec == msg->rec && msg[-1].node == msg->node))
		return 0;
	w->doc = ctx_convo_doc(c, msg->rec);
	w->patch = NULL;
	return ctx_coderef_walk_blocks(w, &w->doc, msg->node,
	    w->doc.node[msg->node].next, err);
}

int
ctx_coderef_walk(struct ctx_coderef_walk *w, const struct ctx_convo *c,
    struct ctx_err *err)
{
	uint32_t m;

	if (!w->texts.only_read &&
	    ctx_plan_reset(&w->texts.plan, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (walk_message(w, c, m, err) == -1)
			return -1;
	return 0;
}

int
ctx_coderef_walk_give(struct ctx_coderef_walk *w, const struct ctx_convo *c,
    struct ctx_err *err)
{
	return ctx_retext_turn(&w->texts, c, err) == -1 ? -1 :
	    ctx_job_put_turn(&w->job, c, &w->texts.edit, err);
}

int
ctx_coderef_walk_put(struct ctx_coderef_walk *w, const struct ctx_doc *doc,
    uint32_t node, struct ctx_str raw, struct ctx_err *err)
{
	const struct ctx_node *n = &doc->node[node];

	if (w->patch == NULL)
		return ctx_plan_rewrite(&w->texts.plan, w->rec, node, 0, raw,
		    err);
	return ctx_patch_add(w->patch, (size_t)(doc->raw - w->texts.text.data) +
	    n->off + 1, n->len - 2, raw.p, raw.len, err);
}

void
ctx_coderef_walk_done(struct ctx_coderef_walk *w)
{
	ctx_retext_done(&w->texts);
	ctx_doc_done(&w->inner);
}

uint64_t
ctx_coderef_count(const struct ctx_job *j)
{
	return ((const struct ctx_coderef_walk *)j)->count;
}

/* --- one file ------------------------------------------------------------ */

void
ctx_coderef_describe(struct ctx_file *f, struct ctx_buf *out)
{
	const struct ctx_lang *lang;
	const char *text;
	char name[16];
	size_t n;

	snprintf(name, sizeof(name), "a.%s", ctx_ending_of(f->lang));
	if ((lang = ctx_lang_by_name(name)) == NULL ||
	    (n = ctx_title(lang, f->data, f->len, &text)) == 0)
		return;
	ctx_name_clean(out, text, n, DESCR_MAX);
	if (out->len > 0)
		f->descr = ctx_buf_str(out);
}

void
ctx_coderef_saved(struct ctx_buf *row, const struct ctx_file *f,
    int64_t version, const char *path)
{
	ctx_row_begin(row);
	ctx_row_text(row, "marker", "CODE_SAVED");
	ctx_row_text(row, "code_id", f->name);
	ctx_row_text(row, "language", f->lang);
	ctx_row_text(row, "description", f->descr);
	ctx_row_int(row, "version", version);
	if (path != NULL)
		ctx_row_text(row, "path", path);
	ctx_row_end(row);
}

/* Where to copy a file to, and its path. */
struct copy {
	const struct ctx_coderef_opts *opts;
	char **path;
};

static int
write_copy(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	const struct copy *to = arg;
	struct ctx_folder_file file = { .dir = to->opts->place.out,
	    .folder = "data", .data = f->data, .len = f->len, .mode = 0666 };
	const char *ending = f->lang != NULL ? ctx_ending_of(f->lang) : NULL;
	struct ctx_buf name = { 0 };
	char *dir = NULL;
	int rc = 0;

	if (to->opts->place.workspace) {
		rc = ctx_space_make(to->opts->st, to->opts->where.thread, &dir,
		    err);
		file.dir = dir;
	}
	/* another program may have stored code in any language */
	ctx_buf_addf(&name, "%s.%s", f->name, ending != NULL ? ending : "txt");
	if ((file.name = ctx_buf_str(&name)) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = ctx_folder_write(&file, to->path, err);
	ctx_buf_done(&name);
	free(dir);
	return rc;
}

int
ctx_coderef_write(const struct ctx_coderef_opts *o, const char *id,
    char **path, struct ctx_err *err)
{
	const struct ctx_file_key key = { .kind = "code", .name = id };
	struct copy to = { o, path };

	if (o->place.out == NULL && !o->place.workspace)
		return 0;
	return ctx_file_newest(o->st, &o->where, &key, write_copy, &to, err);
}
