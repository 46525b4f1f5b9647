/* SPDX-License-Identifier: MIT */
#include "base/uclass.h"

#include "base/uclass_data.inc"

const char *
ctx_uclass_version(void)
{
	return UCLASS_VERSION;
}
