/* SPDX-License-Identifier: MIT */
#include "base/uclass.h"

#include "base/uclass_data.inc"
