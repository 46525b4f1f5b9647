/* SPDX-License-Identifier: MIT */
/* ctx-count --list-models and --list-encodings. */
#ifndef CTX_CMD_COUNT_LIST_H
#define CTX_CMD_COUNT_LIST_H

#include "cli.h"

/* The options --list-models and --list-encodings; they end the process. */
void	count_list_models(struct cli *c, void *place);
void	count_list_encodings(struct cli *c, void *place);

#endif
