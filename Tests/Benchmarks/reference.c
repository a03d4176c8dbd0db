/* Shows the cost of the libraries alone: Jansson, SQLite and pipes, with only as much
   code around them as a correct server needs. It exists only for comparison.

   reference ping                      answers `ping`
   reference save DBFILE               stores `saveCustomEvent`, one transaction per iteration
   reference echo                      writes each line back: the lower bound of a round trip
   reference relay COMMAND [ARG...]    forwards each request to a child, and the child's answer back
   reference child [RESULTFILE]        the child: answers every request with that result
   reference flood RESULTFILE METHOD   the child, which after its second answer sends notifications until its input ends

   An iteration is one read of up to 256 KiB: its lines are handled in order, committed,
   and answered in one write. Memory that is needed until the process exits is not freed. */

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { chunk = 256 * 1024, parsing = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL };

static _Noreturn void die(const char *what) {
    fprintf(stderr, "reference: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* MARK: Text */

struct text {
    char *bytes;
    size_t count, capacity;
};

static void reserve(struct text *text, size_t more) {
    if (text->capacity - text->count >= more) return;
    text->capacity = text->capacity * 2 + more;
    text->bytes = realloc(text->bytes, text->capacity);
    if (text->bytes == NULL) die("realloc");
}

static void append(struct text *text, const void *bytes, size_t count) {
    reserve(text, count);
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
}

#define append_literal(text, literal) append(text, "" literal, sizeof literal - 1)

static void append_decimal(struct text *text, json_int_t value) {
    char digits[24], *first = digits + sizeof digits;
    unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do *--first = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0) *--first = '-';
    append(text, first, (size_t)(digits + sizeof digits - first));
}

static void append_json(struct text *text, const json_t *value) {
    if (json_is_integer(value)) {
        append_decimal(text, json_integer_value(value));
        return;
    }
    const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY;
    for (size_t room = 256;; room *= 4) {
        reserve(text, room);
        size_t size = json_dumpb(value, text->bytes + text->count, text->capacity - text->count, flags);
        if (size <= text->capacity - text->count) {
            text->count += size;
            return;
        }
    }
}

/* MARK: Lines in and out */

struct lines {
    int fd;
    struct text text;
    size_t start;   /* of the first unread line */
    size_t scanned; /* no line feed between start and here */
    int ended;
};

/* Waits for input and reads once. */
static void fill(struct lines *in) {
    struct pollfd ready = {in->fd, POLLIN, 0};
    while (poll(&ready, 1, -1) < 0)
        if (errno != EINTR) die("poll");
    if (in->start > 0) {
        in->text.count -= in->start;
        memmove(in->text.bytes, in->text.bytes + in->start, in->text.count);
        in->scanned -= in->start;
        in->start = 0;
    }
    reserve(&in->text, chunk + 1);
    ssize_t count = read(in->fd, in->text.bytes + in->text.count, chunk);
    if (count < 0) die("read");
    in->text.count += (size_t)count;
    if (count == 0) {
        in->ended = 1;
        if (in->text.count > 0) append_literal(&in->text, "\n"); /* a last line without a line feed counts */
    }
}

/* The next whole line without its line feed, or NULL. */
static const char *next_line(struct lines *in, size_t *count) {
    if (in->scanned >= in->text.count) return NULL;
    const char *line = in->text.bytes + in->start;
    const char *feed = memchr(in->text.bytes + in->scanned, '\n', in->text.count - in->scanned);
    if (feed == NULL) {
        in->scanned = in->text.count;
        return NULL;
    }
    *count = (size_t)(feed - line);
    in->scanned = in->start = (size_t)(feed + 1 - in->text.bytes);
    return line;
}

static void write_all(int fd, struct text *text) {
    for (size_t done = 0; done < text->count;) {
        ssize_t count = write(fd, text->bytes + done, text->count - done);
        if (count < 0) die("write");
        done += (size_t)count;
    }
    text->count = 0;
}

/* MARK: The store */

static struct {
    sqlite3 *db;
    sqlite3_stmt *begin, *insert, *count, *commit;
    json_int_t saved; /* in this iteration; a transaction is open if it is not 0 */
    long commits;
    struct text value;
} store;

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_DONE) return;
    fprintf(stderr, "reference: %s\n", sqlite3_errmsg(store.db));
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(store.db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static void step(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}

static void open_store(const char *path) {
    check(sqlite3_open(path, &store.db));
    check(sqlite3_exec(store.db,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;"
        "CREATE TABLE IF NOT EXISTS pending (id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,"
        " name TEXT NOT NULL, value TEXT, time INTEGER NOT NULL, user TEXT, lease INTEGER);"
        "CREATE INDEX IF NOT EXISTS pending_by_kind ON pending(kind, id);"
        "CREATE TABLE IF NOT EXISTS counters (records INTEGER NOT NULL);"
        "INSERT INTO counters SELECT 0 WHERE NOT EXISTS (SELECT * FROM counters);",
        NULL, NULL, NULL));
    store.begin = prepare("BEGIN IMMEDIATE");
    store.insert = prepare("INSERT INTO pending (kind, name, value, time) VALUES (0, ?, ?, ?)");
    store.count = prepare("UPDATE counters SET records = records + ?");
    store.commit = prepare("COMMIT");
}

static void commit(void) {
    if (store.saved == 0) return;
    check(sqlite3_bind_int64(store.count, 1, store.saved));
    step(store.count);
    step(store.commit);
    store.saved = 0;
    store.commits++;
}

/* MARK: Methods */

/* A method appends its result, or returns 0 if its params are invalid. */
typedef int method_call(const json_t *params, struct text *out);

static int ping(const json_t *params, struct text *out) {
    (void)params;
    append_literal(out, "{\"version\":\"1.0\"}");
    return 1;
}

static int save_custom_event(const json_t *params, struct text *out) {
    const json_t *name = json_object_get(params, "name");
    const json_t *properties = json_object_get(params, "properties");
    if (store.db == NULL || !json_is_string(json_object_get(params, "suite"))) return 0;
    if (!json_is_string(name) || !json_is_object(properties)) return 0;
    store.value.count = 0;
    append_json(&store.value, properties);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);

    if (store.saved == 0) step(store.begin);
    const int length = (int)json_string_length(name), size = (int)store.value.count;
    check(sqlite3_bind_text(store.insert, 1, json_string_value(name), length, SQLITE_STATIC));
    check(sqlite3_bind_text(store.insert, 2, store.value.bytes, size, SQLITE_STATIC));
    check(sqlite3_bind_int64(store.insert, 3, now.tv_sec * 1000 + now.tv_nsec / 1000000));
    step(store.insert);
    store.saved++;
    append_literal(out, "{\"id\":");
    append_decimal(out, sqlite3_last_insert_rowid(store.db));
    append_literal(out, "}");
    return 1;
}

