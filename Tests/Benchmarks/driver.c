/* A load driver for servers that speak JSON-RPC over stdin and stdout.

   driver MODE [OPTION...] -- COMMAND [ARG...]

     pipelined    writes the requests as fast as the server reads them, and counts the replies
     roundtrip    one request at a time
     start        starts COMMAND -n times; measures from the spawn to the first line of output, or to its end

     -n N             requests, or starts
     --request TEXT   one request; %d is replaced by its number, %s by the value that --take found
     --before TEXT    sent first (may be repeated); if it has an id, its reply is awaited
     --take KEY       stores the string member KEY of the reply to the last --before, for %s
     --input FILE     pipelined only: a regular file with N requests is the server's stdin
     --header         messages are framed by Content-Length, not by lines

   Prints one JSON object. `reply` is the first error, or the first reply if there was no error. `peak_kib` is the peak
   memory of the server and of the children that it waited for, `own_peak_kib` that of the server alone, after its last
   reply (0 if the server exited after that reply). */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { chunk = 256 * 1024, patience = 600 * 1000 /* milliseconds without a reply */ };

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "driver: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct text {
    char *bytes;
    size_t count, capacity;
};

static void reserve(struct text *text, size_t more) {
    if (text->capacity - text->count >= more) return;
    text->capacity = text->capacity * 2 + more;
    text->bytes = realloc(text->bytes, text->capacity);
    if (text->bytes == NULL) fail("no memory");
}

static void append(struct text *text, const char *bytes, size_t count) {
    reserve(text, count);
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
}

/* MARK: The server */

static struct {
    pid_t pid;
    int in, out; /* its stdin (-1 for a file) and stdout */
    int header;
    struct text replies;
    size_t start, scanned; /* of the next unread reply; no line feed before `scanned` */
    long errors;
    char *reply;
} server = {.in = -1};

static void spawn(char **command, const char *input) {
    extern char **environ;
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) fail(strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input != NULL) posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    else posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if ((errno = posix_spawnp(&server.pid, command[0], &actions, NULL, command, environ)) != 0) fail(strerror(errno));
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    server.in = in[1];
    server.out = out[0];
}

/* Reads once; 0 at the end of output. */
static ssize_t receive(void) {
    struct pollfd ready = {server.out, POLLIN, 0};
    if (poll(&ready, 1, patience) <= 0) fail("no reply");
    struct text *text = &server.replies;
    if (server.start > 0) {
        text->count -= server.start;
        memmove(text->bytes, text->bytes + server.start, text->count);
        server.scanned -= server.start;
        server.start = 0;
    }
    reserve(text, chunk);
    ssize_t count = read(server.out, text->bytes + text->count, chunk);
    if (count < 0) fail(strerror(errno));
    text->count += (size_t)count;
    return count;
}

/* The next whole reply, or NULL. */
static const char *next_reply(size_t *size) {
    const char *first = server.replies.bytes + server.start, *end = server.replies.bytes + server.replies.count;
    if (server.header) {
        const char *body = memmem(first, (size_t)(end - first), "\r\n\r\n", 4);
        const char *length = memmem(first, (size_t)(end - first), "Content-Length: ", 16);
        if (body == NULL) return NULL;
        if (length == NULL || length > body) fail("a message lacks Content-Length");
        *size = strtoul(length + 16, NULL, 10);
        if ((size_t)(end - (body + 4)) < *size) return NULL;
        first = body + 4;
        server.start = (size_t)(first + *size - server.replies.bytes);
    } else {
        const char *from = server.replies.bytes + server.scanned;
        const char *feed = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
        if (feed == NULL) {
            server.scanned = server.replies.count;
            return NULL;
        }
        *size = (size_t)(feed - first);
        server.start = (size_t)(feed + 1 - server.replies.bytes);
    }
    server.scanned = server.start;
    const int error = memmem(first, *size, "\"error\":", 8) != NULL;
    if (server.reply == NULL || (error && server.errors == 0)) {
        free(server.reply);
        server.reply = strndup(first, *size);
    }
    server.errors += error;
    return first;
}

