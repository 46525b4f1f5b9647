/* SPDX-License-Identifier: MIT */
/* ctx-count --list-models and --list-encodings. */
#ifndef CTX_CMD_COUNT_LIST_H
#define CTX_CMD_COUNT_LIST_H

#include "cli.h"

/* Print the list and end the process. */
_Noreturn void	count_list_models(struct cli *c);
_Noreturn void	count_list_encodings(struct cli *c);

#endif
