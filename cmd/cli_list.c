/* SPDX-License-Identifier: MIT */
/* Lists in a prompt; see cli_list.h. */
#include "cli_list.h"

#include <stdlib.h>
#include <string.h>

static const char *const head[][2] = {
	[CLI_LIST_CODE] = {
		[CTX_EN] = "Code files available:\n",
		[CTX_ZH] = "可用代码文件列表：\n"
	},
	[CLI_LIST_UPLOADS] = {
		[CTX_EN] = "Uploaded files available:\n",
		[CTX_ZH] = "可用上传文件列表：\n"
	}
};

static const char *const end[][2] = {
	[CLI_LIST_CODE] = {
		[CTX_EN] = "\nIn the final report, the tag "
		    "<code_ref>{code_id}</code_ref> refers to this code.\n",
		[CTX_ZH] = "\n你可以通过 <code_ref>{code_id}</code_ref> "
		    "标签在最终报告中引用这些代码。\n"
	},
	[CLI_LIST_UPLOADS] = {
		[CTX_EN] = "\nIn the final report, the tag "
		    "<file_ref>{file_id}</file_ref> refers to these files.\n",
		[CTX_ZH] = "\n你可以通过 <file_ref>{file_id}</file_ref> "
		    "标签在最终报告中引用这些文件。\n"
	}
};

const char *const cli_langs[] = { "en", "zh", NULL };

const char *
cli_list_head(enum cli_list of, enum ctx_wording lang)
{
	return head[of][lang];
}

const char *
cli_list_end(enum cli_list of, enum ctx_wording lang)
{
	return end[of][lang];
}

enum ctx_wording
cli_lang(const struct cli *c, enum ctx_wording otherwise)
{
	const char *v = getenv("CTX_LANG");

	if (v == NULL || *v == '\0')
		return otherwise;
	if (strcmp(v, "zh") != 0 && strcmp(v, "en") != 0)
		cli_usage(c, "CTX_LANG must be en or zh");
	return *v == 'z' ? CTX_ZH : CTX_EN;
}
