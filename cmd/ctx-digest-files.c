/* SPDX-License-Identifier: MIT */
/* ctx-digest-files - one line for a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "cli_cost.h"
#include "digest-files-load.h"
#include "digest/digest.h"
#include "digest/line.h"
#include "digest/title.h"
#include "digest/walk.h"

enum { AS = CLI_LONG, JSON, LANG, MIN, WIDTH, ALL };

static const struct cli_opt opts[] = {
	{ 'r', "recursive", NULL, "digest the files of folders" },
	{ ALL, "all", NULL, "with -r: also what .gitignore leaves out" },
	{ AS, "as", "HOW", "what to write: line or list" },
	{ JSON, "json", NULL, "write an object for each file" },
	{ LANG, "lang", "NAME", "language of the words: en or zh" },
	{ MIN, "min", "N", "leave out files of fewer than N bytes" },
	{ WIDTH, "width", "N", "characters a line should have (240)" },
	{ 'm', "model", "NAME", "with --json: count tokens for this model" },
	{ 'e', "encoding", "NAME", "with --json: count with this tokenizer" },
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-digest-files",
	"[-qv] [-r] [-e NAME] [-m NAME] [--all] [--as HOW] [--json] "
	    "[--lang NAME] [--min N] [--width N] FILE ...",
	"Say in one line what a file is and what is in it.",
	opts
};

static const char *const langs[] = { "en", "zh", NULL };

struct files {
	struct cli *cli;
	struct ctx_digest digest;
	struct load load;
	struct ctx_buf out;
	struct cli_cost cost;
	enum ctx_digest_lang lang;
	uint64_t min, width, count, bytes;
	int recursive, all, json, list;
};

/*
 * The list of code files, as the agents of needs.md D4 know it; the id of a
 * file in their code store is its name without the extension.
 */
static const char *const list_head[] = {
	[CTX_EN] = "Code files available:\n",
	[CTX_ZH] = "可用代码文件列表：\n"
};
static const char *const list_tail[] = {
	[CTX_EN] = "\nIn the final report, the tag <code_ref>{code_id}"
	    "</code_ref> refers to this code.\n",
	[CTX_ZH] = "\n你可以通过 <code_ref>{code_id}</code_ref> "
	    "标签在最终报告中引用这些代码。\n"
};

/* What a file is for: its first heading, or its first comment. */
static size_t
describe(const struct files *f, const char **text)
{
	const struct ctx_digest *d = &f->digest;
	const struct ctx_name *v = d->names.v;
	size_t i;

	for (i = 0; i < d->names.n; i++)
		if (v[i].list == CTX_HEADINGS) {
			*text = ctx_name_text(&d->names, &v[i]);
			return v[i].len;
		}
	return d->lang == NULL ? 0 :
	    ctx_title(d->lang, f->load.data, f->load.len, text);
}

static int
write_list_item(struct files *f)
{
	const struct ctx_digest *d = &f->digest;
	const char *base = strrchr(d->name, '/'), *dot, *title = NULL;
	size_t n;

	if (d->lang == NULL && d->kind != CTX_FILE_DATA)
		return 0;
	base = base == NULL ? d->name : base + 1;
	dot = strrchr(base, '.');
	ctx_buf_adds(&f->out, f->count++ == 0 ? list_head[f->lang] : "");
	ctx_buf_adds(&f->out, "- ");
	ctx_name_clean(&f->out, base, dot == NULL || dot == base ?
	    strlen(base) : (size_t)(dot - base), f->width);
	ctx_buf_addf(&f->out, " (%s)", d->type);
	n = describe(f, &title);
	if (n > 0) {
		ctx_buf_adds(&f->out, " - ");
		ctx_name_clean(&f->out, title, n, f->width);
	}
	return ctx_buf_addc(&f->out, '\n');
}

static int
write_json(struct files *f, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	uint64_t tokens;

	ctx_buf_addc(&f->out, '{');
	ctx_digest_json(&f->digest, &f->out);
	ctx_buf_addf(&f->out, ",\"sha256\":\"%s\"",
	    ctx_sha256_hex(f->load.data, f->load.len, hash));
	if (f->digest.text) {
		if (ctx_counter_text(&f->cost.counter, f->load.data,
		    f->load.len, &tokens, err) == -1)
			return -1;
		ctx_buf_addf(&f->out, ",\"tokens\":%" PRIu64, tokens);
	}
	return ctx_buf_adds(&f->out, "}\n");
}

