import { describe, expect, it } from '@jest/globals'
import { createPost } from '@stoa/shared/contracts/posts.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { AppError, invalidField } from '@stoa/shared/errors/errors.js'
import { inCallersNames } from './callers-names.ts'

function pointers(given: string[], values: Record<string, unknown>, path = {}) {
  const errors = given.map((pointer) => ({ pointer, code: 'removed' as const, message: 'is gone' }))
  const error = new AppError('removed', { errors })
  const told = inCallersNames(error, castVote, { place: 'body', values, path }) as AppError
  return told.details.errors?.map(({ pointer }) => pointer)
}

describe('a refusal by a service', () => {
  it('points at the fields by the names and places that the caller used', () => {
    const values = { post_id: 'x', value: 1 }

    expect(pointers(['/target_id/0', '/value'], values)).toEqual(['/post_id/0', '/value'])
    expect(pointers(['/target_id'], { target_id: 'x', post_id: 'x' })).toEqual(['/target_id'])
    expect(pointers(['/target_id'], { postId: 'x' })).toEqual(['/post_id'])
    expect(pointers(['/target_id'], { value: 1 }, { target_id: 'x' })).toEqual(['{target_id}'])
  })

  it('says that a missing member of an object was sent at the top of the body', () => {
    const missing = ['/data/problem', '/data/environment/os', '/data/fix', '/title']
    const errors = missing.map((pointer) => ({
      pointer,
      code: 'required' as const,
      message: 'is required',
    }))
    const error = new AppError('validation_failed', { errors })
    const values = { title: null, problem: 'Builds failed.', os: 'linux', data: {} }

    const told = inCallersNames(error, createPost, { place: 'body', values, path: {} }) as AppError

    const moved = 'is required, and stands at the top of the body: move it into'
    expect(told.details.errors?.map(({ message }) => message)).toEqual([
      `${moved} data`,
      `${moved} data.environment`,
      'is required',
      'is required',
    ])
  })

  it('stays as it is if it is not about a field of the body', () => {
    expect(pointers(['', 'If-Match:'], { post_id: 'x' })).toEqual(['', 'If-Match:'])
    const bug = new Error('unexpected')
    expect(inCallersNames(bug, castVote, { place: 'body', values: {}, path: {} })).toBe(bug)
  })

  it('keeps its code and the codes of its errors', () => {
    const error = invalidField('/target_id', 'own_content', 'names your own content')
    const given = { place: 'body', values: { comment_id: 'x' }, path: {} } as const

    expect(inCallersNames(error, castVote, given)).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/comment_id', code: 'own_content' }] },
    })
  })
})
