/* SPDX-License-Identifier: MIT */
/* ctx-store - keep sessions: their messages, checkpoints, memory and files. */
#include "cmd/store/commands.h"

int
main(int argc, char *argv[])
{
	store_elsewhere(argc, argv);
	return store_main(argc, argv);
}
