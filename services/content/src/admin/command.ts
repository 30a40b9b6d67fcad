import type { Database } from '../database.ts'

/** A command of the operator. */
export interface Command {
  usage: string
  summary: string
  /** The number of words after the command's name; fewer or more show the usage. */
  words: number
  /** How many more words the command may take. */
  optional?: number
  /** Returns the lines to show. Throws `Refused` for a mistake of the operator. */
  run: (db: Database, words: string[]) => Promise<string[]>
}

/** An error whose message is shown as it is, without a stack. */
export class Refused extends Error {}
