/* SPDX-License-Identifier: MIT */
/*
 * --baseline: findings that are known.  Its lines have a file, a rule and a
 * fingerprint, and nothing of the text, so that nothing of a secret gets there.
 * Lines that --json of ctx-clean printed are known by their text.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/json.h"
#include "cli_files.h"
#include "cli_finding.h"
#include "cli_temp.h"
#include "read/span.h"

/* --- reading ------------------------------------------------------------- */

/* "FILE\tRULE\tTEXT" in f->key */
static void
legacy_key(struct cli_findings *f, const char *file, const char *rule,
    const char *text, size_t len)
{
	ctx_buf_reset(&f->key);
	ctx_buf_addf(&f->key, "%s\t%s\t", file, rule);
	ctx_buf_add(&f->key, text, len);
}

/* Count the line whose key is in f->key. */
static int
add_line(struct cli_findings *f, const char *file, const char *rule,
    struct ctx_str text)
{
	struct cli_baseline *b = &f->base;
	struct cli_baseline_line *l;
	size_t i = cli_rule_number(&f->rules, rule), n = b->keys.n;

	if (f->key.failed || CTX_ROOM(b->line, b->nline, &b->capline) == -1)
		return -1;
	l = &b->line[b->nline];
	*l = (struct cli_baseline_line){ (size_t)(text.p - b->old.data),
	    text.len, ctx_strmap_add(&b->keys, f->key.data, f->key.len),
	    ctx_strmap_add(&b->files, file, strlen(file)),
	    i < f->rules.n && (f->rules.off == NULL || !f->rules.off[i]) };
	if (l->key == CTX_STRMAP_FULL || l->file == CTX_STRMAP_FULL ||
	    CTX_ROOM(b->left, l->key, &b->capleft) == -1 ||
	    CTX_ROOM(b->read, l->file, &b->capread) == -1)
		return -1;
	if (l->key == n)
		b->left[l->key] = 0;
	b->left[l->key]++;
	b->read[l->file] = 0;
	b->nline++;
	return 0;
}

static int
take_line(struct cli_findings *f, uint64_t number, struct ctx_str text,
    struct ctx_err *err)
{
	json_error_t why;
	json_t *one = ctx_json_read(&(struct ctx_json_text){ .p = text.p,
	    .len = text.len }, &why);
	const char *file = json_string_value(json_object_get(one, "file"));
	const char *rule = json_string_value(json_object_get(one, "rule"));
	const char *what = json_string_value(json_object_get(one, "text"));
	const char *print = json_string_value(json_object_get(one,
	    "fingerprint"));
	int rc;

	if (one == NULL && ctx_json_starved())
		return ctx_fail_nomem(err);
	if (file == NULL || rule == NULL || (what == NULL && print == NULL)) {
		json_decref(one);
		return ctx_fail(err, CTX_EINPUT, "%s:%" PRIu64 ": this is not "
		    "a finding that --check --json prints or --baseline-write "
		    "writes", f->base.name, number);
	}
	file = cli_findings_path(f, file);
	if (print != NULL) {
		ctx_buf_reset(&f->key);
		ctx_buf_adds(&f->key, print);
	} else
		legacy_key(f, file, rule, what, strlen(what));
	rc = add_line(f, file, rule, text);
	json_decref(one);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

void
cli_baseline_open(struct cli_findings *f)
{
	struct cli_baseline *b = &f->base;
	struct ctx_err err = { 0 };
	uint64_t number = 0;
	size_t at, end;
	int rc = cli_file_get(b->name, &b->old, &err);

	if (rc == 0 && !b->write)
		rc = ctx_fail(&err, CTX_ESYSTEM, "%s: %s (--baseline-write "
		    "makes it)", b->name, strerror(ENOENT));
	for (at = 0; rc == 1 && at < b->old.len; at = end + 1) {
		end = at + ctx_scan_newline(b->old.data + at, b->old.len - at);
		number++;
		if (end > at && take_line(f, number, (struct ctx_str){
		    b->old.data + at, (uint32_t)(end - at) }, &err) == -1)
			rc = -1;
	}
	if (rc == -1)
		cli_must(f->cli, -1, &err);
}

/* --- findings ------------------------------------------------------------ */

/* Take one of this key, if there is one left. */
static int
take(struct cli_baseline *b, const char *key, size_t len)
{
	size_t i = ctx_strmap_find(&b->keys, key, len);

	return i != CTX_STRMAP_FULL && b->left[i] > 0 && b->left[i]-- > 0;
}

/* Note a finding that the baseline is to have. */
static void
note(struct cli_findings *f, const char *rule, const char *file,
    const char *print)
{
	struct ctx_buf *b = &f->base.now;

	ctx_buf_adds(b, "{\"file\":\"");
	ctx_str_encode(b, file, strlen(file));
	ctx_buf_addf(b, "\",\"rule\":\"%s\",\"fingerprint\":\"%s\"}\n", rule,
	    print);
	if (b->failed)
		cli_nomem(f->cli);
	f->base.nnow++;
}

int
cli_baseline_has(struct cli_findings *f, const struct cli_finding *what,
    const char *file, const char *print)
{
	const char *rule = f->rules.at(what->rule).id;
	struct cli_baseline *b = &f->base;
	char name[4096];
	int has;

	file = ctx_err_quote(name, sizeof(name), file, strlen(file));
	has = take(b, print, strlen(print));
	if (!has) {
		legacy_key(f, file, rule, what->text, what->textlen);
		if (f->key.failed)
			cli_nomem(f->cli);
		has = take(b, f->key.data, f->key.len);
	}
	if (!b->write)
		return has;
	b->nnew += !has;
	note(f, rule, file, print);
	return 1;
}

void
cli_baseline_file(struct cli_baseline *b, const char *file)
{
	char name[4096];
	size_t i;

	ctx_err_quote(name, sizeof(name), file, strlen(file));
	i = ctx_strmap_find(&b->files, name, strlen(name));
	if (i != CTX_STRMAP_FULL)
		b->read[i] = 1;
}

/* --- the end ------------------------------------------------------------- */

/* Is it known of the line whether it is still true? */
static int
is_decided(const struct cli_baseline *b, const struct cli_baseline_line *l)
{
	return l->judged && b->read[l->file];
}

/* The number of lines that are true no more. */
static uint64_t
stale(const struct cli_baseline *b)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->nline; i++)
		if (is_decided(b, &b->line[i]) && b->left[b->line[i].key] > 0) {
			b->left[b->line[i].key]--;
			n++;
		}
	return n;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * The new contents, sorted, so that changes are easy to read: what was found,
 * and the lines about files and rules that this run did not judge.
 */
