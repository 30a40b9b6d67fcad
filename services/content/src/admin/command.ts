import type { Database } from '../database.ts'

/** What the operator typed after the command's name. */
export interface Command {
  usage: string
  summary: string
  /** How many words it takes; fewer or more show the usage. */
  words: number
  /** How many it may take besides. */
  optional?: number
  /** Answers the lines to show. Throws `Refused` for what the operator got wrong. */
  run: (db: Database, words: string[]) => Promise<string[]>
}

/** Shown as it is, without a stack. */
export class Refused extends Error {}
