/* SPDX-License-Identifier: MIT */
/*
 * Outlines of short files.  In the expected text each definition has a line, with
 * a dot for each that it is in.
 */
#include "digest/outline.h"

#include "check.h"
#include "digest/digest.h"

static struct ctx_digest digest;
static struct ctx_outline outline;
static struct ctx_buf code;

static void
make(const char *name, const char *text, size_t width)
{
	struct ctx_err err = { 0 };

	digest.symbols.code = &code;
	CHECK_INT(ctx_digest_make(&digest, name, text, strlen(text), NULL,
	    &err), 0);
	CHECK(digest.lang != NULL);
	CHECK_INT(ctx_outline_make(&outline, digest.lang, &digest.names, &code,
	    width, &err), 0);
}

static void
check_outline(const char *name, size_t width, const char *text,
    const char *want)
{
	const struct ctx_outline_item *item;
	struct ctx_buf got = { 0 };
	uint32_t up;
	size_t i;

	make(name, text, width);
	for (i = 0; i < outline.n; i++) {
		item = &outline.item[i];
		for (up = item->up; up != 0; up = outline.item[up - 1].up)
			ctx_buf_addc(&got, '.');
		ctx_buf_add(&got, outline.text.data + item->sig, item->siglen);
		ctx_buf_addc(&got, '\n');
	}
	CHECK_STR(ctx_buf_str(&got), want);
	ctx_buf_done(&got);
}

static void
test_python(void)
{
	check_outline("a.py", 100, "import os\n"
	    "class Store(Base):  # kept: here\n"
	    "    \"\"\"Text with def fake(x):\n"
	    "and a line at the margin.\n\"\"\"\n"
	    "    def put(self, key: str, value=\"a b\") -> Dict[str, int]:\n"
	    "        def inner(): pass\n"
	    "    async def get(\n        self,\n        key,\n    ):\n"
	    "        pass\n"
	    "if os:\n"
	    "    def late(a, b={1: 2}, *c, **d): return a\n",
	    "class Store(Base)\n"
	    ".def put(self, key: str, value=\"…\") -> Dict[str, int]\n"
	    "..def inner()\n"
	    ".async def get(self, key,)\n"
	    "def late(a, b={1: 2}, *c, **d)\n");
}

static void
test_c(void)
{
	check_outline("a.c", 100, "#include <a.h>\n"
	    "static inline int\nput(struct s *s, int n)\n{\n\treturn n;\n}\n"
	    "extern const char *name(void) { return \"x\"; }\n"
	    "struct s {\n\tint a;\n\tstruct t { int b; } c;\n};\n"
	    "typedef struct {\n\tint x;\n} point;\n"
	    "void GNU_style (int a,\n                int b)\n{\n}\n",
	    "put(struct s *s, int n)\n"
	    "const char *name(void)\n"
	    "struct s\n"
	    ".struct t\n"
	    "typedef point\n"
	    "void GNU_style (int a, int b)\n");
	check_outline("a.h", 100, "int put(struct s *, int);\n"
	    "typedef int (*compare)(const void *, const void *);\n",
	    "int put(struct s *, int)\n"
	    "typedef int (*compare)(const void *, const void *)\n");
}

static void
test_java_and_scripts(void)
{
	check_outline("A.java", 100, "public final class A extends B {\n"
	    "    private static final int N = 1;\n"
	    "    public A(int n) { }\n"
	    "    @Override\n    public String toString() throws E {\n    }\n"
	    "    interface I { void call(int n); }\n}\n",
	    "class A extends B\n"
	    ".A(int n)\n"
	    ".String toString() throws E\n"
	    ".void call(int n)\n"
	    ".interface I\n");
	check_outline("a.js", 100, "export default class A extends B {\n"
	    "  constructor(a, b = 'x y') { }\n}\n"
	    "const add = (a, b) => a + b;\n"
	    "export async function run({a, b}) { }\n",
	    "class A extends B\n"
	    ".constructor(a, b = '…')\n"
	    "const add = (a, b)\n"
	    "async function run({a, b})\n");
	check_outline("a.cpp", 100, "class A : public B {\npublic:\n"
	    "  void f() const { }\n};\n"
	    "int A::g(int a)\n{\n}\n",
	    "class A : public B\n"
	    ".void f() const\n"
	    "int A::g(int a)\n");
	check_outline("a.go", 100, "func (s *S) Do(f func(int) error) (int, error) "
	    "{\n}\ntype S struct {\n\ta int\n}\n",
	    "func (s *S) Do(f func(int) error) (int, error)\n"
	    "type S struct\n");
	check_outline("a.sh", 100, "build() {\n\t:\n}\n", "build()\n");
	check_outline("a.el", 100, "(defun greet (name)\n  (message name))\n",
	    "(defun greet (name)\n");
}

