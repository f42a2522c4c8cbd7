#include "pool.h" // => import "pool.h":*
#include <stdio.h> // => import <stdio.h>:*
#include <fcntl.h> // => import <fcntl.h>:*
#ifdef USE_TLS // => read *.USE_TLS
#include "tls.h" // => import "tls.h":*
#else
#include <sys/socket.h> // => import <sys/socket.h>:*
#endif
#include CONFIGURED // => read *.CONFIGURED

struct waiter { pool_t *pool; struct waiter *next; }; // => def struct waiter; read *.pool_t; read waiter
int pool_count = 0; // => def variable pool_count
static struct waiter *waiting, spare[POOL_MAX]; // => def variable waiting; def variable spare; read waiter; read *.POOL_MAX
static const struct ops { int (*open)(void); } table = { .open = open_log }; // => def struct ops; def variable table; read *.open_log

static int grow(pool_t *pool, int by); // => def declaration grow; read *.pool_t

/* Opens the log of the pool. */
static int open_all(const char *path) // => def function open_all
{
    int fd = open(path, O_RDONLY); // => call *.open; read *.O_RDONLY; effect file_io open
    FILE *log = fopen(path, "a"); // => call *.fopen; effect file_io fopen
    char *text = "system(\"ls\")"; /* system("ls") */
    if (fd < 0 || !log)
        goto close;
    printf("%s: %d\n", text, 0x1F); // => call *.printf; effect ui printf
close:
    return fd;
}

pool_t *pool_new(const char *url, int size) // => def function pool_new; read *.pool_t
{
    pool_t *pool = calloc(1, sizeof(*pool)); // => call *.calloc
    pool->state = POOL_BUSY; // => write *.pool_t().state; read *.POOL_BUSY
    pool->first = conn_open(url); // => read+write *.pool_t().first; call *.conn_open
    pool->first->close(pool->first); // => call *.pool_t().first.close
    pool->on_close(pool->first, 1); // => call *.pool_t().on_close
    pool_count += grow(pool, size); // => write pool_count; call grow
    waiting->next->pool = pool; // => read waiter.next; write waiter.pool
    return pool;
}

static int grow(pool_t *pool, int by) // => def function grow; read *.pool_t
{
    int (*hook)(int) = 0, fork = by;
    for (int open = 0; open < fork; open++)
        hook(open);
    return (struct waiter *)pool == waiting ? spare[0].next != 0 : open_all("x"); // => read waiter; call open_all
}

#if 0
int never(void) { return fork(); }
#endif

int main(argc, argv) int argc; char **argv; // => def function main
{
    POOL_EACH(pool, c) { // => call *.POOL_EACH; read *.pool; read *.c
        visit(&grow, getenv("HOME")); // => call *.visit; read grow; call *.getenv; effect env getenv
    }
#ifdef BIG // => read *.BIG
    if (argc > 2) {
#else
    if (argc > 1) {
#endif
        pool_free(0); // => call *.pool_free
    }
    return time(NULL) + socket(AF_INET, 0, 0); // => call *.time; call *.socket; read *.AF_INET; effect clock time; effect network socket
}
