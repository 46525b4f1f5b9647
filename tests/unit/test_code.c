/* SPDX-License-Identifier: MIT */
/* Fences and references in texts written by hand. */
#include <stdlib.h>

#include "check.h"
#include "decide/code.h"

/* Find blocks: the text, the language and the code of the first one. */
static const struct {
	const char *text;
	const char *block, *lang, *code;	/* of the first, or NULL */
	size_t blocks;				/* number of complete blocks */
} fences[] = {
	{ "```python\nx\n```\n", "```python\nx\n```", "python", "x\n", 1 },
	{ "a\n```py\nx\n\ny\n```", "```py\nx\n\ny\n```", "py", "x\n\ny\n", 1 },
	{ "~~~ js\nx\n~~~~  \nz", "~~~ js\nx\n~~~~", "js", "x\n", 1 },
	{ "```\n```\n", "```\n```", "", "", 1 },
	{ "````md\n```c\nx\n```\n````\n", "````md\n```c\nx\n```\n````", "md",
	    "```c\nx\n```\n", 1 },
	{ "```c\n~~~\n```\n", "```c\n~~~\n```", "c", "~~~\n", 1 },
	{ "```c\n``` x\n```\n", "```c\n``` x\n```", "c", "``` x\n", 1 },
	{ "1. a\n   ```sh\n   ls\n\n     pwd\n   ```\n",
	    "```sh\n   ls\n\n     pwd\n   ```", "sh", "ls\n\n  pwd\n", 1 },
	{ "\t```c\n\tx\n\t```\n", "```c\n\tx\n\t```", "c", "x\n", 1 },
	{ "```c\n    ```\n```\n", "```c\n    ```\n```", "c", "    ```\n", 1 },
	{ "```c\r\nx\r\n```\r\n", "```c\r\nx\r\n```", "c", "x\r\n", 1 },
	{ "```c title=\"a b\"\nx\n```", "```c title=\"a b\"\nx\n```", "c",
	    "x\n", 1 },
	{ "```{r}\nx\n```", "```{r}\nx\n```", "", "x\n", 1 },
	{ "```a\n1\n```\n```b\n2\n```\n", "```a\n1\n```", "a", "1\n", 2 },
	{ "```c\nx\n", NULL, NULL, NULL, 0 },	/* has no end */
	{ "```c\nx\n~~~\n", NULL, NULL, NULL, 0 },
	{ "```a`b\nx\n```\n", NULL, NULL, NULL, 0 },
	{ "``c\nx\n``\n", NULL, NULL, NULL, 0 },
	{ "text ```c\n", NULL, NULL, NULL, 0 },
	{ "", NULL, NULL, NULL, 0 },
};

static void
check_fence(size_t i)
{
	const char *text = fences[i].text;
	struct ctx_buf code = { 0 };
	struct ctx_code_fence f;
	size_t pos = 0, n = 0;

	while (ctx_code_fence_next(text, strlen(text), &pos, &f)) {
		if (f.open || n++ > 0)
			continue;
		CHECK_MEM(text + f.from, f.to - f.from, fences[i].block);
		CHECK_MEM(text + f.info, f.lang, fences[i].lang);
		ctx_code_fence_take(text, &f, &code);
		CHECK_MEM(code.data != NULL ? code.data : "", code.len,
		    fences[i].code);
	}
	CHECK_INT(n, fences[i].blocks);
	ctx_buf_done(&code);
}

static const struct {
	const char *indent, *lang, *code, *block;
} puts_[] = {
	{ "", "python", "x\n", "```python\nx\n```" },
	{ "", "c", "x", "```c\nx\n```" },
	{ "", "c", "", "```c\n```" },
	{ "  ", "sh", "a\n\nb\n", "```sh\n  a\n\n  b\n  ```" },
	{ "", "md", "```\nx\n````\n", "`````md\n```\nx\n````\n`````" },
	{ "", "c", "    ```\n", "```c\n    ```\n```" },
	{ "", "c", "x\r\ny\r\n", "```c\r\nx\r\ny\r\n```" },
};

static const struct {
	const char *text, *id;		/* NULL: there is none */
	int is;				/* and the text has nothing else */
} refs[] = {
	{ "<code_ref>a</code_ref>", "a", 1 },
	{ "see <code_ref>code_x-1.2@3</code_ref>.", "code_x-1.2@3", 0 },
	{ "<code_ref><code_ref>b</code_ref>", "b", 0 },
	{ "<code_ref>{code_id}</code_ref>", NULL, 0 },
	{ "<code_ref></code_ref>", NULL, 0 },
	{ "<code_ref>../x</code_ref>", NULL, 0 },
	{ "<code_ref>a b</code_ref>", NULL, 0 },
	{ "<code_ref>a", NULL, 0 },
	{ "<code_ref>a</code_re", NULL, 0 },
	{ "", NULL, 0 },
};

int
main(void)
{
	struct ctx_buf out = { 0 };
	struct ctx_code_ref r;
	size_t i, pos;
	int found;

	TEST("fences are found");
	for (i = 0; i < sizeof(fences) / sizeof(fences[0]); i++)
		check_fence(i);
	TEST("fences are written");
	for (i = 0; i < sizeof(puts_) / sizeof(puts_[0]); i++) {
		ctx_buf_reset(&out);
		ctx_code_fence_put(&out, puts_[i].indent,
		    strlen(puts_[i].indent), puts_[i].lang, puts_[i].code,
		    strlen(puts_[i].code));
		CHECK_MEM(out.data, out.len, puts_[i].block);
	}
	TEST("references");
	for (i = 0; i < sizeof(refs) / sizeof(refs[0]); i++) {
		pos = 0;
		found = ctx_code_ref_next(refs[i].text, strlen(refs[i].text),
		    &pos, &r);
		CHECK_INT(found, refs[i].id != NULL);
		if (found && refs[i].id != NULL)
			CHECK_MEM(refs[i].text + r.id, r.idlen, refs[i].id);
		CHECK_INT(ctx_code_ref_is(refs[i].text,
		    strlen(refs[i].text)), refs[i].is);
	}
	ctx_buf_done(&out);
	return CHECK_DONE("code");
}
