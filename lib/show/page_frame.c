/* SPDX-License-Identifier: MIT */
/* What is around the messages of a page; see page.h. */
#include "show/page.h"

#include "base/base64.h"
#include "base/sha256.h"
#include "show/html.h"

static const unsigned char style[] = {
#include "show/page.css.inc"
};
static const unsigned char script[] = {
#include "show/page.js.inc"
};

/*
 * Append 'sha256-...', by which the policy knows what the page has: a and then
 * b.
 */
static void
put_hash(struct ctx_buf *out, struct ctx_str a, struct ctx_str b)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sum;

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, a.p, a.len);
	ctx_sha256_update(&sum, b.p, b.len);
	ctx_sha256_final(&sum, digest);
	ctx_buf_adds(out, "'sha256-");
	ctx_base64_encode(out, digest, sizeof(digest));
	ctx_buf_adds(out, "'");
}

static struct ctx_str
title_of(const struct ctx_page *p)
{
	struct ctx_str s = { p->title, 0 };

	if (s.p == NULL)
		s.p = "Message history";
	s.len = (uint32_t)strlen(s.p);
	return s;
}

static void
put_head(struct ctx_buf *out, const struct ctx_page *p)
{
	const struct ctx_str css = { (const char *)style, sizeof(style) },
	    js = { (const char *)script, sizeof(script) }, none = { "", 0 },
	    pictures = ctx_picture_style();

	ctx_buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; img-src data:; style-src ");
	put_hash(out, css, pictures);
	ctx_buf_adds(out, "; script-src ");
	put_hash(out, js, none);
	ctx_buf_adds(out, "; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n"
	    "<meta name=\"generator\" content=\"ctx\">\n"
	    "<title>");
	ctx_html_line(out, title_of(p));
	ctx_buf_adds(out, "</title>\n<style>");
	ctx_buf_add(out, css.p, css.len);
	ctx_buf_add(out, pictures.p, pictures.len);
	ctx_buf_adds(out, "</style>\n</head>\n");
}

/* What is for the script is shown by it. */
static void
put_tools(struct ctx_buf *out)
{
	ctx_buf_adds(out, "<div class=\"tools\" id=\"tools\" hidden>\n"
	    "<form role=\"search\" id=\"search\"><label for=\"q\">Search"
	    "</label><input id=\"q\" type=\"search\" autocomplete=\"off\" "
	    "spellcheck=\"false\" placeholder=\"press / to search\">"
	    "<output id=\"found\" for=\"q\"></output>"
	    "<button type=\"button\" id=\"prev\">Previous</button>"
	    "<button type=\"button\" id=\"next\">Next</button></form>\n"
	    "<button type=\"button\" id=\"unfold\">Unfold all</button>\n"
	    "<button type=\"button\" id=\"theme\">Dark</button>\n"
	    "<button type=\"button\" id=\"keys\">Keys</button>\n"
	    "</div>\n");
}

/* Append "1 message, 2 tokens" of one of the histories that were compared. */
static void
put_sum(struct ctx_buf *out, const struct ctx_became_sum *sums, int new)
{
	uint64_t messages = 0, tokens = 0;
	int k;

	for (k = 0; k < CTX_BECAME_N; k++) {
		messages += sums[k].messages[new];
		tokens += sums[k].tokens[new];
	}
	ctx_html_count(out, messages, "message");
	ctx_buf_adds(out, ", ");
	ctx_html_count(out, tokens, "token");
}

/* Append "1 message, 2 tokens (exact: o200k_base)", and what a filter left. */
static void
put_about(struct ctx_buf *out, const struct ctx_page *p)
{
	const struct ctx_became_sum *sums = p->picture->sums;

	if (sums != NULL)
		put_sum(out, sums, 0);
	else {
		ctx_html_count(out, p->messages, "message");
		ctx_buf_adds(out, ", ");
		ctx_html_count(out, p->tokens, "token");
	}
	if (p->counted != NULL) {
		ctx_buf_adds(out, " (");
		ctx_html_line(out, (struct ctx_str){ p->counted,
		    (uint32_t)strlen(p->counted) });
		ctx_buf_addc(out, ')');
	}
	if (sums != NULL) {
		ctx_buf_adds(out, "; left are ");
		put_sum(out, sums, 1);
	}
	ctx_buf_addc(out, '.');
}

static void
put_top(struct ctx_buf *out, const struct ctx_page *p)
{
	ctx_buf_adds(out, "<body>\n<a class=\"skip\" href=\"#transcript\">"
	    "To the transcript</a>\n<header class=\"top\">\n<h1 dir=\"auto\">");
	ctx_html_line(out, title_of(p));
	ctx_buf_adds(out, "</h1>\n<p>");
	if (p->stop == NULL)
		put_about(out, p);
	else
		ctx_buf_add(out, p->about.data, p->about.len);
	ctx_buf_adds(out, p->redacted ? " Secrets that were found are "
	    "replaced with [REDACTED:\u2026], and so counted.</p>\n</header>\n" :
	    "</p>\n</header>\n");
	put_tools(out);
}

