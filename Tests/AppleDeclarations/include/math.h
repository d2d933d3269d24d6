// The part of Apple's <math.h> that the kernels use; see the README beside.
#pragma once
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define HUGE_VAL __builtin_huge_val()
#define isnan(x) __builtin_isnan(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
double fabs(double);
float fabsf(float);
double sqrt(double);
double floor(double);
double ceil(double);
double nearbyint(double);
float sqrtf(float);
float floorf(float);
float ceilf(float);
