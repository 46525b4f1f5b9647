/* SPDX-License-Identifier: MIT */
/* Rows of ctx-clean; see rows.h. */
#include "cmd/clean/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/url.h"
#include "cli_fare.h"
#include "cli_files.h"

static const char *const image_hows[] = { "keep", "drop", "note", "out=DIR",
	"in=DIR", NULL };

static void
take_images(struct cli *c, void *place)
{
	struct clean_rows *r = place;
	enum ctx_images *how = &r->images.how;
	const char *dir = strchr(c->arg, '=');

	*how = strncmp(c->arg, "out=", 4) == 0 ? CTX_IMAGES_OUT :
	    strncmp(c->arg, "in=", 3) == 0 ? CTX_IMAGES_IN : CTX_IMAGES_KEEP;
	if (*how != CTX_IMAGES_KEEP && dir[1] != '\0')
		r->image_dir = dir + 1;
	else
		*how = (enum ctx_images)cli_opt_find_word(c);
}

#define OPT_OF struct clean_rows
const struct cli_opt clean_images_opts[] = {
	OPT_DO(0, "images", "HOW", take_images,
	    "how to treat images already answered (default keep)",
	    .words = image_hows),
	OPT_FLAG(0, "images-all", images.all,
	    "with --images: include images not answered yet"),
	OPT_END
};
#undef OPT_OF

/* --- rows -------------------------------------------------------------- */

/* --check: invalid JSON is a fault like any other, and checking continues. */
static void
bad_line(struct cli_stream *s, const struct ctx_err *bad)
{
	clean_findings_bad_line(&((struct clean_rows *)s)->found, s->file, bad);
}

/* --check: a file of which nothing can be judged is not in order. */
static void
no_message(struct cli_stream *s, const char *file, uint64_t records)
{
	(void)file;
	clean_findings_no_message(&((struct clean_rows *)s)->found, s->file,
	    records);
}

/*
 * --check: a file was read to its end.  Lines that are not JSON may be skipped
 * between messages; a file that has none, or is of another kind, would be lost.
 */
static int
file_checked(struct cli_stream *s, struct ctx_err *err)
{
	(void)err;
	clean_findings_file(&((struct clean_rows *)s)->found, s->file,
	    !s->foreign && s->job->turns.held.messages > 0);
	return 0;
}

static int
report(struct clean_rows *r, const char *file, const struct ctx_row *row,
    struct ctx_err *err)
{
	struct cli_fare f = { .file = file, .line = row->line,
	    .fare = (enum ctx_fare)row->n[0], .why = row->rule,
	    .path = { row->name, (uint32_t)row->namelen },
	    .values = row->n[1], .bytes = row->n[2], .changed = 1,
	    .bytes_after = row->n[3], .tokens = row->n[4],
	    .tokens_after = row->n[5] };
	struct ctx_str id = { row->text, (uint32_t)row->textlen };

	if (f.fare == CTX_RENAMED)
		f.to = id;
	else
		f.id = id;
	f.changed = f.fare == CTX_REFORMED || f.fare == CTX_LEFT_OUT;
	return cli_fare_put(&r->report, &r->line, &f, err);
}

static int
put_row(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	struct clean_rows *r = (struct clean_rows *)s;
	struct ctx_str name, text;

	switch ((enum ctx_clean_row)row->what) {
	case CTX_CLEAN_FAULT:
		clean_findings_put(&r->found, s->file, row);
		return 0;
	case CTX_CLEAN_CHANGE:
		return report(r, s->file, row, err);
	case CTX_CLEAN_KEEP:
		break;
	}
	name = (struct ctx_str){ row->name, (uint32_t)row->namelen };
	text = (struct ctx_str){ row->text, (uint32_t)row->textlen };
	if (row->n[0] == CTX_KEEP_ORIGIN)
		return clean_stash_add(&r->stash, name, text, err);
	if (row->n[0] == CTX_KEEP_SECRET)
		return clean_map_add(&r->map, name, text, err);
	ctx_buf_reset(&r->line);
	ctx_buf_add(&r->line, row->name, row->namelen);
	if (ctx_buf_str(&r->line) == NULL)
		return ctx_fail_nomem(err);
	return cli_file_put(&(struct cli_file){
	    row->n[0] == CTX_KEEP_IMAGE ? r->image_dir : r->stash_dir,
	    r->line.data, row->text, row->textlen, r->sync }, err);
}

/* --- opening and closing ----------------------------------------------- */

static int
kept_in(const char *dir, const char *name, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_buf path = { 0 };
	int rc = cli_file_path(&path, dir, name, err);

	if (rc == 0)
		rc = cli_file_get(path.data, out, err);
	ctx_buf_done(&path);
	return rc;
}

/* Two ctx_kept_fn, and a ctx_origin_fn. */
static int
kept_image(void *arg, const char *name, struct ctx_buf *out,
    struct ctx_err *err)
{
	return kept_in(((struct clean_rows *)arg)->image_dir, name, out, err);
}