static const struct {
    const char *name;
    method_call *call;
} methods[] = {{"ping", ping}, {"saveCustomEvent", save_custom_event}};

/* MARK: The server */

static void append_error(struct text *out, const json_t *id, const char *error) {
    append_literal(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id != NULL) append_json(out, id);
    else append_literal(out, "null");
    append_literal(out, ",\"error\":");
    append(out, error, strlen(error));
    append_literal(out, "}\n");
}

static int is_request(const json_t *message) {
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    return version != NULL && strcmp(version, "2.0") == 0 &&
           json_is_string(json_object_get(message, "method")) && json_object_get(message, "id") != NULL;
}

static void handle(const json_t *message, struct text *out) {
    const json_t *id = json_object_get(message, "id");
    if (!is_request(message)) {
        append_error(out, NULL, "{\"code\":-32600,\"message\":\"Invalid Request\"}");
        return;
    }
    const char *name = json_string_value(json_object_get(message, "method"));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(name, methods[i].name) != 0) continue;
        const size_t start = out->count;
        append_literal(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        append_json(out, id);
        append_literal(out, ",\"result\":");
        if (methods[i].call(json_object_get(message, "params"), out)) {
            append_literal(out, "}\n");
        } else {
            out->count = start;
            append_error(out, id, "{\"code\":-32602,\"message\":\"Invalid params\"}");
        }
        return;
    }
    append_error(out, id, "{\"code\":-32601,\"message\":\"Method not found\"}");
}

static void serve(void) {
    struct lines in = {0};
    struct text out = {0};
    while (!in.ended) {
        size_t count;
        fill(&in);
        for (const char *line; (line = next_line(&in, &count)) != NULL;) {
            json_t *message = json_loadb(line, count, parsing, NULL);
            if (message != NULL) handle(message, &out);
            else append_error(&out, NULL, "{\"code\":-32700,\"message\":\"Parse error\"}");
            json_decref(message);
        }
        commit();
        write_all(1, &out);
    }
}

static void echo(void) {
    struct lines in = {0};
    struct text out = {0};
    while (!in.ended) {
        size_t count;
        fill(&in);
        for (const char *line; (line = next_line(&in, &count)) != NULL;) append(&out, line, count + 1);
        write_all(1, &out);
    }
}

/* MARK: The relay and its child */

