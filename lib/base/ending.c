/* SPDX-License-Identifier: MIT */
#include "base/ending.h"

#include <stddef.h>
#include <strings.h>

const char *
ctx_ending_of(const char *lang)
{
	static const struct {
		const char *lang, *ending;
	} known[] = {
		{ "python", "py" }, { "javascript", "js" }, { "html", "html" },
		{ "css", "css" }, { "sql", "sql" }, { "shell", "sh" },
		{ "bash", "sh" }, { "sh", "sh" }, { "markdown", "md" },
		{ "typescript", "ts" }, { "json", "json" }, { "yaml", "yaml" },
		{ "xml", "xml" }, { "r", "r" }, { "java", "java" },
		{ "c", "c" }, { "c++", "cpp" }, { "cpp", "cpp" },
		{ "go", "go" }, { "rust", "rs" }, { "php", "php" },
		{ "ruby", "rb" },
		/* other names that models use */
		{ "c/c++", "cpp" }, { "golang", "go" }, { "js", "js" },
		{ "md", "md" }, { "py", "py" }, { "python3", "py" },
		{ "rb", "rb" }, { "rs", "rs" }, { "shell/bash", "sh" },
		{ "ts", "ts" }, { "yml", "yaml" }, { "zsh", "sh" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcasecmp(known[i].lang, lang) == 0)
			return known[i].ending;
	return NULL;
}