/* Long ones lose parameters, or else their end. */
static void
test_width(void)
{
	check_outline("a.py", 24, "def f(alpha, beta, gamma, delta):\n  pass\n",
	    "def f(alpha, beta, …)\n");
	check_outline("a.py", 24, "def f(alpha, beta, gamma):\n  pass\n",
	    "def f(alpha, beta, …)\n");
	check_outline("a.py", 24, "def f(alpha, beta, gam):\n  pass\n",
	    "def f(alpha, beta, gam)\n");
	check_outline("a.py", 24, "def f(a_single_parameter_that_is_long):\n"
	    "  pass\n", "def f(a_single_paramete…\n");
}

/* Parentheses that are never closed, and other damage. */
static void
test_damaged(void)
{
	check_outline("a.py", 100, "def f(a,\n", "def f(a\n");
	check_outline("a.py", 100, "def f", "def f\n");
	check_outline("a.py", 100, "class \xff\xfe:\n", "��\n");
	check_outline("a.py", 100, "", "");
}

/* A line as minifiers write it: names without signatures, in linear time. */
static void
test_long_line(void)
{
	struct ctx_buf text = { 0 };
	int i;

	for (i = 0; i < 20000; i++)
		ctx_buf_addf(&text, "function f%d(a,b){return f%d(b)};", i,
		    i + 1);
	make("a.js", ctx_buf_str(&text), 100);
	CHECK_INT(outline.n, 20000);
	CHECK_INT(outline.item[19999].siglen, 6);
	CHECK_MEM(outline.text.data + outline.item[19999].sig, 6, "f19999");
	ctx_buf_reset(&text);
	for (i = 0; i < 500; i++)	/* 7 kB: each has its own */
		ctx_buf_addf(&text, "function a%d(){};", i % 10);
	make("a.js", ctx_buf_str(&text), 100);
	CHECK_INT(outline.n, 500);
	CHECK_MEM(outline.text.data + outline.item[7].sig,
	    outline.item[7].siglen, "function a7()");
	ctx_buf_done(&text);
}

static uint32_t
uses(const char *name, const char *text, const char *definition)
{
	size_t i, k;

	make(name, text, 100);
	for (i = 0; i < outline.n; i++)
		if (memcmp(outline.text.data + outline.item[i].sig, definition,
		    strlen(definition)) == 0)
			for (k = 0; k < outline.nword; k++)
				if (outline.word[k].hash ==
				    outline.item[i].hash)
					return outline.word[k].n;
	return UINT32_MAX;
}

/* Words in code count, those in comments and strings do not. */
static void
test_words(void)
{
	CHECK_INT(uses("a.py", "def load(a):\n    pass\n", "def load"), 0);
	CHECK_INT(uses("a.py", "def load(a):\n    load(1)\n    x.load\n",
	    "def load"), 2);
	CHECK_INT(uses("a.py", "def load(a):\n    # load\n"
	    "    return 'load or not', reload, loads\n", "def load"), 0);
	CHECK_INT(uses("a.c", "int load(int a)\n{\n\t/* load */ load(1);\n}\n",
	    "int load"), 1);
	make("a.py", "def one(a):\n    return a + b\ndef two():\n    pass\n", 99);
	CHECK_INT(outline.item[0].words, 6);	/* def one a return a b */
	CHECK_INT(outline.item[1].words, 3);
}

int
main(void)
{
	RUN(test_python());
	RUN(test_c());
	RUN(test_java_and_scripts());
	RUN(test_width());
	RUN(test_damaged());
	RUN(test_long_line());
	RUN(test_words());
	ctx_outline_done(&outline);
	ctx_digest_done(&digest);
	ctx_buf_done(&code);
	return CHECK_DONE("outline");
}
