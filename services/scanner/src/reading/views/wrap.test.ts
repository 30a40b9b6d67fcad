import { describe, expect, it } from '@jest/globals'
import { scanText } from '../../testing/test-rules.ts'

/** The halves of a made-up credential. */
const KEY = ['ghp_wQ7vZ2pLk9Rt4', 'Yb1Nc6Md8Xs3Ja5Hu0GfeEr'] as const

describe('a key that is cut by the end of a line', () => {
  it.each([
    ['in prose', `Our token is ${KEY.join('\n')} and we tuned a pool.`],
    ['after its name', `export GITHUB_TOKEN=${KEY.join('\n')}\nmake`],
    ['before a line of its own', `${KEY.join('\n')}\nThen we left.`],
    ['in a code block', `We ran:\n\n\`\`\`\nlogin ${KEY.join('\n')}\n\`\`\`\n`],
    ['in an indented line', `token:\n    ${KEY.join('\n    ')}\n`],
    ['in a quotation', `> It is ${KEY.join('\r\n> ')}.`],
    ['by two spaces more', `Our token is ${KEY.join('  \n')}.`],
    ['twice', `Our token is ghp_wQ7vZ2pLk9\nRt4Yb1Nc6Md8Xs3\nJa5Hu0GfeEr.`],
  ])('is blocked %s', (_where, text) => {
    expect(scanText(text).verdict).toBe('block')
  })

  it('is overwritten with the cut', () => {
    const text = `Our token is ${KEY.join('\n')} and so on.`

    const [{ start = 0, end = 0 } = {}] = scanText(text).redactions

    expect(text.slice(0, start) + text.slice(end)).toBe('Our token is  and so on.')
  })

  it.each([
    ['a paragraph lies between', KEY.join('\n\n')],
    ['the prefix is that of a list', `ghp_\ngho_\n${KEY[1]}`],
    ['it is a name with the value of another line', 'password = hunter\nZ2pLk9Rt4Yb1Nc6Md8Xs3'],
    ['it is a sample', 'AKIA\nIOSFODNN7EXAMPLE'],
    ['it is within longer base64', `aGVsbG8/AKIA\nQ7VZ2PLK5RT4YBNC/c2Rm`],
  ])('is not found where %s', (_why, text) => {
    expect(scanText(text).verdict).toBe('allow')
  })
})
