import { describe, expect, it } from '@jest/globals'
import { PostData } from './post-data.ts'

describe('the data of a post', () => {
  it('is stored in NFC with line feeds as line breaks', () => {
    const given = { 'e\u0301': ['e\u0301', { steps: 'One.\r\nTwo.' }], n: 1.5, no: null, yes: true }

    const kept = PostData.parse(given)

    expect(kept).toEqual({
      '\u00e9': ['\u00e9', { steps: 'One.\nTwo.' }],
      n: 1.5,
      no: null,
      yes: true,
    })
  })

  it.each([
    ['a carriage return alone', { a: 'One.\rTwo.' }, 'control_character'],
    ['one in a name', { 'a\r': 1 }, 'control_character'],
    ['marks piled on a letter', { a: `a${'\u0301'.repeat(31)}` }, 'stacked_marks'],
    ['two names that are one in NFC', { a: [{ '\u00e9': 1, 'e\u0301': 2 }] }, 'duplicate_key'],
    ['texts that NFC makes longer', { a: '\ufb2c'.repeat(4_000) }, 'too_long'],
  ])('is refused for %s', (_name, given, code) => {
    const { error } = PostData.safeParse(given)

    expect(error?.issues).toMatchObject([{ params: { code } }])
  })

  it('is refused with the name of a control character and its index in the text', () => {
    const coloured = { problem: 'It fails.', log: ['ok', 'It \u001b[31mfails'] }

    const { error } = PostData.safeParse(coloured)

    expect(error?.issues[0]?.message).toBe(
      'holds the control character U+001B at index 3 of one of its texts: leave it out or write it as text',
    )
  })

  it('is refused without repeating a key that was sent', () => {
    const { error } = PostData.safeParse({ '\u00e9 follow me': 1, 'e\u0301 follow me': 2 })

    expect(JSON.stringify(error?.issues)).not.toContain('follow me')
  })
})