static const char *await_reply(size_t *size) {
    const char *reply;
    while ((reply = next_reply(size)) == NULL)
        if (receive() == 0) fail("the server ended before its reply");
    return reply;
}

static void send_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(server.in, bytes, count);
        if (written < 0) fail(strerror(errno));
        bytes += written;
        count -= (size_t)written;
    }
}

/* The server's own peak memory in KiB up to now: VmHWM, which unlike ru_maxrss does not count its children. */
static long own_peak(void) {
    char line[128];
    snprintf(line, sizeof line, "/proc/%d/status", (int)server.pid);
    FILE *status = fopen(line, "r");
    long kib = 0;
    while (status != NULL && fgets(line, sizeof line, status) != NULL && sscanf(line, "VmHWM: %ld", &kib) != 1) {}
    if (status != NULL) fclose(status);
    return kib;
}

/* Closes its stdin, reads it to the end and returns its peak memory in KiB. */
static long finish(void) {
    close(server.in);
    while (receive() > 0) server.start = server.scanned = server.replies.count;
    close(server.out);
    struct rusage usage;
    int status;
    if (wait4(server.pid, &status, 0, &usage) < 0) fail(strerror(errno));
    return usage.ru_maxrss;
}

/* MARK: Requests */

static void add_message(struct text *to, const char *request, long number, const char *taken) {
    static struct text body;
    body.count = 0;
    for (const char *at = request; *at != 0; at++) {
        char decimal[24];
        const char *value = NULL;
        if (strncmp(at, "%s", 2) == 0 && taken != NULL) value = taken;
        if (strncmp(at, "%d", 2) == 0) {
            snprintf(decimal, sizeof decimal, "%ld", number);
            value = decimal;
        }
        append(&body, value != NULL ? value : at, value != NULL ? strlen(value) : 1);
        at += value != NULL;
    }
    if (server.header) {
        char line[64];
        append(to, line, (size_t)snprintf(line, sizeof line, "Content-Length: %zu\r\n\r\n", body.count));
    } else {
        append(&body, "\n", 1);
    }
    append(to, body.bytes, body.count);
}

/* The string member `key` of a reply, wherever it is. */
static char *string_member(const char *reply, size_t size, const char *key) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *value = memmem(reply, size, pattern, strlen(pattern));
    if (value == NULL) fail("the reply lacks the member of --take");
    value += strlen(pattern);
    return strndup(value, strcspn(value, "\""));
}

/* MARK: Modes */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *mode, double *times, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += times[i];
    qsort(times, (size_t)count, sizeof *times, ascending);
    printf("{\"mode\":\"%s\",\"count\":%ld,\"p50_us\":%.2f,\"p99_us\":%.2f,\"mean_us\":%.2f", mode, count,
           times[count / 2] * 1e6, times[count * 99 / 100] * 1e6, sum / (double)count * 1e6);
}

static void roundtrip(long count, const char *request, const char *taken) {
    double *times = calloc((size_t)count, sizeof *times);
    struct text message = {0};
    size_t size;
    for (long i = 0; i < count; i++) {
        message.count = 0;
        add_message(&message, request, i + 1, taken);
        const double began = now();
        send_all(message.bytes, message.count);
        await_reply(&size);
        times[i] = now() - began;
    }
    print_times("roundtrip", times, count);
}

