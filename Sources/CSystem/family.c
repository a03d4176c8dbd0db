#define _GNU_SOURCE
#include "CSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#elif defined(__APPLE__)
#include <libproc.h>
#include <sys/resource.h>
#endif

void csystem_adopt_orphans(void) {
#if defined(__linux__)
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

pid_t csystem_ended_child(void) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

#if defined(__linux__)

/* The kernel lists the children of a process by the thread that forked them. */
int csystem_children(pid_t pid, pid_t *pids, int count) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    if (threads == NULL) return -errno;
    int found = 0;
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        if (thread->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, thread->d_name);
        FILE *file = fopen(path, "re");
        if (file == NULL) continue;
        while (found < count && fscanf(file, "%d", &pids[found]) == 1) found++;
        fclose(file);
    }
    closedir(threads);
    return found;
}

/* Reads a file of a process. Returns 0, or -ESRCH. */
static int read_file(pid_t pid, const char *name, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -ESRCH;
    ssize_t length = read(fd, text, size - 1);
    close(fd);
    if (length <= 0) return -ESRCH;
    text[length] = 0;
    return 0;
}

/* Reads the fields after the name, which are numbered from 3, into `text`. */
static const char *read_fields(pid_t pid, char *text, size_t size) {
    if (read_file(pid, "stat", text, size) < 0) return NULL;
    /* The name, in parentheses, may contain any characters. */
    const char *end = strrchr(text, ')');
    return end == NULL ? NULL : end + 1;
}

int csystem_read_activity(pid_t pid, struct csystem_activity *activity) {
    char text[1024];
    const char *fields = read_fields(pid, text, sizeof text);
    if (fields == NULL) return -ESRCH;
    unsigned long long *values = activity->values;
    int count = sscanf(
        fields,
        " %*c %*d %*d %*d %*d %*d %*u %llu %llu %llu %*u %llu %llu %*d %*d %*d %*d %llu %*d %*u %*u %llu",
        &values[0], &values[1], &values[2], &values[3], &values[4], &values[5], &values[6]
    );
    return count == 7 ? 0 : -EIO;
}

/* The bytes of a line in /proc/<pid>/status, such as "VmHWM:"; 0 if there is no such line, as after the end of a process. */
static unsigned long long status_bytes(const char *text, const char *name) {
    unsigned long long kilobytes = 0;
    const char *line = strstr(text, name);
    if (line != NULL) sscanf(line + strlen(name), "%llu", &kilobytes);
    return kilobytes * 1024;
}

static void add_heap(pid_t pid, int is_first, struct csystem_heap *heap) {
    char text[4096];
    if (read_file(pid, "status", text, sizeof text) < 0) return;
    unsigned long long own = status_bytes(text, "\nRssAnon:") + status_bytes(text, "\nVmSwap:");
    heap->all += own;
    if (!is_first) return;
    heap->own = own;
    heap->high = status_bytes(text, "\nVmHWM:");
    /* Pages of files stay resident once they were read, so all of the highest mark but these was memory without a file. */
    unsigned long long files = status_bytes(text, "\nRssFile:") + status_bytes(text, "\nRssShmem:");
    heap->peak = heap->high > files + own ? heap->high - files : own;
}

/* A child that runs no program yet has the memory of its parent, with which it was counted already (PF_FORKNOEXEC). */
static const unsigned runs_no_program = 0x40;

static int add_usage(pid_t pid, int is_first, int wants_heap, struct csystem_usage *usage) {
    char text[1024];
    const char *fields = read_fields(pid, text, sizeof text);
    if (fields == NULL) return -ESRCH;
    unsigned flags;
    unsigned long utime, stime;
    long cutime, cstime, rss;
    if (sscanf(fields, " %*c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %*d %*d %*u %*u %ld",
               &flags, &utime, &stime, &cutime, &cstime, &rss) != 6)
        return -EIO;
    if (wants_heap && (is_first || !(flags & runs_no_program))) add_heap(pid, is_first, &usage->heap);
    usage->resident += (unsigned long long)rss * (unsigned long long)sysconf(_SC_PAGESIZE);
    usage->milliseconds += (utime + stime + (unsigned long)cutime + (unsigned long)cstime) * 1000
                           / (unsigned long)sysconf(_SC_CLK_TCK);
    return 0;
}

int csystem_read_usage(pid_t pid, int most, int wants_heap, struct csystem_usage *usage) {
    memset(usage, 0, sizeof *usage);
    int result = add_usage(pid, 1, wants_heap, usage);
    if (result < 0) return result;
    int capacity = 256, count = 1;
    pid_t *queue = malloc((size_t)capacity * sizeof *queue);
    if (queue == NULL) return -ENOMEM;
    queue[0] = pid;
    usage->processes = 1;
    for (int next = 0; next < count && (most == 0 || count <= most); next++) {
        if (next > 0 && add_usage(queue[next], 0, wants_heap, usage) == 0) usage->processes++;
        int found;
        while ((found = csystem_children(queue[next], queue + count, capacity - count)) == capacity - count) {
            pid_t *larger = realloc(queue, 2 * (size_t)capacity * sizeof *queue);
            if (larger == NULL) break;
            queue = larger;
            capacity *= 2;
        }
        if (found > 0) count += found;
    }
    /* Counting may have stopped before every process was seen. */
    if (most > 0 && count > most) usage->processes = count;
    free(queue);
    return 0;
}

#elif defined(__APPLE__)

int csystem_children(pid_t pid, pid_t *pids, int count) {
    int bytes = proc_listchildpids(pid, pids, count * (int)sizeof *pids);
    return bytes < 0 ? -errno : bytes;
}

int csystem_read_usage(pid_t pid, int most, int wants_heap, struct csystem_usage *usage) {
    (void)most, (void)wants_heap;
    struct rusage_info_v4 info;
    if (proc_pid_rusage(pid, RUSAGE_INFO_V4, (rusage_info_t *)&info) != 0) return -errno;
    unsigned long long peak = info.ri_lifetime_max_phys_footprint;
    usage->heap = (struct csystem_heap){info.ri_phys_footprint, info.ri_phys_footprint, peak, peak};
    usage->resident = info.ri_resident_size;
    usage->milliseconds = (info.ri_user_time + info.ri_system_time) / 1000000;
    usage->processes = 1;
    return 0;
}

int csystem_read_activity(pid_t pid, struct csystem_activity *activity) {
    struct rusage_info_v2 info;
    if (proc_pid_rusage(pid, RUSAGE_INFO_V2, (rusage_info_t *)&info) != 0) return -errno;
    memset(activity, 0, sizeof *activity);
    activity->values[0] = info.ri_user_time;
    activity->values[1] = info.ri_system_time;
    activity->values[2] = info.ri_resident_size;
    activity->values[3] = info.ri_child_user_time;
    return 0;
}

#else

int csystem_children(pid_t pid, pid_t *pids, int count) {
    (void)pid, (void)pids, (void)count;
    return -ENOSYS;
}

int csystem_read_usage(pid_t pid, int most, int wants_heap, struct csystem_usage *usage) {
    (void)pid, (void)most, (void)wants_heap, (void)usage;
    return -ENOSYS;
}

int csystem_read_activity(pid_t pid, struct csystem_activity *activity) {
    (void)pid, (void)activity;
    return -ENOSYS;
}

#endif
