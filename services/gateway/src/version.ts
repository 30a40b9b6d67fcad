/** Version of the interface description; the path prefix carries its first number. */
export const VERSION = '0.2.0'
