/* SPDX-License-Identifier: MIT */
/*
 * ctx-unpack - open archives and compressed files for ctx-digest-files, which is
 * not linked with libarchive.
 *
 * The answer begins with a line, the letter A and the name of the archive's
 * format, or R and the name of the compression.  Then come, for an archive, its
 * files, each as "SIZE NAME" and a NUL, or the first megabytes of what was
 * compressed.  Nothing is written to disk, and no other program is run.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cli_aide.h"

#define UNPACK_MAX	((size_t)8 << 20)	/* of a compressed file */
#define SECONDS		4			/* for one file */

static const struct cli_opt opts[] = { CLI_COMMON };

static const struct cli_cmd cmd = {
	"ctx-unpack", "",
	"Open archives and compressed files.  This program is run by "
	"ctx-digest-files.",
	opts, NULL
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What is compressed; and unless it is only that, an archive. */
static struct archive *
new_reader(int only_packed)
{
	struct archive *a = archive_read_new();

	if (a == NULL)
		return NULL;
	/* those of all filters and formats that run no program */
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_compress(a);
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_lz4(a);
	archive_read_support_filter_lzip(a);
	archive_read_support_filter_lzma(a);
	archive_read_support_filter_rpm(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_format_empty(a);
	archive_read_support_format_raw(a);
	if (only_packed)
		return a;
	archive_read_support_format_7zip(a);
	archive_read_support_format_ar(a);
	archive_read_support_format_cab(a);
	archive_read_support_format_cpio(a);
	archive_read_support_format_iso9660(a);
	archive_read_support_format_rar(a);
	archive_read_support_format_rar5(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_zip(a);
	return a;
}

/* Append what was compressed.  Returns its state. */
static enum ctx_aide_state
unpack(struct archive *a, struct ctx_buf *out)
{
	const size_t start = out->len;
	const void *p;
	size_t n;
	la_int64_t at;
	int rc;

	while ((rc = archive_read_data_block(a, &p, &n, &at)) == ARCHIVE_OK) {
		if (out->len - start + n > UNPACK_MAX) {
			ctx_buf_add(out, p, UNPACK_MAX - (out->len - start));
			return CTX_AIDE_PART;
		}
		ctx_buf_add(out, p, n);
	}
	return rc == ARCHIVE_EOF ? CTX_AIDE_ALL : CTX_AIDE_PART;
}

/* Read over an entry, until the time is over.  Returns 1, or 0 if it is. */
static int
pass(struct archive *a, double end)
{
	const void *p;
	size_t n;
	la_int64_t at;

	/* what is not compressed as a whole can be skipped at once */
	if (archive_filter_count(a) <= 1)
		return archive_read_data_skip(a) >= ARCHIVE_WARN &&
		    now() < end;
	while (archive_read_data_block(a, &p, &n, &at) == ARCHIVE_OK)
		if (now() > end)
			return 0;
	return 1;
}

static void
put_file(struct archive_entry *e, struct ctx_buf *out)
{
	const char *name = archive_entry_pathname(e);

	/* members of ar have no type */
	if (archive_entry_filetype(e) != AE_IFREG &&
	    archive_entry_filetype(e) != 0)
		return;
	ctx_buf_addf(out, "%" PRIu64 " %s", archive_entry_size_is_set(e) ?
	    (uint64_t)archive_entry_size(e) : 0, name == NULL ? "?" : name);
	ctx_buf_addc(out, '\0');
}

/* Append the files of an archive; the first header has been read. */
static enum ctx_aide_state
list(struct archive *a, struct archive_entry *e, double end,
    struct ctx_buf *out)
{
	int rc = ARCHIVE_OK;

	while (rc == ARCHIVE_OK || rc == ARCHIVE_WARN) {
		put_file(e, out);
		if (out->failed)
			return CTX_AIDE_NOT;
		if (out->len > CTX_AIDE_ANSWER_MAX / 2 || !pass(a, end))
			return CTX_AIDE_PART;
		rc = archive_read_next_header(a, &e);
	}
	return rc == ARCHIVE_EOF ? CTX_AIDE_ALL : CTX_AIDE_PART;
}

/* --- Debian's packages ------------------------------------------------------ */

/* Append the value of a field of a control file. */
static void
put_field(struct ctx_buf *out, struct ctx_buf *control, const char *name)
{
	const char *p = ctx_buf_str(control);

	if (p == NULL || (p = strstr(p, name)) == NULL)
		return;
	p += strlen(name);
	ctx_buf_add(out, p, strcspn(p, "\n"));
}

/* Append "PACKAGE VERSION" from control.tar. */
static void
put_control(struct archive *a, struct archive_entry *e, struct ctx_buf *out)
{
	struct ctx_buf control = { 0 };
	const char *name;

	do {
		name = archive_entry_pathname(e);
		if (name == NULL || (strcmp(name, "./control") != 0 &&
		    strcmp(name, "control") != 0))
			continue;
		ctx_buf_addc(&control, '\n');
		unpack(a, &control);
		ctx_buf_addc(out, ' ');
		put_field(out, &control, "\nPackage: ");
		ctx_buf_addc(out, ' ');
		put_field(out, &control, "\nVersion: ");
		break;
	} while (archive_read_next_header(a, &e) >= ARCHIVE_WARN);
	ctx_buf_done(&control);
}

/* Take control.tar or data.tar from a package; 0 if it cannot be read. */
static int
take_member(struct archive *a, int control, double end, struct ctx_buf *out)
{
	struct ctx_buf tar = { 0 };
	struct archive *inner = new_reader(0);
	struct archive_entry *e;
	enum ctx_aide_state state = CTX_AIDE_NOT;
	const void *p;
	size_t n;
	la_int64_t at;

	while (archive_read_data_block(a, &p, &n, &at) == ARCHIVE_OK)
		ctx_buf_add(&tar, p, n);
	if (inner != NULL && !tar.failed && archive_read_open_memory(inner,
	    tar.data, tar.len) == ARCHIVE_OK &&
	    archive_read_next_header(inner, &e) >= ARCHIVE_WARN) {
		state = CTX_AIDE_ALL;
		if (control)
			put_control(inner, e, out);
		else
			state = list(inner, e, end, out);
	}
	if (inner != NULL)
		archive_read_free(inner);
	ctx_buf_done(&tar);
	return state == CTX_AIDE_ALL;
}

/*
 * The files that a package installs; its first member, debian-binary, has been
 * read.  control.tar comes before data.tar (deb(5)).
 */
static enum ctx_aide_state
list_deb(struct archive *a, double end, struct ctx_buf *out)
{
	struct archive_entry *e;
	const char *name;
	int ok = 1, data = 0;

	ctx_buf_reset(out);
	ctx_buf_adds(out, "Adeb");
	while (ok && archive_read_next_header(a, &e) >= ARCHIVE_WARN) {
		name = archive_entry_pathname(e);
		if (name == NULL)
			continue;
		if (strncmp(name, "control.tar", 11) == 0)
			ok = take_member(a, 1, end, out);
		else if (strncmp(name, "data.tar", 8) == 0) {
			ctx_buf_addc(out, '\n');
			ok = take_member(a, 0, end, out);
			data = 1;
		}
	}
	if (!data)
		ctx_buf_addc(out, '\n');
	return ok && data ? CTX_AIDE_ALL : CTX_AIDE_PART;
}

/* The reason why a file cannot be opened. */
static enum ctx_aide_state
refuse(struct archive *a, struct ctx_buf *out)
{
	const char *why = a == NULL ? NULL : archive_error_string(a);

	ctx_buf_reset(out);
	ctx_buf_adds(out, a == NULL || archive_errno(a) == ENOMEM ?
	    "it needs too much memory" : why != NULL ? why :
	    "its format is not known");
	return CTX_AIDE_NOT;
}

/* Did nothing come after the first line, as of a wrong checksum? */
static int
is_empty(const struct ctx_buf *out)
{
	return out->len > 0 && memchr(out->data, '\n', out->len) ==
	    out->data + out->len - 1;
}

static enum ctx_aide_state
open_packed(struct archive *a, int nothing, struct ctx_buf *out)
{
	enum ctx_aide_state state;

	if (archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE)
		return refuse(a, out);
	ctx_buf_addf(out, "R%s\n", archive_filter_name(a, 0));
	state = nothing ? CTX_AIDE_ALL : unpack(a, out);
	return state == CTX_AIDE_PART && is_empty(out) ? refuse(a, out) :
	    state;
}

/* Returns a state, or -1 if it should be read as what is only compressed. */
static int
open_one(struct archive *a, const char *data, size_t len, struct ctx_buf *out)
{
	const double end = now() + SECONDS;
	struct archive_entry *e;
	const char *name;
	int rc;

	if (archive_read_open_memory(a, data, len) != ARCHIVE_OK ||
	    (rc = archive_read_next_header(a, &e)) < ARCHIVE_WARN)
		return (int)refuse(a, out);
	/* a file of zeros looks like a tar without files */
	if (rc == ARCHIVE_EOF && archive_filter_code(a, 0) !=
	    ARCHIVE_FILTER_NONE)
		return -1;
	if (rc == ARCHIVE_EOF)
		return (int)refuse(a, out);
	if (archive_format(a) == ARCHIVE_FORMAT_RAW)
		return (int)open_packed(a, 0, out);
	name = archive_entry_pathname(e);
	if (name != NULL && strcmp(name, "debian-binary") == 0)
		return (int)list_deb(a, end, out);
	ctx_buf_addf(out, "A%s\n", archive_format_name(a));
	return (int)list(a, e, end, out);
}

static enum ctx_aide_state
answer(const char *data, size_t len, struct ctx_buf *out)
{
	struct archive *a = NULL;
	struct archive_entry *e;
	int state = -1, rc;

	if ((a = new_reader(0)) != NULL)
		state = open_one(a, data, len, out);
	archive_read_free(a);
	if (state != -1)
		return (enum ctx_aide_state)state;
	if ((a = new_reader(1)) == NULL || archive_read_open_memory(a, data,
	    len) != ARCHIVE_OK || (rc = archive_read_next_header(a, &e)) <
	    ARCHIVE_WARN)
		state = (int)refuse(a, out);
	else
		state = (int)open_packed(a, rc == ARCHIVE_EOF, out);
	archive_read_free(a);
	return (enum ctx_aide_state)state;
}

int
main(int argc, char *argv[])
{
	return cli_aide(&cmd, argc, argv, answer);
}
