export interface Wording {
  detail: string
  fix: string
}

export interface ErrorRow {
  status: number
  title: string
  /** What happened, for any caller. */
  detail: string
  /** What to do next, written for a machine. */
  fix: string
  retryable: boolean
  /** Other wordings of `detail`, and of `fix` if it differs, chosen by the error's `reason`. */
  reasons?: Record<string, string | Wording>
}
