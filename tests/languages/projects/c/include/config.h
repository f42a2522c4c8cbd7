#define WITH_LISTS 1
