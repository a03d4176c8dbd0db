/* JetStream's own bench: what an equally minimal C client of libnats publishes to a stream, and takes from it.

   stream publish URL MESSAGES   creates the stream BENCH with 16 partitions, as plugins/nats makes it, and publishes
                                 messages of the size of a record, each with an id; as many at once as libnats allows
   stream consume URL MESSAGES   takes them, with one pull consumer and one thread for each partition, and acknowledges
                                 each; the last acknowledgement of a batch is awaited

   Both print the messages per second. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { partitions = 16, batch = 1000 };

static const char *url;
static int64_t messages;
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
    while (atomic_load(&done) < messages) {
        natsMsgList list;
        const natsStatus status = natsSubscription_Fetch(&list, subscription, batch, 100, NULL);
        if (status == NATS_TIMEOUT) continue;
        check(status, "fetch");
        for (int i = 0; i < list.Count; i++) {
            const bool isLast = i + 1 == list.Count;
            check(isLast ? natsMsg_AckSync(list.Msgs[i], NULL, NULL) : natsMsg_Ack(list.Msgs[i], NULL), "acknowledge");
        }
        atomic_fetch_add(&done, list.Count);
        natsMsgList_Destroy(&list);
    }
    natsSubscription_Destroy(subscription);
    jsCtx_Destroy(context);
    natsConnection_Destroy(connection);
    return NULL;
}

static void consume(void) {
    pthread_t threads[partitions];
    const double start = now();
    for (int i = 0; i < partitions; i++) pthread_create(&threads[i], NULL, take, (void *)(intptr_t)i);
    for (int i = 0; i < partitions; i++) pthread_join(threads[i], NULL);
    printf("%.1f\n", (double)messages / (now() - start));
}

int main(int count, char **arguments) {
    if (count != 4) return fprintf(stderr, "usage: stream publish|consume URL MESSAGES\n"), 2;
    url = arguments[2];
    messages = strtoll(arguments[3], NULL, 10);
    if (strcmp(arguments[1], "publish") == 0) publish();
    else consume();
    nats_Close();
}
