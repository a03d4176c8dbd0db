// The main function of a program that has several bundles in it, and is told by its first argument which one to be.
//
// `build` defines EXTENSIONS as EXTENSION("match-game", match_game_main) for each of them: the compiler names the main
// function of an executable target so.

#include <stdio.h>
#include <string.h>

// Of Swift's standard library: sets CommandLine.arguments, which it reads from the system otherwise.
void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc);

#define EXTENSION(name, start) int start(int argc, char **argv);
EXTENSIONS
#undef EXTENSION

static const struct {
    const char *name;
    int (*start)(int argc, char **argv);
} extensions[] = {
#define EXTENSION(name, start) {name, start},
    EXTENSIONS
};
static const size_t count = sizeof extensions / sizeof *extensions;

int main(int argc, char **argv) {
    for (size_t i = 0; i < count && argc > 1; i++) {
        if (strcmp(extensions[i].name, argv[1]) != 0) continue;
        _swift_stdlib_overrideUnsafeArgvArgc(argv + 1, argc - 1);
        return extensions[i].start(argc - 1, argv + 1);
    }
    fprintf(stderr, "%s: the first argument must be", argv[0]);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s %s", i == 0 ? "" : i + 1 < count ? "," : " or", extensions[i].name);
    }
    fprintf(stderr, "%s%s\n", argc > 1 ? ", and not " : "", argc > 1 ? argv[1] : "");
    return 64;
}
