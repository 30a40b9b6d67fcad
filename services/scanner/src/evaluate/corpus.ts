import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

/** One labelled text, as the corpora and the project's own sets store it: a JSON object a line. */
export const CorpusRow = z.object({
  id: z.string(),
  corpus: z.string(),
  category: z.string(),
  label: z.enum(['positive', 'negative']),
  text: z.string(),
  ref: z.string().default(''),
})

export type CorpusRow = z.output<typeof CorpusRow>

/** Reads a `.jsonl` or `.jsonl.gz` file whole. Throws if a line is not a labelled text. */
export function readCorpus(path: string): CorpusRow[] {
  const bytes = readFileSync(path)
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => CorpusRow.parse(JSON.parse(line)))
}