/* The pictures: the bar always, the others behind lines that open them. */
static int
put_pictures(struct ctx_buf *out, const struct ctx_page *p, struct ctx_err *err)
{
	struct ctx_picture *of = p->picture;

	ctx_buf_adds(out, "<section class=\"pictures\" "
	    "aria-label=\"Tokens\">\n");
	if (ctx_picture_put(of, CTX_PICTURE_BAR, 0, out, err) == -1 ||
	    ctx_picture_notes(of, out, err) == -1)
		return -1;
	ctx_buf_adds(out, "<details><summary>Tokens by tool, file and turn"
	    "</summary>\n");
	if (ctx_picture_put(of, CTX_PICTURE_TREEMAP, 0, out, err) == -1 ||
	    ctx_picture_legend(of, out, err) == -1)
		return -1;
	ctx_buf_adds(out, "</details>\n<details><summary>The window over turns"
	    "</summary>\n");
	if (ctx_picture_put(of, CTX_PICTURE_PLOT, 0, out, err) == -1)
		return -1;
	ctx_buf_adds(out, "</details>\n</section>\n");
	return 0;
}

static void
put_nav(struct ctx_buf *out, const struct ctx_page *p)
{
	const char *name = p->stop == NULL ? "Turns" : "Changes";

	if (p->nav.len == 0)
		return;
	ctx_buf_addf(out, "<nav aria-label=\"%s\">\n<details><summary>%s"
	    "</summary>\n<ol>\n", name, name);
	ctx_buf_add(out, p->nav.data, p->nav.len);
	ctx_buf_adds(out, "</ol>\n</details>\n</nav>\n");
}

/* Say why there is no message. */
static void
put_none(struct ctx_buf *out, const struct ctx_page *p)
{
	size_t n = p->stop == NULL ? p->picture->nmark : 0;

	ctx_buf_adds(out, "<p class=\"none\">Nothing to show: ");
	if (n == 0)
		ctx_buf_adds(out, "no message was read");
	else {
		ctx_buf_adds(out, "none of ");
		ctx_html_count(out, n, "message");
		ctx_buf_adds(out, " was selected");
	}
	ctx_buf_adds(out, ".</p>\n");
}

static void
put_help(struct ctx_buf *out, const struct ctx_page *p)
{
	ctx_buf_addf(out, "<dialog id=\"help\" aria-labelledby=\"help-h\">"
	    "<h2 id=\"help-h\">Keys</h2>\n<dl>"
	    "<dt>j, k</dt><dd>next, previous message</dd>"
	    "<dt>], [</dt><dd>next, previous %s</dd>"
	    "<dt>/</dt><dd>search</dd>"
	    "<dt>n, p</dt><dd>next, previous match</dd>"
	    "<dt>o</dt><dd>fold or unfold the message</dd>"
	    "<dt>u</dt><dd>unfold or fold all</dd>"
	    "<dt>c</dt><dd>copy the message\u2019s JSON</dd>"
	    "<dt>d</dt><dd>dark or light</dd>"
	    "<dt>?</dt><dd>this list</dd></dl>\n"
	    "<form method=\"dialog\"><button>Close</button></form></dialog>\n"
	    "<div id=\"say\" role=\"status\"></div>\n",
	    p->stop == NULL ? "turn" : p->stop);
}

int
ctx_page_end(struct ctx_page *p, ctx_page_fn *write, void *arg,
    struct ctx_err *err)
{
	struct ctx_buf top = { 0 }, end = { 0 };
	int rc = -1;

	put_head(&top, p);
	put_top(&top, p);
	if (p->stop != NULL)
		ctx_buf_add(&top, p->charts.data, p->charts.len);
	else if (p->picture->nmark > 0 && put_pictures(&top, p, err) == -1)
		goto done;
	put_nav(&top, p);
	ctx_buf_adds(&top, "<main id=\"transcript\" tabindex=\"-1\">\n");
	if (p->body.len == 0)
		put_none(&top, p);
	ctx_buf_adds(&end, p->messages > 0 ? "</div>\n" : "");
	ctx_buf_adds(&end, "</main>\n");
	put_help(&end, p);
	ctx_buf_adds(&end, "<script>");
	ctx_buf_add(&end, script, sizeof(script));
	ctx_buf_adds(&end, "</script>\n</body>\n</html>\n");
	if (ctx_buf_fail(&top, err) == 0 && ctx_buf_fail(&end, err) == 0 &&
	    write(arg, top.data, top.len, err) == 0 &&
	    write(arg, p->body.data, p->body.len, err) == 0)
		rc = write(arg, end.data, end.len, err);
done:
	ctx_buf_done(&top);
	ctx_buf_done(&end);
	return rc;
}
