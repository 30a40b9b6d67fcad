import { describe, expect, it } from '@jest/globals'
import { PathTree } from './path-tree.ts'

function treeOf(...templates: string[]) {
  const tree = new PathTree<string>()
  for (const template of templates) tree.add(template, template)
  return tree
}

describe('the path tree', () => {
  const tree = treeOf(
    '/api/v1/posts',
    '/api/v1/posts/{id}',
    '/api/v1/posts/{id}.md',
    '/api/v1/posts/{id}/versions/{version}',
    '/api/v1/posts/recent/list',
  )

  it('finds the template and the decoded parameters of a path', () => {
    expect(tree.find('/api/v1/posts/a%20b/versions/3')).toEqual({
      template: '/api/v1/posts/{id}/versions/{version}',
      value: '/api/v1/posts/{id}/versions/{version}',
      parameters: { id: 'a b', version: '3' },
    })
  })

  it('prefers literal segments, and tries parameters if literal segments lead to no template', () => {
    expect(tree.find('/api/v1/posts/x.md')?.template).toBe('/api/v1/posts/{id}.md')
    expect(tree.find('/api/v1/posts/recent/list')?.template).toBe('/api/v1/posts/recent/list')
    expect(tree.find('/api/v1/posts/recent')?.parameters).toEqual({ id: 'recent' })
    expect(tree.find('/api/v1/posts/.md')?.parameters).toEqual({ id: '.md' })
  })

  it('ignores one slash at the end of a path, and no other difference', () => {
    expect(tree.find('/api/v1/posts/')?.template).toBe('/api/v1/posts')
    for (const path of ['/', '/api', '/api/v1/posts//', '/api/v1//posts', '/API/v1/posts']) {
      expect(tree.find(path)).toBeUndefined()
    }
  })

  it('refuses a path with a parameter that cannot be decoded', () => {
    expect(() => tree.find('/api/v1/posts/%E0%A4%A')).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    )
  })
})
