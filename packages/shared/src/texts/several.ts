/** The values of a parameter that takes several, repeated or separated by commas. */
export function severalOf(given: string | string[]): string[] {
  return [given].flat().flatMap((part) => part.split(',').filter(Boolean))
}
