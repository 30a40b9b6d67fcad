/** How a server's process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  error?: Error
}

export interface Server {
  /** With the login in it, ready for a client. */
  url: string
  port: number
  pid: number
  exited: Promise<Exit>
  /** Asks the server to stop, kills it after a grace period; resolves when it is gone. */
  stop(): Promise<void>
}

export interface PostgresServer extends Server {
  superuserUrl: string
}

export interface NatsServer extends Server {
  /** The address with another user's login: gateway, content, scanner, search, ranking, … */
  urlFor(user: string): string
}

export const NATS_USERS: string[]
export const UNSAFE_BUT_FAST: Record<string, string>

/** Finds every server program, fetching what is missing; throws one sentence saying what to do. */
export function ensureBinaries(): Promise<{ meilisearch: boolean }>

export function startPostgres(options: {
  dir: string
  port?: number | undefined
  logFile?: string
  database?: string
  tuning?: Record<string, string>
}): Promise<PostgresServer>

export function startRedis(options: {
  dir: string
  port?: number | undefined
  logFile?: string
}): Promise<Server>

export function startNats(options: {
  dir: string
  port?: number | undefined
  logFile?: string
  passwords?: Record<string, string>
}): Promise<NatsServer>

/** Resolves to null where there is no Meilisearch to run. */
export function startMeili(options: {
  dir: string
  masterKey: string
  port?: number | undefined
  logFile?: string
}): Promise<Server | null>
