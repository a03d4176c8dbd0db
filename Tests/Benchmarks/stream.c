/* JetStream's own bench: what an equally minimal C client of libnats publishes to a stream, and delivers from it.

   stream publish URL MESSAGES        creates the stream BENCH with 16 partitions, as plugins/nats makes it, and publishes
                                      messages of the size of a record, each with an id; as many at once as libnats allows
   stream deliver URL MESSAGES PORT   takes them, with one pull consumer and one thread for each partition; posts bodies of
                                      75 events to /users/track at the port, awaits each answer, and acknowledges the
                                      messages; the last acknowledgement of a fetch is awaited

   Both print the messages per second. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <nats/nats.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { partitions = 16, batch = 1000, events = 75, event_size = 512 };

static const char *url;
static int64_t messages;
static uint16_t port;
static atomic_int_fast64_t done, refused;

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "stream: %s: %s (%s)\n", what, natsStatus_GetText(status), nats_GetLastError(NULL));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static jsCtx *connected(natsConnection **connection) {
    check(natsConnection_ConnectTo(connection, url), "connect");
    jsCtx *context;
    check(natsConnection_JetStream(&context, *connection, NULL), "open JetStream");
    return context;
}

static void create(jsCtx *context) {
    static char names[partitions][32];
    const char *subjects[partitions];
    for (int i = 0; i < partitions; i++) {
        snprintf(names[i], sizeof names[i], "BENCH.*.%d", i);
        subjects[i] = names[i];
    }
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = "BENCH";
    config.Subjects = subjects;
    config.SubjectsLen = partitions;
    config.Discard = js_DiscardNew;
    config.Duplicates = INT64_C(600) * 1000000000;
    check(js_AddStream(NULL, context, &config, NULL, NULL), "create the stream");
}

static void acknowledged(jsCtx *context, natsMsg *message, jsPubAck *answer, jsPubAckErr *error, void *closure) {
    (void)context, (void)answer, (void)closure;
    if (error != NULL) atomic_fetch_add(&refused, 1);
    natsMsg_Destroy(message);
}

static void publish(void) {
    natsConnection *connection;
    check(natsConnection_ConnectTo(&connection, url), "connect");
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.AckHandler = acknowledged;
    options.PublishAsync.MaxPending = 4096;
    options.PublishAsync.StallWait = 10000;
    jsCtx *context;
    check(natsConnection_JetStream(&context, connection, &options), "open JetStream");
    create(context);
    const double start = now();
    for (int64_t i = 0; i < messages; i++) {
        char subject[64], identifier[96], body[256];
        snprintf(subject, sizeof subject, "BENCH.default.%" PRId64, i % partitions);
        snprintf(identifier, sizeof identifier, "0123456789abcdef0123456789abcdef-%" PRId64 "-0123456789abcdef", i);
        const int length = snprintf(
            body, sizeof body,
            "{\"suite\":\"default\",\"identity\":\"0123456789abcdef0123456789abcdef\",\"id\":%" PRId64
            ",\"kind\":\"customEvent\",\"name\":\"Event\",\"properties\":{\"n\":%" PRId64
            "},\"time\":\"2026-01-01T00:00:00.000Z\",\"user\":{\"external_id\":\"user-%" PRId64 "\"}}",
            i, i, i % 1000);
        jsPubOptions each;
        jsPubOptions_Init(&each);
        each.MsgId = identifier;
        check(js_PublishAsync(context, subject, body, length, &each), "publish");
    }
    jsPubOptions wait;
    jsPubOptions_Init(&wait);
    wait.MaxWait = 60000;
    check(js_PublishAsyncComplete(context, &wait), "await the acknowledgements");
    if (atomic_load(&refused) > 0) check(NATS_ERR, "publish");
    printf("%.1f\n", (double)messages / (now() - start));
    jsCtx_Destroy(context);
    natsConnection_Destroy(connection);
}

/* A body of /users/track that grows by one event at a time. */
struct body {
    char text[events * event_size];
    size_t size;
    int events;
};

/* Adds a message as an event: its members from the name on, and those of its user. */
static void add(struct body *body, const char *message, size_t size) {
    const char *name = memmem(message, size, "\"name\":", 7);
    const char *user = memmem(message, size, ",\"user\":{", 9);
    if (name == NULL || user == NULL || size > event_size - 32) check(NATS_ERR, "read a message");
    char *end = body->text + body->size;
    end = stpcpy(end, body->events == 0 ? "{\"events\":[{" : ",{");
    end = mempcpy(end, name, (size_t)(user - name));
    *end++ = ',';
    /* The last brace of the message closes the event. */
    end = mempcpy(end, user + 9, size - (size_t)(user + 9 - message) - 2);
    *end++ = '}';
    body->size = (size_t)(end - body->text);
    body->events++;
}

