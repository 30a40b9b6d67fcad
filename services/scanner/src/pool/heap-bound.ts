/**
 * Bytes of heap beyond which a worker forgets what its matchers remember of texts. It may have 160 MB,
 * and forgets in vain where the rules themselves take so much.
 */
export const HEAP_MAX = 112 * 1024 * 1024
