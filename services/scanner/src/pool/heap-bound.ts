/** Megabytes that the old objects of a worker may take; one that needs more dies. */
export const HEAP_LIMIT_MB = 136
/**
 * Bytes of heap beyond which a worker forgets what its matchers remember of texts. Where the rules
 * themselves take so much it forgets in vain.
 */
export const HEAP_MAX = 96 * 1024 * 1024
