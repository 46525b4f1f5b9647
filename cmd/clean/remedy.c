/* SPDX-License-Identifier: MIT */
/* The command that mends what ctx-clean --check found; see remedy.h. */
#include "clean/remedy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* More files than these are not listed. */
#define FILES_MAX	20

void
clean_remedy_done(struct clean_remedy *r)
{
	cli_args_done(&r->file);
}

void
clean_remedy_add(struct clean_remedy *r, const char *file, uint64_t mended,
    uint64_t skipped, struct cli *c)
{
	r->mended += mended;
	r->skipped += skipped;
	if (file == NULL || mended + skipped == 0)
		return;
	if (CTX_ROOM(r->file.v, r->file.n, &r->file.cap) == -1)
		cli_nomem(c);
	r->file.v[r->file.n++] = file;
}

/* Append a word as a shell takes it. */
static void
add_word(struct ctx_buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
	const char *p;

	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		ctx_buf_adds(b, word);
		return;
	}
	ctx_buf_addc(b, '\'');
	for (p = word; *p != '\0'; p++)
		if (*p == '\'')
			ctx_buf_adds(b, "'\\''");
		else
			ctx_buf_addc(b, *p);
	ctx_buf_addc(b, '\'');
}

static void
add_option(struct ctx_buf *b, const char *name, const char *arg)
{
	ctx_buf_addf(b, " --%s", name);
	if (arg != NULL) {
		ctx_buf_addc(b, '=');
		add_word(b, arg);
	}
}

/* Append the options that decide what is found and mended. */
static void
add_options(struct ctx_buf *b, const struct cli_args *patterns,
    const struct cli *c)
{
	static const char *const names[] = { "dialect", "by", "api", "model",
	    "unanswered", "keep-pending", "empty", "redact",
	    "redact-names", "redact-key" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cli_given(c, names[i]))
			add_option(b, names[i], cli_argument(c, names[i]));
	for (i = 0; i < patterns->n; i++)
		add_option(b, "pattern", patterns->v[i]);
}

/* Append a name, unless it has what must not reach a terminal or is very long. */
static void
add_file(struct ctx_buf *b, const char *name)
{
	char shown[1024];

	ctx_err_quote(shown, sizeof(shown), name, strlen(name));
	if (strcmp(shown, name) != 0)
		name = "FILE";
	/* a name is no option */
	ctx_buf_adds(b, name[0] == '-' ? " ./" : " ");
	add_word(b, name);
}

void
clean_remedy_print(const struct clean_remedy *r, uint64_t all,
    const struct cli_args *patterns, struct cli *c)
{
	struct ctx_buf b = { 0 };
	uint64_t n = r->mended + r->skipped;
	size_t i;

	if (n == 0 || c->quiet)
		return;
	ctx_buf_adds(&b, c->cmd->name);
	if (r->file.n > 0)
		ctx_buf_adds(&b, " -i");
	if (r->skipped > 0)
		ctx_buf_adds(&b, " --on-error skip");
	add_options(&b, patterns, c);
	for (i = 0; i < r->file.n && i < FILES_MAX; i++)
		add_file(&b, r->file.v[i]);
	if (i < r->file.n)
		ctx_buf_adds(&b, " ...");
	if (ctx_buf_str(&b) != NULL)
		cli_warn(c, "%" PRIu64 " of %" PRIu64 " finding%s can be mended: "
		    "%s", n, all, CLI_S(all), b.data);
	ctx_buf_done(&b);
}
