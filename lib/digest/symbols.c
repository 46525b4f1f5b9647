/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/regex.h"
#include "digest/reduce.h"
#include "digest/scope.h"
#include "digest/symbols.h"

#define STACK_MAX	((size_t)512 << 10)	/* for the compiled patterns */
#define MATCH_MAX	2000000			/* PCRE2's unit of work */
#define FAIL_MAX	16	/* searches per file that may hit a limit */

/*
 * What the rows of the table refer to by name: (...), <...> and {...}.  Their
 * depth and length are limited, because a text of nothing but open parentheses
 * must not be read to its end from each of them.
 */
#define PAIR(n, o, c, x) \
	"(?<" n ">" o x "{0,900}+(?:(?&" n "1)" x "{0,900}+){0,40}+" c ")" \
	"(?<" n "1>" o x "{0,500}+(?:(?&" n "2)" x "{0,500}+){0,20}+" c ")" \
	"(?<" n "2>" o x "{0,300}+(?:(?&" n "3)" x "{0,300}+){0,10}+" c ")" \
	"(?<" n "3>" o x "{0,200}+" c ")"
#define COMMON	"(?(DEFINE)" PAIR("P", "\\(", "\\)", "[^()]") \
	PAIR("A", "<", ">", "[^<>;{}]") PAIR("B", "\\{", "\\}", "[^{}]") ")"

struct ctx_patterns {
	pcre2_code *scope;
	pcre2_code *find[CTX_LANG_FINDS];
	int ready;
};

struct ctx_matcher {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_compile_context *compile;
	pcre2_jit_stack *stack;
};

static int
matcher_new(struct ctx_symbols *s)
{
	struct ctx_matcher *m;

	if (s->matcher != NULL)
		return 0;
	if ((m = calloc(1, sizeof(*m))) == NULL)
		return -1;
	s->matcher = m;
	m->data = pcre2_match_data_create(16, NULL);
	m->context = pcre2_match_context_create(NULL);
	m->stack = pcre2_jit_stack_create(32 << 10, STACK_MAX, NULL);
	m->compile = ctx_regex_context();
	s->patterns = calloc(ctx_langs_n, sizeof(*s->patterns));
	if (m->data == NULL || m->context == NULL || m->stack == NULL ||
	    m->compile == NULL || s->patterns == NULL) {
		ctx_symbols_done(s);
		return -1;
	}
	pcre2_set_match_limit(m->context, MATCH_MAX);
	pcre2_jit_stack_assign(m->context, NULL, m->stack);
	return 0;
}

static pcre2_code *
compile(struct ctx_symbols *s, const char *pattern, struct ctx_err *err)
{
	struct ctx_buf *text = &s->text;
	pcre2_code *code;
	PCRE2_SIZE at;
	int why;

	ctx_buf_reset(text);
	ctx_buf_addf(text, "(?:%s)", pattern);
	if (strstr(pattern, "(?&") != NULL)
		ctx_buf_adds(text, COMMON);
	if (ctx_buf_fail(text, err) == -1)
		return NULL;
	code = pcre2_compile((PCRE2_SPTR)text->data, text->len,
	    PCRE2_MULTILINE, &why, &at, s->matcher->compile);
	if (code == NULL && why == PCRE2_ERROR_HEAP_FAILED)
		ctx_fail_nomem(err);
	else if (code == NULL)
		ctx_fail(err, CTX_ERANGE, "pattern error %d at %zu in %.150s",
		    why, at, pattern);
	else if (ctx_regex_jit(code, PCRE2_JIT_COMPLETE) == -1) {
		ctx_fail_nomem(err);
		pcre2_code_free(code);
		code = NULL;
	}
	return code;
}

static struct ctx_patterns *
patterns_of(struct ctx_symbols *s, const struct ctx_lang *lang,
    struct ctx_err *err)
{
	struct ctx_patterns *p = &s->patterns[lang - ctx_langs];
	size_t i;

	if (p->ready)
		return p;
	if (lang->scope != NULL && p->scope == NULL &&
	    (p->scope = compile(s, lang->scope, err)) == NULL)
		return NULL;
	for (i = 0; i < CTX_LANG_FINDS && lang->find[i].pattern != NULL; i++)
		if (p->find[i] == NULL && (p->find[i] =
		    compile(s, lang->find[i].pattern, err)) == NULL)
			return NULL;
	p->ready = 1;
	return p;
}

struct scope_arg {
	struct ctx_matcher *m;
	pcre2_code *code;
	int failed;		/* out of memory */
};

/* The first group of the pattern is an anonymous class, the second an enum. */
static enum ctx_scope_kind
is_scope(void *arg, const char *head, size_t len)
{
	struct scope_arg *a = arg;
	int rc = pcre2_match(a->code, (PCRE2_SPTR)head, len, 0, 0, a->m->data,
	    a->m->context);

	a->failed |= rc == PCRE2_ERROR_NOMEMORY;
	return rc == 2 ? CTX_SCOPE_UNNAMED : rc > 2 ? CTX_SCOPE_ENUM :
	    rc == 1 ? CTX_SCOPE_NAMED : CTX_SCOPE_NONE;
}

