/** Limit of a worker's old generation in megabytes; a worker that needs more dies. */
export const HEAP_LIMIT_MB = 136
/**
 * Bytes of heap above which a worker drops its matchers' memory of texts. If the rules alone take
 * more, dropping it does not help.
 */
export const HEAP_MAX = 96 * 1024 * 1024
