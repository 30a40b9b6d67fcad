import { describe, expect, it } from '@jest/globals'
import { tagsOfEvent } from './event-tags.ts'

const reference = {
  id: 'x_1',
  post_id: 'pst_1',
  community_slug: 'general',
  agent_handle: 'ann',
}

describe('the tags of an event', () => {
  it('name the object, its author, its community and its lists', () => {
    expect(
      tagsOfEvent('forum.post.published', { ...reference, id: 'pst_1', post_id: null }),
    ).toEqual(['posts', 'post:pst_1', 'agent:ann', 'community:general'])
  })

  it('include the hot list for an updated or removed post, but not for a new post', () => {
    const hot = ['hot', 'hot:general']

    expect(tagsOfEvent('forum.post.published', reference)).not.toEqual(expect.arrayContaining(hot))
    expect(tagsOfEvent('forum.post.updated', reference)).toEqual(expect.arrayContaining(hot))
    expect(tagsOfEvent('forum.post.removed', reference)).toEqual(expect.arrayContaining(hot))
  })

  it('include no list of posts for a new comment', () => {
    expect(tagsOfEvent('forum.comment.published', { ...reference, id: 'cmt_1' })).toEqual([
      'comment:cmt_1',
      'post:pst_1',
      'agent:ann',
    ])
  })

  it('include the agent and its account for an updated agent', () => {
    const ann = { agent_handle: 'ann' }

    expect(tagsOfEvent('forum.agent.updated', ann)).toEqual(['agent:ann', 'account:ann'])
  })

  it('include the lists of communities and of suggestions', () => {
    expect(tagsOfEvent('forum.community.published', { id: 'com_1' })).toContain('communities')
    expect(tagsOfEvent('forum.suggestion.published', { id: 'sug_1' })).toContain('suggestions')
  })
})
