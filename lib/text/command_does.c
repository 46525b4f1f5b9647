/* SPDX-License-Identifier: MIT */
/* Whether a shell's command changes something; see command.h. */
#include "text/command.h"

/* The first row that fits decides. */
static const struct rule {
	const char *name;	/* programs */
	const char *sub;	/* and their first operands; NULL: any */
	enum ctx_command_does does;
} rules[] = {
	{ "git", "commit push pull merge rebase reset revert cherry-pick clone "
	    "checkout switch restore rm mv am apply clean init",
	    CTX_COMMAND_CHANGES },
	{ "git", NULL, CTX_COMMAND_SHOWS },
	{ "rm rmdir mv cp ln chmod chown patch rsync scp dd truncate",
	    NULL, CTX_COMMAND_CHANGES },
	{ "docker podman", "run exec build rm rmi kill tag",
	    CTX_COMMAND_CHANGES },
	{ "npm pnpm yarn bun", "ci i add link version", CTX_COMMAND_CHANGES },
	{ "make gmake ninja", "install deploy uninstall", CTX_COMMAND_CHANGES },
	{ "cd export set unset source . true : pwd mkdir touch sleep wait "
	    "pushd popd alias ulimit trap kill done fi for case esac exit "
	    "local umask ls dir find tree fd fdfind du df ps top wc stat file "
	    "which locate grep egrep fgrep zgrep rg ag ack cat bat batcat head "
	    "tail less more nl tac strings xxd hexdump od jq diff colordiff "
	    "awk gawk sort uniq cut tr column test [ [[ date id whoami uname "
	    "env printenv man type hash history echo printf sed perl "
	    "pytest py.test unittest tox nox jest vitest mocha "
	    "make gmake ninja cmake ctest meson cc c++ gcc g++ clang clang++ "
	    "tsc eslint ruff mypy flake8 pylint shellcheck", NULL,
	    CTX_COMMAND_SHOWS },
};

enum ctx_command_does
ctx_command_does(const struct ctx_command_one *one)
{
	struct ctx_shell_word sub = one->word[1];
	const struct rule *r = rules;

	if ((one->inplace && ctx_shell_among(one->word[0], "sed perl")) ||
	    (one->writes && ctx_shell_among(one->word[0], "cat echo printf sed awk jq")))
		return CTX_COMMAND_CHANGES;
	for (; r < rules + sizeof(rules) / sizeof(rules[0]); r++)
		if (ctx_shell_among(one->word[0], r->name) &&
		    (r->sub == NULL || ctx_shell_among(sub, r->sub)))
			return r->does;
	return CTX_COMMAND_MAY;
}
