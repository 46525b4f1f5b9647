/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/utf8.h"
#include "digest/digest.h"
#include "digest/encoding.h"
#include "digest/format.h"
#include "digest/kind.h"

#define LOOK_MAX	8192	/* bytes that decide whether it is text */
#define BLOCK		128	/* bytes whose line ends a byte can count */

void
ctx_digest_figure(struct ctx_digest *d, enum ctx_figure figure, uint64_t n)
{
	if (d->nfigure < CTX_DIGEST_FIGURES) {
		d->figure[d->nfigure].figure = figure;
		d->figure[d->nfigure++].n = n;
	}
}

int
ctx_digest_name(struct ctx_digest *d, enum ctx_list list, const char *p,
    size_t len, struct ctx_err *err)
{
	if (ctx_names_add(&d->names, list, p, len, 0, 0) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

/* Text in some encoding has no NUL and hardly any other control characters. */
static int
is_text(const char *p, size_t len)
{
	size_t i, odd = 0;
	unsigned char c;

	if (len > LOOK_MAX)
		len = LOOK_MAX;
	if (memchr(p, '\0', len) != NULL)
		return 0;
	for (i = 0; i < len; i++) {
		c = (unsigned char)p[i];
		odd += (c < ' ' && strchr("\t\n\r\f\b\033", c) == NULL) ||
		    c == 0x7f;
	}
	if (odd * 50 > len)
		return 0;
	/*
	 * Random bytes may contain no NUL, but text has spaces and no control
	 * characters, or is mostly ASCII.
	 */
	if (odd == 0 && (memchr(p, ' ', len) != NULL ||
	    memchr(p, '\n', len) != NULL))
		return 1;
	for (i = odd = 0; i < len; i++)
		odd += (unsigned char)p[i] >= 0x80;
	return odd * 3 < len || ctx_utf8_check(p, len) + 4 > len;
}

/* The characters and line ends in at most BLOCK bytes. */
static void
count_block(struct ctx_digest *d, const char *p, size_t n)
{
	unsigned char follow = 0, lines = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		follow += ((unsigned char)p[i] & 0xc0) == 0x80;
		lines += p[i] == '\n';
	}
	d->chars -= follow;
	d->lines += lines;
}

static void
count_text(struct ctx_digest *d, const char *p, size_t len)
{
	size_t left = len;

	d->chars = len;
	d->lines = len > 0 && p[len - 1] != '\n';
	/* with a length that is known, compilers use vectors */
	for (; left >= BLOCK; left -= BLOCK, p += BLOCK)
		count_block(d, p, BLOCK);
	count_block(d, p, left);
}

/*
 * Add the facts that the language's kind calls for, then what its patterns
 * find.
 */
static int
read_lang(struct ctx_digest *d, const struct ctx_lang *lang, const char *p,
    size_t len, struct ctx_err *err)
{
	d->lang = lang;
	d->type = lang->name;
	d->kind = lang->kind;
	if (lang->kind == CTX_FILE_DATA)
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	else
		ctx_digest_figure(d, CTX_FIG_LINES, d->lines);
	return ctx_symbols_find(&d->symbols, &d->names, lang, p, len, err);
}

static int
read_format(struct ctx_digest *d, const struct ctx_format *f, const char *p,
    size_t len, struct ctx_err *err)
{
	d->type = f->type;
	d->kind = f->kind;
	if (f->read != NULL)
		return f->read(d, p, len, err);
	if (d->text)
		ctx_digest_figure(d, CTX_FIG_LINES, d->lines);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}

/* NOTES.txt may be a log, unlike NEWS and COPYING. */
static int
has_ending(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && strchr(dot, '/') == NULL;
}

static int
read_text(struct ctx_digest *d, const char *p, size_t len,
    const struct ctx_lang *lang, struct ctx_err *err)
{
	static const struct ctx_format plain = { "text", CTX_FILE_TEXT, "",
	    NULL, 0, 0, NULL };
	const struct ctx_format *f = NULL;
	int nomem = 0, rc;

	if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
		p += 3;
		len -= 3;
	}
	if (lang == NULL && (rc = ctx_kind_read(d, p, len, err)) != 0)
		return rc == -1 ? -1 : 0;
	if (lang == NULL && (lang = ctx_lang_by_name(d->name)) == NULL &&
	    (f = ctx_format_by_name(d->name)) == NULL &&
	    (lang = ctx_lang_by_stem(d->name)) == NULL &&
	    (lang = ctx_lang_by_shebang(p, len)) == NULL)
		f = ctx_format_by_look(p, len, &lang, &nomem);
	if (nomem)
		return ctx_fail_nomem(err);
	if (lang == NULL && (f == NULL || f->kind == CTX_FILE_LOG ||
	    (f->kind == CTX_FILE_TEXT && has_ending(d->name))) &&
	    (rc = ctx_kind_log(d, p, len, err)) != 0)
		return rc == -1 ? -1 : 0;
	if (f != NULL)
		return read_format(d, f, p, len, err);
	if (lang != NULL && len > 0)
		lang = ctx_lang_refine(lang, d->name, p, len > CTX_SYMBOLS_MAX ?
		    CTX_SYMBOLS_MAX : len);
	if (lang == NULL)
		return read_format(d, &plain, p, len, err);
	return read_lang(d, lang, p, len, err);
}