static int
make(const struct cli_baseline *b, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	char **line, *p;
	size_t n = 0, i;
	int rc;

	ctx_buf_add(&all, b->now.data, b->now.len);
	for (i = 0; i < b->nline; i++)
		if (!is_decided(b, &b->line[i])) {
			ctx_buf_add(&all, b->old.data + b->line[i].at,
			    b->line[i].len);
			ctx_buf_addc(&all, '\n');
		}
	line = malloc((b->nnow + b->nline + 1) * sizeof(*line));
	rc = line == NULL || ctx_buf_str(&all) == NULL ? -1 : 0;
	for (p = all.data; rc == 0 && *p != '\0'; p += strlen(p) + 1) {
		p[strcspn(p, "\n")] = '\0';
		line[n++] = p;
	}
	if (rc == 0)
		qsort(line, n, sizeof(*line), by_text);
	for (i = 0; i < n; i++) {
		ctx_buf_adds(out, line[i]);
		ctx_buf_addc(out, '\n');
	}
	free(line);
	ctx_buf_done(&all);
	return rc == -1 ? ctx_fail_nomem(err) : ctx_buf_fail(out, err);
}

/* Give the new file what the old one has, or what a new file gets. */
static int
set_mode(struct cli_temp *t, const char *path, struct cli *c,
    struct ctx_err *err)
{
	struct stat st;
	mode_t mask;
	int fd = open(path, O_RDONLY), rc;

	if (fd == -1) {
		umask(mask = umask(0));
		return fchmod(t->fd, 0666 & ~mask) == 0 ? 0 :
		    ctx_fail_errno(err, errno, "cannot set the mode");
	}
	rc = fstat(fd, &st) == -1 ? ctx_fail_errno(err, errno, "cannot open") :
	    cli_temp_like(t, fd, &st, path, c, err);
	close(fd);
	return rc;
}

/* Replace the file, or make it. */
static int
write_all(const struct cli_baseline *b, struct cli *c, struct ctx_err *err)
{
	char *real = realpath(b->name, NULL);
	const char *path = real != NULL ? real : b->name;
	struct cli_temp temp = { 0 };
	struct ctx_buf out = { 0 };
	int rc = make(b, &out, err);

	if (rc == 0)
		rc = cli_temp_open(&temp, path, err);
	if (rc == 0)
		rc = set_mode(&temp, path, c, err);
	if (rc == 0 && ctx_fd_write(temp.fd, out.data, out.len) == -1)
		rc = ctx_fail_errno(err, errno, "cannot write");
	if (rc == 0)
		rc = cli_temp_replace(&temp, path, err);
	cli_temp_done(&temp);
	ctx_buf_done(&out);
	free(real);
	return rc;
}

void
cli_baseline_end(struct cli_findings *f, int complete)
{
	struct cli_baseline *b = &f->base;
	struct cli *c = f->cli;
	struct ctx_err err = { 0 };
	uint64_t n = stale(b);

	if (!b->write) {
		if (n > 0)
			cli_warn(c, "%s: %" PRIu64 " finding%s in it %s no "
			    "longer there; --baseline-write takes %s out",
			    b->name, n, CLI_S(n), n == 1 ? "is" : "are",
			    n == 1 ? "it" : "them");
	} else if (!complete)
		cli_error(c, c->worst, "%s: stays as it is, since not all could "
		    "be read", b->name);
	else if (write_all(b, c, &err) == -1)
		cli_report(c, b->name, &err);
	else
		cli_warn(c, "%s: %" PRIu64 " finding%s, %" PRIu64 " new, %"
		    PRIu64 " no longer there", b->name, b->nnow, CLI_S(b->nnow),
		    b->nnew, n);
}

void
cli_baseline_done(struct cli_baseline *b)
{
	ctx_buf_done(&b->old);
	free(b->line);
	ctx_strmap_done(&b->keys);
	free(b->left);
	ctx_strmap_done(&b->files);
	free(b->read);
	ctx_buf_done(&b->now);
}
