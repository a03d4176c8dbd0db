/*
 * What ThreadSanitizer does not know of Swift, in every program that is built with it.
 *
 * Swift's runtime tells it about actors and tasks once it is asked to. A Mutex of the module Synchronization is seen if
 * nobody else has it, because that is compiled into its user; who must wait, or lets another thread go on, calls the
 * library, which is compiled without the sanitizer.
 */
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF void *self __attribute__((swift_context))

void __tsan_acquire(void *);
void __tsan_release(void *);
void __tsan_on_initialize(void);
SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);

typedef SWIFT void locking(uint32_t thread, SELF);
typedef SWIFT void unlocking(SELF);
static locking *real_lock;
static unlocking *real_unlock;

__attribute__((constructor)) static void begin(void) {
    real_lock = (locking *)dlsym(RTLD_NEXT, LOCK);
    real_unlock = (unlocking *)dlsym(RTLD_NEXT, UNLOCK);
    __tsan_on_initialize();
}

SWIFT void lock_slowly(uint32_t thread, SELF) {
    real_lock(thread, self);
    __tsan_acquire(self);
}

SWIFT void unlock_slowly(SELF) {
    __tsan_release(self);
    real_unlock(self);
}

/* Extensions have no namespaces under it; a warning of the host about that would make most tests fail. */
int __wrap_csystem_can_hide_processes(void) { return 1; }
