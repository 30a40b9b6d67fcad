import { expect, it } from '@jest/globals'
import { inTurn } from './in-turn.ts'

it('inTurn works on the next id at each turn, and begins again after the last', async () => {
  const ids = ['a', 'b', 'c']
  const done: string[] = []
  const turn = inTurn(
    500,
    async (last) => ids.find((id) => id > last),
    async (id) => {
      done.push(id)
      return id !== 'b'
    },
  )

  const answers = [await turn(), await turn(), await turn(), await turn()]
  ids.length = 0
  answers.push(await turn())

  expect(done).toEqual(['a', 'b', 'c', 'a'])
  expect(answers).toEqual([500, 'rest', 500, 500, 'rest'])
})