static uint32_t
newlines(const char *p, const char *end)
{
	uint32_t n = 0;

	for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		n++;
	return n;
}

static int
search(struct ctx_symbols *s, pcre2_code *code, enum ctx_list list,
    struct ctx_names *names, struct ctx_err *err)
{
	struct ctx_matcher *m = s->matcher;
	const char *text = s->text.data, *counted = text, *nl;
	size_t len = s->text.len, at = 0;
	const PCRE2_SIZE *v;
	uint32_t line = 1;
	int rc, fails = 0;

	while (at <= len) {
		rc = pcre2_match(code, (PCRE2_SPTR)text, len, at,
		    PCRE2_NO_UTF_CHECK, m->data, m->context);
		if (rc == PCRE2_ERROR_NOMATCH)
			break;
		if (rc == PCRE2_ERROR_NOMEMORY)
			return ctx_fail_nomem(err);
		if (rc < 0) {		/* a limit: continue at the next line */
			if (++fails > FAIL_MAX || (nl = memchr(text + at, '\n',
			    len - at)) == NULL)
				break;
			at = (size_t)(nl - text) + 1;
			continue;
		}
		v = pcre2_get_ovector_pointer(m->data);
		at = v[1] > at ? v[1] : at + 1;
		if (rc < 2)
			continue;
		v += 2 * (rc - 1);	/* the last group that is set */
		line += newlines(counted, text + v[0]);
		counted = text + v[0];
		if (ctx_names_add(names, list, counted, v[1] - v[0], line,
		    ctx_name_indented(text, counted)) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}

/* JavaScript and TypeScript. */
static int
find_script(struct ctx_symbols *s, struct ctx_names *names,
    const struct ctx_lang *lang, const char *src, size_t len,
    struct ctx_err *err)
{
	if (s->code != NULL && ctx_reduce(s->code, lang, src, len) == -1)
		return ctx_fail_nomem(err);
	if (ctx_ecma_find(&s->ecma, names, src, len,
	    (lang->flags & CTX_L_JSX) != 0) == -1)
		return ctx_fail_nomem(err);
	ctx_names_sort(names);
	return 0;
}

int
ctx_symbols_find(struct ctx_symbols *s, struct ctx_names *names,
    const struct ctx_lang *lang, const char *src, size_t len,
    struct ctx_err *err)
{
	struct ctx_patterns *p;
	struct scope_arg arg;
	size_t i;

	if (len > CTX_SYMBOLS_MAX)
		len = CTX_SYMBOLS_MAX;
	if (s->code != NULL)
		ctx_buf_reset(s->code);
	if (lang->flags & CTX_L_SCRIPT)
		return find_script(s, names, lang, src, len, err);
	if (matcher_new(s) == -1)
		return ctx_fail_nomem(err);
	if ((p = patterns_of(s, lang, err)) == NULL)
		return -1;
	ctx_buf_reset(&s->text);
	if (lang->flags & CTX_L_RAW)
		ctx_buf_add(&s->text, src, len);
	else
		ctx_reduce(&s->text, lang, src, len);
	if (ctx_buf_fail(&s->text, err) == -1 ||
	    ctx_buf_reserve(&s->text, 1) == -1)
		return ctx_fail_nomem(err);
	if (s->code != NULL &&
	    ctx_buf_add(s->code, s->text.data, s->text.len) == -1)
		return ctx_fail_nomem(err);
	if (p->scope != NULL) {
		arg.m = s->matcher;
		arg.code = p->scope;
		arg.failed = 0;
		s->text.len = ctx_scope(s->text.data, s->text.len, lang,
		    is_scope, &arg);
		if (arg.failed)
			return ctx_fail_nomem(err);
	}
	for (i = 0; i < CTX_LANG_FINDS && p->find[i] != NULL; i++)
		if (search(s, p->find[i], lang->find[i].list, names, err) == -1)
			return -1;
	ctx_names_sort(names);
	return 0;
}

void
ctx_symbols_done(struct ctx_symbols *s)
{
	size_t i, k;

	for (i = 0; s->patterns != NULL && i < ctx_langs_n; i++) {
		pcre2_code_free(s->patterns[i].scope);
		for (k = 0; k < CTX_LANG_FINDS; k++)
			pcre2_code_free(s->patterns[i].find[k]);
	}
	free(s->patterns);
	if (s->matcher != NULL) {
		pcre2_match_data_free(s->matcher->data);
		pcre2_match_context_free(s->matcher->context);
		pcre2_compile_context_free(s->matcher->compile);
		pcre2_jit_stack_free(s->matcher->stack);
		free(s->matcher);
	}
	ctx_ecma_done(&s->ecma);
	ctx_buf_done(&s->text);
	memset(s, 0, sizeof(*s));
}