/* One file.  -1 with *err: memory, or standard output. */
static int
one_file(const char *path, void *arg, struct ctx_err *err)
{
	struct files *f = arg;
	struct ctx_err why = { 0 };

	if (load_file(&f->load, path, &why) == -1) {
		cli_report(f->cli, path, &why);
		return 0;
	}
	if (f->load.len < f->min)
		return 0;
	f->bytes += f->load.len;
	ctx_buf_reset(&f->out);
	if (ctx_digest_make(&f->digest, path, f->load.data, f->load.len, NULL,
	    err) == -1)
		return -1;
	if (f->list)
		write_list_item(f);
	else {
		f->count++;
		if (f->json)
			write_json(f, err);
		else {
			ctx_digest_line(&f->digest, f->lang, f->width,
			    &f->out);
			ctx_buf_addc(&f->out, '\n');
		}
	}
	if (err->code != CTX_OK || ctx_buf_fail(&f->out, err) == -1)
		return -1;
	if (fwrite(f->out.data, 1, f->out.len, stdout) != f->out.len)
		return ctx_fail_errno(err, errno, "standard output");
	return 0;
}

static void
trouble(const char *path, void *arg, const struct ctx_err *err)
{
	struct files *f = arg;

	cli_report(f->cli, path, err);
}

static int
one_operand(struct files *f, const char *path, struct ctx_err *err)
{
	struct ctx_walk walk = { one_file, trouble, f, f->all };
	struct stat st;

	if (f->recursive && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ctx_walk_tree(&walk, path, err);
	return one_file(path, f, err);
}

static void
from_environment(struct files *f, struct cli *c)
{
	const char *v = getenv("CTX_LANG");

	if (v == NULL || *v == '\0')
		return;
	if (strcmp(v, "zh") != 0 && strcmp(v, "en") != 0)
		cli_usage(c, "CTX_LANG must be en or zh");
	f->lang = *v == 'z' ? CTX_ZH : CTX_EN;
}

static void
take_option(struct files *f, struct cli *c, int ch)
{
	static const char *const forms[] = { "line", "list", NULL };

	switch (ch) {
	case 'r':
		f->recursive = 1;
		break;
	case ALL:
		f->all = 1;
		break;
	case AS:
		f->list = cli_word(c, forms);
		break;
	case JSON:
		f->json = 1;
		break;
	case LANG:
		f->lang = (enum ctx_digest_lang)cli_word(c, langs);
		break;
	case MIN:
		f->min = cli_num(c, 0, UINT64_MAX);
		break;
	case WIDTH:
		f->width = cli_num(c, 20, UINT32_MAX);
		break;
	default:
		cli_cost_opt(&f->cost, c, ch);
	}
}

int
main(int argc, char *argv[])
{
	struct files f = { .width = CTX_LINE_WIDTH };
	struct ctx_err err = { 0 };
	struct cli cli;
	int ch, i;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&f.cost);
	f.cli = &cli;
	from_environment(&f, &cli);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&f, &cli, ch);
	if (f.json && f.list)
		cli_usage(&cli, "--json and --as list are two things");
	if (cli.nfile == 0)
		cli_usage(&cli, "no file given");
	if (f.json)
		cli_cost_open(&f.cost, &cli);
	for (i = 0; i < cli.nfile && err.code == CTX_OK; i++)
		one_operand(&f, cli.file[i], &err);
	if (err.code != CTX_OK)
		cli_report(&cli, NULL, &err);
	if (f.list && f.count > 0)
		fputs(list_tail[f.lang], stdout);
	if (cli.verbose)
		fprintf(stderr, "%s: %" PRIu64 " files, %" PRIu64 " bytes\n",
		    cmd.name, f.count, f.bytes);
	cli_cost_done(&f.cost);
	ctx_digest_done(&f.digest);
	load_done(&f.load);
	ctx_buf_done(&f.out);
	return cli_end(&cli);
}
