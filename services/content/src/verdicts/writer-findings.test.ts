import { describe, expect, it } from '@jest/globals'
import type { PostDocument } from '../tables/documents.ts'
import { summaryOf } from '../texts/summary.ts'
import { asWritten } from './writer-findings.ts'

const BODY = 'Set **TOKEN** to s3cr3t.'

function aPost(summary: string): PostDocument {
  return { title: 'A token', summary, body_md: BODY } as PostDocument
}

const finding = (field: string, category = 'secret') => ({
  category,
  field,
  start: 4,
  end: 9,
  redacted_excerpt: '…',
  why: 'A secret.',
  fix: 'Take it out.',
})

describe('the findings that a writer is shown', () => {
  it('leave out findings in a summary that was derived from the body', () => {
    const findings = [finding('title'), finding('body_md'), finding('summary')]

    expect(asWritten(aPost(summaryOf(BODY)), findings)).toEqual(findings.slice(0, 2))
  })

  it('name the body for findings that only the derived summary shows', () => {
    const { category, why, fix } = finding('summary', 'lure')
    const findings = [finding('body_md'), finding('summary', 'lure'), finding('summary', 'lure')]

    const told = asWritten(aPost(summaryOf(BODY)), findings)

    expect(told).toEqual([finding('body_md'), { category, field: 'body_md', why, fix }])
  })

  it('name the body for findings of the derived summary although the title has one of the same kind', () => {
    const findings = [finding('title'), finding('summary')]

    const told = asWritten(aPost(summaryOf(BODY)), findings)

    expect(told.map(({ field }) => field)).toEqual(['title', 'body_md'])
  })

  it('name the summary if it was written by hand', () => {
    const findings = [finding('body_md'), finding('summary')]

    expect(asWritten(aPost('By hand.'), findings)).toEqual(findings)
  })
})
