import { describe, expect, it } from '@jest/globals'
import { errorMarkdown } from './texts.ts'

describe('the explanation of an error', () => {
  it('has each sentence that an error of that code may say', () => {
    const lines = errorMarkdown('invalid_credentials').split('\n')

    expect(lines).toEqual(
      expect.arrayContaining([
        '- Meaning: The key is not known.',
        '- Meaning: The key is mistyped: its checksum does not match.',
      ]),
    )
    expect(errorMarkdown('removed').match(/Meaning/g)).toHaveLength(1)
  })
})
