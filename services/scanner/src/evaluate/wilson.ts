/** The 95 % Wilson score interval of a share, as two shares (E. B. Wilson, 1927). */
export function wilson(hits: number, total: number): [number, number] {
  if (total === 0) return [0, 1]
  const z = 1.959964
  const share = hits / total
  const scale = 1 + (z * z) / total
  const centre = (share + (z * z) / (2 * total)) / scale
  const spread = (z * Math.sqrt((share * (1 - share) + (z * z) / (4 * total)) / total)) / scale
  return [Math.max(0, centre - spread), Math.min(1, centre + spread)]
}

/** A share with its interval, as in `118/122 = 96.7 % (91.9..98.7)`; `-` for a total of 0. */
export function shareText(hits: number, total: number): string {
  if (total === 0) return '-'
  const [low, high] = wilson(hits, total)
  const percent = (share: number) => (100 * share).toFixed(1)
  return `${hits}/${total} = ${percent(hits / total)} % (${percent(low)}..${percent(high)})`
}
