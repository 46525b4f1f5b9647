/* SPDX-License-Identifier: MIT */
#include "cmd/digest-files/desk.h"

#include <inttypes.h>

#include "base/sha256.h"
#include "cli_files.h"
#include "cmd/digest-files/list.h"
#include "digest/digest_line.h"

static int
write_json(struct desk *k, struct ctx_buf *out, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	uint64_t tokens;

	ctx_buf_addc(out, '{');
	ctx_digest_json(&k->digest, out);
	ctx_buf_addf(out, ",\"sha256\":\"%s\"",
	    ctx_sha256_hex(k->load.data, k->load.len, hash));
	if (k->digest.text) {
		if (ctx_cost_text(k->cost, k->digest.utf8, k->digest.utf8len,
		    &tokens, err) == -1)
			return -1;
		ctx_buf_addf(out, ",\"tokens\":%" PRIu64, tokens);
	}
	ctx_buf_adds(out, "}\n");
	return ctx_buf_fail(out, err);
}

/* --stash: store the contents under their hash, which the line contains. */
static int
keep(struct desk *k, struct ctx_buf *out, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	int rc;

	if (k->opts->stash_dir == NULL)
		return 0;
	ctx_sha256_hex(k->load.data, k->load.len, hash);
	ctx_buf_addf(out, " sha256:%s", hash);
	pthread_mutex_lock(k->stash);
	rc = cli_file_put(&(struct cli_file){ k->opts->stash_dir, hash,
	    k->load.data, k->load.len, 0 }, err);
	pthread_mutex_unlock(k->stash);
	return rc;
}

/*
 * Describe the file in k->load, which k->digest digests, in d->out; or add it to
 * the map.
 */
static int
describe(struct desk *k, struct digested *d)
{
	const struct desk_opts *o = k->opts;

	if (k->map != NULL)
		return ctx_map_add(k->map, &k->digest, &d->err);
	d->listed = 1;
	if (o->as == FILES_LIST)
		d->listed = list_item(&d->out, &k->digest);
	else if (o->json)
		return write_json(k, &d->out, &d->err);
	else {
		ctx_digest_line(&k->digest, o->lang, o->width, &d->out);
		if (keep(k, &d->out, &d->err) == -1)
			return -1;
		ctx_buf_addc(&d->out, '\n');
	}
	return ctx_buf_fail(&d->out, &d->err);
}

void
desk_digest(struct desk *k, struct digested *d)
{
	ctx_buf_reset(&d->out);
	d->listed = 0;
	d->bytes = 0;
	ctx_err_clear(&d->why);
	ctx_err_clear(&d->err);
	if (load_file(&k->load, d->path.data, &d->why) == -1) {
		/* a map without this file would be another map */
		if (k->map != NULL && d->why.code == CTX_ENOMEM)
			ctx_fail_nomem(&d->err);
		return;
	}
	if (k->load.len < k->opts->min)
		return;
	d->bytes = k->load.len;
	if (ctx_digest_make(&k->digest, d->path.data, k->load.data,
	    k->load.len, NULL, &d->err) == 0)
		describe(k, d);
}

void
desk_done(struct desk *k)
{
	ctx_digest_done(&k->digest);
	load_done(&k->load);
}

void
digested_done(struct digested *d)
{
	ctx_buf_done(&d->path);
	ctx_buf_done(&d->out);
}
