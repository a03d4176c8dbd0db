#include "CSystem.h"

/*
 * What AddressSanitizer is told in every process, also in extensions, which get no variables of the host. Swift keeps
 * what it made for types until a process ends, which is no leak; Tests/Proof/leaks looks for leaks.
 */
#if __has_feature(address_sanitizer)
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=1"; }
#endif
