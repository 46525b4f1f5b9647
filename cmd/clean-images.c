/* SPDX-License-Identifier: MIT */
/* Images out to files and back; see clean-images.h. */
#include "clean-images.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "cli_files.h"
#include "view/media.h"

static const char *const hows[] = { "keep", "drop", "note", "out=DIR",
	"in=DIR", NULL };

static void
take_images(struct cli *c, void *place)
{
	struct clean_images *i = place;

	if (strncmp(c->arg, "out=", 4) == 0 && c->arg[4] != '\0') {
		i->opts.how = CTX_IMAGES_OUT;
		i->dir = c->arg + 4;
	} else if (strncmp(c->arg, "in=", 3) == 0 && c->arg[3] != '\0') {
		i->opts.how = CTX_IMAGES_IN;
		i->dir = c->arg + 3;
	} else
		i->opts.how = (enum ctx_images)cli_opt_find_word(c);
}

#define OPT_OF struct clean_images
const struct cli_opt clean_images_opts[] = {
	OPT_DO(0, "images", "HOW", take_images, "sent images",
	    .words = hows),
	OPT_FLAG(0, "images-all", opts.all, "those not yet answered too"),
	OPT_END
};

#define VARIANT	16		/* digits of the hash of a spelling */

/*
 * The image and its link.  Where the JSON that the link replaces is not spelled
 * in the usual way, it is kept beside the image under the hash of that
 * spelling, which the link then names: "...png#0123456789abcdef".
 */
static int
put_file(void *arg, const char *ending, const struct ctx_buf *data,
    struct ctx_str as_was, int canonical, struct ctx_buf *url,
    struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX], variant[CTX_SHA256_HEX], name[64];
	struct clean_images *i = arg;

	ctx_sha256_hex(data->data != NULL ? data->data : "", data->len, hash);
	ctx_sha256_hex(as_was.p, as_was.len, variant);
	snprintf(name, sizeof(name), ".%s", ending);
	if (cli_file_put(i->dir, hash, name, data->data, data->len,
	    err) == -1)
		return -1;
	ctx_buf_add(url, i->url_dir.data, i->url_dir.len);
	ctx_buf_addf(url, "/%s.%s", hash, ending);
	if (canonical)
		return ctx_buf_fail(url, err) == -1 ? -1 : 1;
	snprintf(name, sizeof(name), ".%s.%.*s.json", ending, VARIANT,
	    variant);
	ctx_buf_addf(url, "#%.*s", VARIANT, variant);
	if (ctx_buf_fail(url, err) == -1 || cli_file_put(i->dir, hash, name,
	    as_was.p, as_was.len, err) == -1)
		return -1;
	return 1;
}

/* A link that is one of ours, in parts. */
struct link {
	const char *hash;	/* 64 digits */
	char ending[16];
	const char *type;
	const char *variant;	/* 16 digits, or NULL */
};

static int
read_link(struct ctx_str url, struct link *l)
{
	static const char digits[] = "0123456789abcdef";
	const char *end = url.p + url.len, *name = end, *mark;
	size_t len;

	while (name > url.p && name[-1] != '/')
		name--;
	l->variant = NULL;
	if ((mark = memchr(name, '#', (size_t)(end - name))) != NULL) {
		if (end - mark != 1 + VARIANT ||
		    strspn(mark + 1, digits) < VARIANT)
			return 0;
		l->variant = mark + 1;
		end = mark;
	}
	len = (size_t)(end - name);
	if (len < 66 || len - 65 >= sizeof(l->ending) ||
	    strspn(name, digits) != 64 || name[64] != '.')
		return 0;
	l->hash = name;
	memcpy(l->ending, name + 65, len - 65);
	l->ending[len - 65] = '\0';
	l->type = ctx_media_type(l->ending, len - 65);
	return l->type != NULL;
}

/* The image itself, in the usual spelling. */
static int
encode(struct clean_images *i, const struct link *l, int source,
    struct ctx_buf *out, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX], name[32];
	int rc;

	snprintf(name, sizeof(name), ".%s", l->ending);
	ctx_buf_reset(&i->file);
	if (cli_file_path(&i->path, i->dir, l->hash, name, err) == -1)
		return -1;
	if ((rc = cli_file_get(i->path.data, &i->file, err)) != 1)
		return rc;
	ctx_sha256_hex(i->file.data, i->file.len, hash);
	if (memcmp(hash, l->hash, 64) != 0)
		return ctx_fail(err, CTX_ESYSTEM, "%s is damaged",
		    i->path.data);
	ctx_buf_addf(out, source ? "{\"type\":\"base64\",\"media_type\":"
	    "\"%s\",\"data\":\"" : "\"data:%s;base64,", l->type);
	ctx_base64_encode(out, i->file.data, i->file.len);
	return ctx_buf_adds(out, source ? "\"}" : "\"") == -1 ?
	    ctx_fail_nomem(err) : 1;
}

static int
get_file(void *arg, struct ctx_str url, int source, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct clean_images *i = arg;
	char hash[CTX_SHA256_HEX], name[64];
	struct link l;
	int rc;

	if (!read_link(url, &l))
		return 0;
	if (l.variant == NULL)
		return encode(i, &l, source, out, err);
	snprintf(name, sizeof(name), ".%s.%.*s.json", l.ending, VARIANT,
	    l.variant);
	if (cli_file_path(&i->path, i->dir, l.hash, name, err) == -1)
		return -1;
	if ((rc = cli_file_get(i->path.data, out, err)) != 1)
		return rc;
	/* it goes into a line as it is: only what was put there may */
	ctx_sha256_hex(out->data, out->len, hash);
	if (memcmp(hash, l.variant, VARIANT) != 0)
		return ctx_fail(err, CTX_ESYSTEM, "%s is damaged",
		    i->path.data);
	return 1;
}

/* The folder as a file: URL: RFC 3986, everything but unreserved escaped. */
static void
make_url(struct clean_images *i, struct cli *c)
{
	char *real = realpath(i->dir, NULL), *p;

	if (real == NULL) {
		cli_error(c, CLI_SYSTEM, "%s: %s", i->dir, strerror(errno));
		exit(c->worst);
	}
	ctx_buf_adds(&i->url_dir, "file://");
	for (p = real; *p != '\0'; p++)
		if (strchr("/-._~", *p) != NULL || (*p >= '0' && *p <= '9') ||
		    (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'))
			ctx_buf_addc(&i->url_dir, *p);
		else
			ctx_buf_addf(&i->url_dir, "%%%02X",
			    (unsigned)(unsigned char)*p);
	free(real);
}

void
clean_images_open(struct clean_images *i, struct cli *c)
{
	i->opts.arg = i;
	i->opts.put_file = put_file;
	i->opts.get_file = get_file;
	if (i->dir == NULL)
		return;
	cli_file_dir(i->dir, i->opts.how == CTX_IMAGES_OUT, c);
	make_url(i, c);
	if (i->url_dir.failed)
		cli_nomem(c);
}

void
clean_images_done(struct clean_images *i)
{
	ctx_buf_done(&i->url_dir);
	ctx_buf_done(&i->path);
	ctx_buf_done(&i->file);
}