static int
read_utf8(struct ctx_digest *d, const char *p, size_t len,
    const struct ctx_lang *lang, struct ctx_err *err)
{
	d->text = 1;
	d->utf8 = p;
	d->utf8len = len;
	count_text(d, p, len);
	return read_text(d, p, len, lang, err);
}

static void
reset(struct ctx_digest *d)
{
	struct ctx_digest fresh = { .names = d->names, .symbols = d->symbols,
	    .scratch = d->scratch, .decoded = d->decoded, .yaml = d->yaml,
	    .unpack = d->unpack };

	ctx_names_reset(&fresh.names);
	ctx_buf_reset(&fresh.scratch);
	*d = fresh;
}

/* Lines that are read to the end of the file end with the data. */
static void
end_lines(struct ctx_digest *d)
{
	if (d->from == 0 || d->to != 0)
		return;
	if (d->lines > 0)
		d->to = d->from + d->lines - 1;
	else
		d->from = 0;
}

/* Digest the bytes of d->name, whatever they are. */
static int
read_bytes(struct ctx_digest *d, const char *data, size_t len,
    const struct ctx_lang *lang, struct ctx_err *err)
{
	static const struct ctx_format binary = { "binary", CTX_FILE_BINARY,
	    "", NULL, 0, 0, NULL };
	const struct ctx_format *f;

	if (lang == NULL &&
	    (f = ctx_format_by_magic(d->name, data, len)) != NULL)
		return read_format(d, f, data, len, err);
	if (ctx_encoding_open(&d->decoded, &d->encoding, data, len, err) ==
	    -1)
		return -1;
	if (d->encoding != NULL && d->encoding != ctx_encoding_unknown)
		return read_utf8(d, ctx_buf_str(&d->decoded), d->decoded.len,
		    lang, err);
	if (!is_text(data, len)) {
		d->encoding = NULL;
		return read_format(d, &binary, data, len, err);
	}
	return read_utf8(d, data, len, lang, err);
}

int
ctx_digest_make(struct ctx_digest *d, const char *name, const char *data,
    size_t len, const struct ctx_digest_opts *opts, struct ctx_err *err)
{
	const struct ctx_lang *lang = opts != NULL ? opts->lang : NULL;
	int rc;

	reset(d);
	d->name = name;
	d->bytes = len;
	if (opts != NULL) {
		d->last = opts->last;
		d->from = opts->last > 0 ? 2 : opts->from;
		d->to = opts->to;
		d->wrote = opts->wrote;
	}
	rc = read_bytes(d, data, len, lang, err);
	end_lines(d);
	if (rc == 0 && ctx_buf_fail(&d->names.text, err) == -1)
		rc = -1;
	return rc;
}

/* The figures of what is packed, after the size of the file. */
static void
repack(struct ctx_digest *d, size_t len)
{
	size_t i, n = 0;

	for (i = 0; i < d->nfigure; i++)
		if (d->figure[i].figure != CTX_FIG_SIZE &&
		    (d->figure[i].figure != CTX_FIG_INVALID || !d->partial))
			d->figure[n++] = d->figure[i];
	d->nfigure = n > CTX_DIGEST_FIGURES - 2 ? CTX_DIGEST_FIGURES - 2 : n;
	memmove(d->figure + 2, d->figure, d->nfigure * sizeof(d->figure[0]));
	d->figure[0].figure = CTX_FIG_SIZE;
	d->figure[0].n = d->bytes;
	d->figure[1].figure = CTX_FIG_UNPACKED;
	d->figure[1].n = len;
	d->nfigure += 2;
	/* these are of what the file has, not of the file */
	d->text = 0;
	d->lang = NULL;
	d->utf8 = NULL;
	d->utf8len = 0;
	if (d->partial)
		d->since[0] = '\0';
}

int
ctx_digest_packed(struct ctx_digest *d, const char *packing,
    const char *data, size_t len, struct ctx_err *err)
{
	const char *name = d->name, *dot = strrchr(name, '.');
	const uint64_t bytes = d->bytes;
	struct ctx_buf inner = { 0 };
	int rc = 0;

	if (d->packing != NULL) {		/* only once */
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
		return 0;
	}
	/* half a character would decide the encoding */
	if (d->partial) {
		size_t n = 0;

		while (n < 3 && n < len && (data[len - 1 - n] & 0xc0) == 0x80)
			n++;
		if (n < len && (data[len - 1 - n] & 0xc0) == 0xc0)
			len -= n + 1;
	}
	d->packing = packing;
	d->bytes = len;
	ctx_buf_add(&inner, name, dot != NULL && strchr(dot, '/') == NULL ?
	    (size_t)(dot - name) : strlen(name));
	if ((d->name = ctx_buf_str(&inner)) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = read_bytes(d, data, len, NULL, err);
	ctx_buf_done(&inner);
	d->name = name;
	d->bytes = bytes;
	repack(d, len);
	return rc;
}

void
ctx_digest_done(struct ctx_digest *d)
{
	ctx_names_done(&d->names);
	ctx_symbols_done(&d->symbols);
	ctx_buf_done(&d->scratch);
	ctx_buf_done(&d->decoded);
	ctx_aide_done(&d->yaml);
	ctx_aide_done(&d->unpack);
	memset(d, 0, sizeof(*d));
}
