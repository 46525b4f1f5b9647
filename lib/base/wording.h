/* SPDX-License-Identifier: MIT */
/* The languages of the texts that commands write for people and models. */
#ifndef CTX_BASE_WORDING_H
#define CTX_BASE_WORDING_H

enum ctx_wording { CTX_EN, CTX_ZH };

#endif