/* Sends all requests from one poll loop, unless the server's stdin is a file. */
static void pipelined(long count, const char *request, const char *taken, double began) {
    struct text all = {0};
    if (request != NULL) {
        for (long i = 0; i < count; i++) add_message(&all, request, i + 1, taken);
        fcntl(server.in, F_SETFL, O_NONBLOCK);
        began = now();
    }
    size_t sent = 0, size;
    for (long received = 0; received < count;) {
        struct pollfd ready[] = {{server.out, POLLIN, 0}, {sent < all.count ? server.in : -1, POLLOUT, 0}};
        if (poll(ready, 2, patience) <= 0) fail("no reply");
        if (ready[1].revents) {
            ssize_t written = write(server.in, all.bytes + sent, all.count - sent);
            if (written < 0 && errno != EAGAIN) fail(strerror(errno));
            if (written > 0) sent += (size_t)written;
        }
        if (ready[0].revents) {
            if (receive() == 0) fail("the server ended before its last reply");
            while (next_reply(&size) != NULL) received++;
        }
    }
    const double seconds = now() - began;
    printf("{\"mode\":\"pipelined\",\"count\":%ld,\"seconds\":%.6f,\"per_second\":%.0f", count, seconds,
           (double)count / seconds);
}

static long start(long count, const char *request, char **command) {
    double *times = calloc((size_t)count, sizeof *times);
    struct text message = {0};
    long peak = 0;
    size_t size;
    if (request != NULL) add_message(&message, request, 1, NULL);
    for (long i = 0; i < count; i++) {
        server.replies.count = server.start = server.scanned = 0;
        const double began = now();
        spawn(command, NULL);
        if (request != NULL) send_all(message.bytes, message.count);
        while (next_reply(&size) == NULL && receive() > 0) {}
        times[i] = now() - began;
        const long kib = finish();
        if (kib > peak) peak = kib;
    }
    print_times("start", times, count);
    return peak;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "", *request = NULL, *take = NULL, *input = NULL;
    char *before[512], *taken = NULL;
    int befores = 0, at = 2;
    long count = 1;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        const char *option = argv[at];
        if (strcmp(option, "--header") == 0) {
            server.header = 1;
            continue;
        }
        if (++at == argc) fail("an option without its value");
        if (strcmp(option, "-n") == 0) count = atol(argv[at]);
        else if (strcmp(option, "--request") == 0) request = argv[at];
        else if (strcmp(option, "--take") == 0) take = argv[at];
        else if (strcmp(option, "--input") == 0) input = argv[at];
        else if (strcmp(option, "--before") == 0 && befores < 512) before[befores++] = argv[at];
        else fail("an unknown option");
    }
    char **command = argv + at + 1;
    if (at + 1 >= argc || count < 1) fail("usage: driver MODE [OPTION...] -- COMMAND [ARG...]");
    signal(SIGPIPE, SIG_IGN);

    if (strcmp(mode, "start") == 0) {
        const long peak = start(count, request, command);
        printf(",\"peak_kib\":%ld}\n", peak);
        return 0;
    }
    /* Spawned while this process is small, because ru_maxrss of the server starts with the value of this process. */
    const double began = now();
    spawn(command, input);
    for (int i = 0; i < befores; i++) {
        struct text message = {0};
        size_t size;
        add_message(&message, before[i], 0, NULL);
        send_all(message.bytes, message.count);
        if (strstr(before[i], "\"id\"") == NULL) continue;
        const char *reply = await_reply(&size);
        if (take != NULL && i == befores - 1) taken = string_member(reply, size, take);
    }
    if (server.errors == 0) { /* the printed reply answers a --request */
        free(server.reply);
        server.reply = NULL;
    }
    if (strcmp(mode, "pipelined") == 0 && (request != NULL) != (input != NULL)) {
        pipelined(count, request, taken, began);
    } else if (strcmp(mode, "roundtrip") == 0 && request != NULL) {
        roundtrip(count, request, taken);
    } else {
        fail("MODE must be pipelined (with --request or --input), roundtrip (with --request) or start");
    }
    const long errors = server.errors;
    const char *reply = server.reply;
    const long own = own_peak();
    printf(",\"errors\":%ld,\"reply\":%s,\"own_peak_kib\":%ld,\"peak_kib\":%ld}\n", errors,
           reply != NULL ? reply : "null", own, finish());
    return 0;
}
