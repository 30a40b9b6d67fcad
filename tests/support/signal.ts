/** Something that callers wait for until another one gives it. */
export interface Signal {
  given: Promise<void>
  give(): void
}

export function signal(): Signal {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}
