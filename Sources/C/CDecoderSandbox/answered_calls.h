// System calls that name files, answered inside the process instead of by the system.
#pragma once

#include "CDecoderSandbox.h"

#pragma GCC visibility push(hidden)
// Opens what there is to give, closes every other descriptor but 0, and takes SIGSYS over; called once,
// before a filter sends it.
int plb_answer_calls(const plb_network_files *files);
#pragma GCC visibility pop
