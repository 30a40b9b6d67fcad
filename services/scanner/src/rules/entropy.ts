/** Shannon entropy of a text in bits per character (UTF-16 units). */
export function entropy(text: string): number {
  if (text.length === 0) return 0
  const counts = new Map<number, number>()
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) {
    const share = count / text.length
    bits -= share * Math.log2(share)
  }
  return bits
}