static int
kept_text(void *arg, const char *name, struct ctx_buf *out,
    struct ctx_err *err)
{
	return kept_in(((struct clean_rows *)arg)->restore_from, name, out,
	    err);
}

static int
origin(void *arg, const char *key, char name[CTX_ORIGIN_NAME],
    struct ctx_err *err)
{
	return clean_stash_find(&((struct clean_rows *)arg)->stash, key, name,
	    err);
}

/* Turn the folder into a file: URL. */
static void
make_url(struct clean_rows *r, struct cli *c)
{
	char *real = realpath(r->image_dir, NULL);

	if (real == NULL) {
		cli_error(c, CLI_SYSTEM, "%s: %s", r->image_dir,
		    strerror(errno));
		exit(cli_end(c));
	}
	ctx_buf_adds(&r->url, "file://");
	ctx_url_path(&r->url, real);
	free(real);
}

static void
open_images(struct clean_rows *r, struct cli *c)
{
	struct ctx_images_opts *o = &r->images;

	cli_file_dir(r->image_dir, o->how == CTX_IMAGES_OUT, c);
	make_url(r, c);
	o->url = ctx_buf_str(&r->url);
	if (o->url == NULL)
		cli_nomem(c);
	o->kept = kept_image;
	o->kept_arg = r;
	o->kept_in = r->image_dir;
}

/* A folder has texts that a stash kept, a file what a redaction replaced. */
static void
open_restore(struct clean_rows *r, struct ctx_lean_opts *o, struct cli *c)
{
	struct stat st;

	if (stat(r->restore_from, &st) == 0 && !S_ISDIR(st.st_mode)) {
		if (o->redact != NULL)
			cli_usage(c, "--restore %s cannot be used with "
			    "--redact, which would replace the values again",
			    r->restore_from);
		clean_map_open(&r->map, r->restore_from, 0, c);
		o->secret = clean_map_find;
		o->secret_arg = &r->map;
		return;
	}
	cli_file_dir(r->restore_from, 0, c);
	clean_stash_open(&r->stash, r->restore_from, 0, c);
	o->kept = kept_text;
	o->origin = origin;
	o->kept_arg = r;
	o->kept_in = r->restore_from;
}

void
clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
    struct cli *c)
{
	c->lifted |= r->stash_dir != NULL || r->restore_from != NULL ||
	    r->map_name != NULL || r->image_dir != NULL;
	r->stream.row = put_row;
	r->sync = r->stream.place.on;
	if (opts->check) {
		clean_findings_open(&r->found, c);
		r->stream.bad_line = bad_line;
		r->stream.no_message = no_message;
		r->stream.file_end = file_checked;
		r->checked = 1;
		opts->marks = cli_findings_marked(&r->found.out);
		opts->excerpt = r->found.out.columns > 0;
		r->stream.on_error = CTX_BAD_TELL;
	}
	if (r->stash_dir != NULL) {
		cli_file_dir(r->stash_dir, 1, c);
		clean_stash_open(&r->stash, r->stash_dir, 1, c);
		r->stash.sync = r->sync;
		opts->lean.keep = 1;
	}
	if (r->restore_from != NULL)
		open_restore(r, &opts->lean, c);
	if (r->map_name != NULL && !opts->check) {
		clean_map_open(&r->map, cli_file_apart(c, "redact-map"), 1,
		    c);
		r->map.sync = r->sync;
		opts->lean.keep_secrets = 1;
	}
	if (r->report_name != NULL) {
		cli_file_out(&r->report, "report", c);
		opts->report = 1;
	}
	if (r->image_dir != NULL)
		open_images(r, c);
	opts->images = r->images;
}

void
clean_rows_close(struct clean_rows *r, struct cli *c)
{
	cli_file_out_done(&r->report, c);
	clean_findings_done(&r->found);
	clean_stash_done(&r->stash);
	clean_map_done(&r->map, c);
	ctx_buf_done(&r->url);
	ctx_buf_done(&r->line);
}

static void
print_sum(const struct ctx_clean_sums *did)
{
	if (did->rewritten > 0)
		fprintf(stderr, ", %" PRIu64 " text%s shortened or replaced",
		    did->rewritten, CLI_S(did->rewritten));
	if (did->pruned > 0)
		fprintf(stderr, ", %" PRIu64 " call%s removed", did->pruned,
		    CLI_S(did->pruned));
	fputc('\n', stderr);
}

void
clean_rows_sum(struct clean_rows *r, const struct ctx_clean_sums *did,
    struct cli *c)
{
	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " record%s", c->cmd->name,
		    did->records, CLI_S(did->records));
	clean_findings_sum(&r->found, did, c);
	if (c->verbose)
		print_sum(did);
	if (r->checked)
		cli_findings_end(&r->found.out,
		    c->nfile > 0 ? (uint64_t)c->nfile : 1);
}
