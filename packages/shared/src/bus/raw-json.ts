/** A T that is already serialized; it must be one object and is sent as it is. */
export class RawJson<T = unknown> {
  readonly json: string | Uint8Array
  /** Never there: only the compiler asks what the JSON is of. */
  declare readonly of?: T
  constructor(json: string | Uint8Array) {
    this.json = json
  }
}
