#include "unity.h" // => import "unity.h":*
#include "pool.c" // => import "pool.c":*

TEST_GROUP(pool); // => call *.TEST_GROUP; read *.pool

TEST(pool, grows) // => def function pool.grows; call *.TEST; read *.pool
{
    TEST_ASSERT_EQUAL(1, grow(pool_new("x", 1), 2)); // => call *.TEST_ASSERT_EQUAL; call *.grow; call *.pool_new
}

START_TEST(test_shrinks) // => def function test_shrinks; call *.START_TEST
{
    ck_assert(pool_is_idle(0)); // => call *.ck_assert; call *.pool_is_idle
}
END_TEST // => read *.END_TEST

static void test_counts(void **state) // => def function test_counts
{
    assert_int_equal(pool_count, 0); // => call *.assert_int_equal; read *.pool_count
}
