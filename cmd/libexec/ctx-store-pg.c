/* SPDX-License-Identifier: MIT */
/*
 * ctx-store-pg - ctx-store with a store on PostgreSQL, so that ctx-store is not
 * linked with libpq, which executes this for such a store.
 */
#include "cmd/store/commands.h"

int
main(int argc, char *argv[])
{
	return store_main(argc, argv);
}
