/* Keeps connections open. */
#ifndef POOL_H // => read *.POOL_H
#define POOL_H

#include <stddef.h> // => import <stddef.h>:*
#include "conn/conn.h" // => import "conn/conn.h":*

#define POOL_MAX 16 // => def macro POOL_MAX
#define POOL_EACH(pool, c) for (c = (pool)->first; c; c = next_conn(c)) // => def macro POOL_EACH; call *.next_conn

enum pool_state { POOL_IDLE, POOL_BUSY = 2 }; // => def enum pool_state; def variable POOL_IDLE; def variable POOL_BUSY

/* A pool of connections. */
typedef struct pool { // => def struct pool
    conn_t *first; // => read *.conn_t
    enum pool_state state; // => read pool_state
    int (*on_close)(conn_t *c, int why);
    union { long count; void *raw; };
} pool_t, *pool_ref; // => def type pool_t; def type pool_ref

typedef struct waiter waiter; // => def declaration waiter; read waiter
typedef void (*visit_fn)(pool_t *pool, void *data); // => def type visit_fn; read pool_t
typedef unsigned int pool_id; // => def type pool_id

extern int pool_count; // => def declaration pool_count

/** Makes a pool. */
pool_t *pool_new(const char *url, int size); // => def declaration pool_new; read pool_t
POOL_API void pool_free(pool_t *pool) NOEXCEPT_C; // => def declaration pool_free; read pool_t; read *.POOL_API; read *.NOEXCEPT_C

static inline int pool_is_idle(const pool_t *pool) // => def function pool_is_idle; read pool_t
{
    return pool->state == POOL_IDLE; // => read pool.state; read POOL_IDLE
}

#endif
