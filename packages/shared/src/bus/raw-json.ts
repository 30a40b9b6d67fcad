/** A T that is already serialized. It must be one object, and is sent as it is. */
export class RawJson<T = unknown> {
  readonly json: string | Uint8Array
  /** Never set: only the compiler uses it, to know the type of the JSON. */
  declare readonly of?: T
  constructor(json: string | Uint8Array) {
    this.json = json
  }
}
