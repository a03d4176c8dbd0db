/*
 * What ThreadSanitizer does not know of Swift, in every program that is built with it.
 *
 * Swift's runtime tells it about actors and tasks once it is asked to. Two things are left, because the libraries that
 * have them are compiled without the sanitizer: a Mutex of the module Synchronization, if a thread must wait for it,
 * and a continuation that is resumed before its task awaits it. The latter is seen only where the compiler inlined the
 * wait, as it does in release builds; a call within the library cannot be replaced.
 */
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define RETURN "$sScC6resume9returningyxn_tF"
#define THROW "$sScC6resume8throwingyq_n_tF"
#define AWAIT "swift_continuation_await"
#define SWIFT __attribute__((swiftcall))
#define SELF void *self __attribute__((swift_context))
#define ASYNC __attribute__((swiftasynccall))

void __tsan_acquire(void *);
void __tsan_release(void *);
void __tsan_on_initialize(void);
void *swift_task_getCurrent(void);
SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);
SWIFT void resume_returning(void *value, void *type, SELF) __asm__(RETURN);
SWIFT void resume_throwing(void *error, void *type, SELF) __asm__(THROW);
ASYNC void await_continuation(void *context) __asm__(AWAIT);

typedef SWIFT void locking(uint32_t thread, SELF);
typedef SWIFT void unlocking(SELF);
typedef SWIFT void resuming(void *result, void *type, SELF);
typedef ASYNC void awaiting(void *context);
static locking *real_lock;
static unlocking *real_unlock;
static resuming *real_return, *real_throw;
static awaiting *real_await;

__attribute__((constructor)) static void begin(void) {
    real_lock = (locking *)dlsym(RTLD_NEXT, LOCK);
    real_unlock = (unlocking *)dlsym(RTLD_NEXT, UNLOCK);
    real_return = (resuming *)dlsym(RTLD_NEXT, RETURN);
    real_throw = (resuming *)dlsym(RTLD_NEXT, THROW);
    real_await = (awaiting *)dlsym(RTLD_NEXT, AWAIT);
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

/* A checked continuation is a pointer to an object whose first field is the task, until it is resumed. */
static void release_task(void *continuation) {
    void *task = (*(void ***)continuation)[2];
    if (task) __tsan_release(task);
}

SWIFT void resume_returning(void *value, void *type, SELF) {
    release_task(self);
    real_return(value, type, self);
}

SWIFT void resume_throwing(void *error, void *type, SELF) {
    release_task(self);
    real_throw(error, type, self);
}

ASYNC void await_continuation(void *context) {
    __tsan_acquire(swift_task_getCurrent());
    __attribute__((musttail)) return real_await(context);
}

/* Extensions have no namespaces under it; a warning of the host about that would make most tests fail. */
int __wrap_csystem_can_hide_processes(void) { return 1; }
