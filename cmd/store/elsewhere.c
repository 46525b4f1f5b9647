/* SPDX-License-Identifier: MIT */
/* A store that is no file is opened by a helper; see commands.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/helper.h"
#include "cmd/store/commands.h"

/* The value of the last --db before "--", else that of CTX_DB, or NULL. */
static const char *
database(int argc, char *argv[])
{
	const char *db = getenv("CTX_DB");
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--db=", 5) == 0)
			db = argv[i] + 5;
		else if (strcmp(argv[i], "--db") == 0 && i + 1 < argc)
			db = argv[++i];
	return db;
}

/* "import --dry-run" reads into a file of its own, and opens no other store. */
static int
is_dry_import(int argc, char *argv[])
{
	const char *command = NULL;
	int i, dry = 0;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--db") == 0)
			i++;
		else if (strcmp(argv[i], "--dry-run") == 0)
			dry = 1;
		else if (command == NULL && *argv[i] != '-')
			command = argv[i];
	return dry && command != NULL && strcmp(command, "import") == 0;
}

void
store_elsewhere(int argc, char *argv[])
{
	const char *db = database(argc, argv);
	struct ctx_buf path = { 0 }, dir = { 0 };

	if (db == NULL || !ctx_store_is_url(db) || is_dry_import(argc, argv))
		return;
	if (ctx_helper_find("ctx-store-pg", &path, NULL) == -1) {
		ctx_buf_done(&path);
		return;
	}
	/* it looks for other helpers where it is */
	ctx_buf_add(&dir, path.data, (size_t)(strrchr(path.data, '/') -
	    path.data));
	if (ctx_buf_str(&dir) != NULL) {
		setenv("CTX_LIBEXEC", dir.data, 0);
		execv(path.data, argv);
	}
	ctx_buf_done(&dir);
	ctx_buf_done(&path);
}
