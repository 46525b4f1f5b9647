/* SPDX-License-Identifier: MIT */
/* The table of rules; see redact_rules.h. */
#include "redact/redact_rules.h"
#include "redact/personal.h"
#include "redact/rules_data.inc"

const size_t ctx_redact_nrules =
    sizeof(ctx_redact_rules) / sizeof(ctx_redact_rules[0]);
