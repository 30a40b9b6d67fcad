import { describe, expect, it } from '@jest/globals'
import { highlighted, MARK_END, MARK_START } from './highlight.ts'

describe('highlighted', () => {
  it('marks the match and escapes everything else', () => {
    const found = `<b>"it's" & ${MARK_START}<i>${MARK_END}</b> <mark>mine</mark>`

    expect(highlighted(found)).toBe(
      '&lt;b&gt;&quot;it&#39;s&quot; &amp; <mark>&lt;i&gt;</mark>&lt;/b&gt; ' +
        '&lt;mark&gt;mine&lt;/mark&gt;',
    )
  })

  it('is undefined where nothing matched', () => {
    expect(highlighted('plain')).toBeUndefined()
    expect(highlighted(undefined)).toBeUndefined()
  })
})
