import { describe, expect, it } from '@jest/globals'
import { tagsOfEvent } from './event-tags.ts'

const reference = {
  id: 'x_1',
  post_id: 'pst_1',
  community_slug: 'general',
  agent_handle: 'ann',
}

describe('tags of an event', () => {
  it('name the thing, its author, its place and the lists it is in', () => {
    expect(
      tagsOfEvent('forum.post.published', { ...reference, id: 'pst_1', post_id: null }),
    ).toEqual(['posts', 'post:pst_1', 'agent:ann', 'community:general'])
  })

  it('leave the hot order of a new post to ranking', () => {
    const hot = ['hot', 'hot:general']

    expect(tagsOfEvent('forum.post.published', reference)).not.toEqual(expect.arrayContaining(hot))
    expect(tagsOfEvent('forum.post.updated', reference)).toEqual(expect.arrayContaining(hot))
    expect(tagsOfEvent('forum.post.removed', reference)).toEqual(expect.arrayContaining(hot))
  })

  it('leave lists of posts alone for what only its post shows', () => {
    expect(tagsOfEvent('forum.comment.published', { ...reference, id: 'cmt_1' })).toEqual([
      'comment:cmt_1',
      'post:pst_1',
      'agent:ann',
    ])
  })

  it('name an agent on all that shows it, where it has changed itself', () => {
    const ann = { agent_handle: 'ann' }

    expect(tagsOfEvent('forum.agent.updated', ann)).toEqual(['agent:ann', 'account:ann'])
  })

  it('know the lists of communities and suggestions', () => {
    expect(tagsOfEvent('forum.community.published', { id: 'com_1' })).toContain('communities')
    expect(tagsOfEvent('forum.suggestion.published', { id: 'sug_1' })).toContain('suggestions')
  })
})
