import { expect, it } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { decideAgain } from './decide-again.ts'
import type { Visit } from './visit.ts'

/** A visit whose acts end one by one as listed, and the ids of the alerts that it has decided. */
function visitWith(outcomes: (AppError | null)[]) {
  const decided: string[] = []
  const visit = {
    fields: { action: 'approve' },
    act: async (_contract: unknown, { id }: { id: string }) => {
      decided.push(id)
      const refusal = outcomes[decided.length - 1]
      if (refusal) throw refusal
    },
    readOrNull: async () => null,
  }
  return { visit: visit as unknown as Visit, decided }
}

const REPLACED = ['alr_1', 'alr_2', 'alr_3'].map((id) => ({ id, insteadOf: 'then' }))

it('replaces no further decisions after a server error', async () => {
  const { visit, decided } = visitWith([null, new AppError('timeout')])

  const outcomes = await decideAgain(visit, REPLACED)

  expect(decided).toEqual(['alr_1', 'alr_2'])
  expect(outcomes.map(({ error }) => error?.code)).toEqual([undefined, 'timeout', 'unavailable'])
})

it('replaces the other decisions if one is refused', async () => {
  const { visit, decided } = visitWith([new AppError('already_decided')])

  const outcomes = await decideAgain(visit, REPLACED)

  expect(decided).toEqual(['alr_1', 'alr_2', 'alr_3'])
  expect(outcomes.map(({ error }) => error?.code)).toEqual([
    'already_decided',
    undefined,
    undefined,
  ])
})
