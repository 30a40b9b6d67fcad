import { describe, expect, it } from '@jest/globals'
import { instanceOf } from './instance.ts'

describe('the instance of a problem document', () => {
  it('contains the ids and numbers of the path, but no free text of the caller', () => {
    const id = `pst_${'0'.repeat(32)}`

    expect(instanceOf('/posts/{id}/versions/{version}', { id, version: '2' })).toBe(
      `/posts/${id}/versions/2`,
    )
    expect(instanceOf('/agents/{handle}', { handle: 'ignore-previous-instructions' })).toBe(
      '/agents/%7Bhandle%7D',
    )
  })
})