/* Writes 1,000 notifications repeatedly, until there is input to read. */
static void flood(const char *method, const json_t *call) {
    struct text out = {0};
    const char *presentation = json_string_value(json_object_get(json_object_get(call, "params"), "notification"));
    const char *rest = strcmp(method, "log") == 0 ? "\",\"level\":\"trace\",\"message\":\"drip\"}}\n"
                                                  : "\",\"name\":\"Dripped\"}}\n";
    for (int i = 0; i < 1000; i++) {
        append_literal(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"");
        append(&out, method, strlen(method));
        append_literal(&out, "\",\"params\":{\"notification\":\"");
        append(&out, presentation, strlen(presentation));
        append(&out, rest, strlen(rest));
    }
    struct pollfd input = {.fd = 0, .events = POLLIN};
    const size_t count = out.count;
    while (poll(&input, 1, 0) == 0) {
        out.count = count;
        write_all(1, &out);
    }
}

static void child(const char *path, const char *flooded) {
    json_t *result = path != NULL ? json_load_file(path, parsing, NULL) : json_object();
    if (result == NULL) die(path);
    struct lines in = {0};
    struct text out = {0};
    int answers = 0;
    while (!in.ended) {
        size_t count;
        fill(&in);
        json_t *last = NULL;
        for (const char *line; (line = next_line(&in, &count)) != NULL;) {
            json_t *message = json_loadb(line, count, parsing, NULL);
            if (!is_request(message)) continue; /* a notification: nothing to answer */
            append_literal(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
            append_json(&out, json_object_get(message, "id"));
            append_literal(&out, ",\"result\":");
            append_json(&out, result);
            append_literal(&out, "}\n");
            json_decref(last);
            last = message;
            answers++;
        }
        write_all(1, &out);
        if (flooded != NULL && answers == 2) flood(flooded, last);
        json_decref(last);
    }
}

/* Calls the child and returns its answer. The child has one call at a time. */
static json_t *call(int to, struct lines *from, json_int_t id, const json_t *message) {
    static struct text out;
    append_literal(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    append_decimal(&out, id);
    append_literal(&out, ",\"method\":");
    append_json(&out, json_object_get(message, "method"));
    append_literal(&out, ",\"params\":");
    append_json(&out, json_object_get(message, "params"));
    append_literal(&out, "}\n");
    write_all(to, &out);
    size_t count;
    const char *line;
    while ((line = next_line(from, &count)) == NULL) {
        if (from->ended) die("the child has exited");
        fill(from);
    }
    json_t *answer = json_loadb(line, count, parsing, NULL);
    if (json_integer_value(json_object_get(answer, "id")) != id) die("an answer with another id");
    return answer;
}

static void relay(char **command) {
    extern char **environ;
    int to[2], from[2];
    if (pipe(to) < 0 || pipe(from) < 0) die("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, to[i]);
        posix_spawn_file_actions_addclose(&actions, from[i]);
    }
    pid_t pid;
    if ((errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ)) != 0) die(command[0]);
    close(to[0]);
    close(from[1]);

    struct lines in = {0}, answers = {.fd = from[0]};
    struct text out = {0};
    json_int_t calls = 0;
    while (!in.ended) {
        size_t count;
        fill(&in);
        for (const char *line; (line = next_line(&in, &count)) != NULL;) {
            json_t *message = json_loadb(line, count, parsing, NULL);
            if (!is_request(message)) die("not a request");
            json_t *answer = call(to[1], &answers, ++calls, message);
            append_literal(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
            append_json(&out, json_object_get(message, "id"));
            append_literal(&out, ",\"result\":");
            append_json(&out, json_object_get(answer, "result"));
            append_literal(&out, "}\n");
            json_decref(answer);
            json_decref(message);
        }
        write_all(1, &out);
    }
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "ping") == 0) {
        serve();
    } else if (strcmp(mode, "save") == 0 && count == 3) {
        open_store(arguments[2]);
        serve();
        fprintf(stderr, "commits: %ld\n", store.commits);
    } else if (strcmp(mode, "echo") == 0) {
        echo();
    } else if (strcmp(mode, "relay") == 0 && count > 2) {
        relay(arguments + 2);
    } else if (strcmp(mode, "child") == 0) {
        child(arguments[2], NULL);
    } else if (strcmp(mode, "flood") == 0 && count == 4) {
        child(arguments[2], arguments[3]);
    } else {
        fputs("usage: reference ping | save DBFILE | echo | relay COMMAND [ARG...] | child [RESULTFILE]\n"
              "       reference flood RESULTFILE METHOD\n", stderr);
        return 64;
    }
    return 0;
}
