/** Version of the interface description. */
export const VERSION = '0.2.0'
