// The part of Apple's <sys/stat.h> that is used.
#pragma once