static int connected_to_service(void) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int service = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (connect(service, (const struct sockaddr *)&address, sizeof address) != 0) check(NATS_ERR, "connect to the service");
    setsockopt(service, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return service;
}

/* Posts a body and awaits the whole answer, which must have the status 201. */
static void post(int service, struct body *body) {
    if (body->events == 0) return;
    memcpy(body->text + body->size, "]}", 2);
    body->size += 2;
    char head[256], answer[4096];
    const int length = snprintf(
        head, sizeof head,
        "POST /users/track HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer benchmark\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
        body->size);
    if (send(service, head, (size_t)length, MSG_MORE) != length) check(NATS_ERR, "send a head");
    for (size_t sent = 0; sent < body->size;) {
        const ssize_t more = send(service, body->text + sent, body->size - sent, MSG_NOSIGNAL);
        if (more <= 0) check(NATS_ERR, "send a body");
        sent += (size_t)more;
    }
    size_t size = 0;
    for (;;) {
        const ssize_t more = read(service, answer + size, sizeof answer - 1 - size);
        if (more <= 0) check(NATS_ERR, "read an answer");
        size += (size_t)more;
        answer[size] = 0;
        const char *end = strstr(answer, "\r\n\r\n"), *content = strcasestr(answer, "content-length:");
        if (end == NULL || content == NULL) continue;
        if (size >= (size_t)(end + 4 - answer) + strtoul(content + 15, NULL, 10)) break;
    }
    if (strncmp(answer, "HTTP/1.1 201", 12) != 0) check(NATS_ERR, answer);
    body->size = 0;
    body->events = 0;
}

static void *take(void *closure) {
    const int partition = (int)(intptr_t)closure;
    natsConnection *connection;
    jsCtx *context = connected(&connection);
    char subject[32], name[32];
    snprintf(subject, sizeof subject, "BENCH.*.%d", partition);
    snprintf(name, sizeof name, "partition-%d", partition);
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Config.MaxAckPending = batch;
    natsSubscription *subscription;
    check(js_PullSubscribe(&subscription, context, subject, name, NULL, &options, NULL), "create a consumer");
    const int service = connected_to_service();
    struct body *body = calloc(1, sizeof *body);
    while (atomic_load(&done) < messages) {
        natsMsgList list;
        const natsStatus status = natsSubscription_Fetch(&list, subscription, batch, 100, NULL);
        if (status == NATS_TIMEOUT) continue;
        check(status, "fetch");
        for (int i = 0, posted = 0; i < list.Count; i++) {
            add(body, natsMsg_GetData(list.Msgs[i]), (size_t)natsMsg_GetDataLength(list.Msgs[i]));
            const bool isLast = i + 1 == list.Count;
            if (body->events < events && !isLast) continue;
            post(service, body);
            for (; posted < i; posted++) check(natsMsg_Ack(list.Msgs[posted], NULL), "acknowledge");
            check(isLast ? natsMsg_AckSync(list.Msgs[i], NULL, NULL) : natsMsg_Ack(list.Msgs[i], NULL), "acknowledge");
            posted++;
        }
        atomic_fetch_add(&done, list.Count);
        natsMsgList_Destroy(&list);
    }
    free(body);
    close(service);
    natsSubscription_Destroy(subscription);
    jsCtx_Destroy(context);
    natsConnection_Destroy(connection);
    return NULL;
}

static void deliver(void) {
    pthread_t threads[partitions];
    const double start = now();
    for (int i = 0; i < partitions; i++) pthread_create(&threads[i], NULL, take, (void *)(intptr_t)i);
    for (int i = 0; i < partitions; i++) pthread_join(threads[i], NULL);
    printf("%.1f\n", (double)messages / (now() - start));
}

int main(int count, char **arguments) {
    const bool delivers = count == 5 && strcmp(arguments[1], "deliver") == 0;
    if (!delivers && (count != 4 || strcmp(arguments[1], "publish") != 0))
        return fprintf(stderr, "usage: stream publish URL MESSAGES\n       stream deliver URL MESSAGES PORT\n"), 2;
    url = arguments[2];
    messages = strtoll(arguments[3], NULL, 10);
    if (delivers) {
        port = (uint16_t)atoi(arguments[4]);
        deliver();
    } else {
        publish();
    }
    nats_Close();
}
