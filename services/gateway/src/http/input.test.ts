import { describe, expect, it } from '@jest/globals'
import { createKey, editMe, listSubmissions, registerAgent } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { createComment, editComment, listComments } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import { listChanges, listFeed } from '@stoa/shared/contracts/feed.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import { ackInbox } from '@stoa/shared/contracts/inbox.js'
import { claimAlert, resolveAlerts, suspendAgent } from '@stoa/shared/contracts/moderation.js'
import {
  acceptComment,
  createPost,
  editPost,
  getPost,
  listPosts,
  markDuplicate,
  reproducePost,
} from '@stoa/shared/contracts/posts.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { getVersion } from '@stoa/shared/contracts/versions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import type { AppError } from '@stoa/shared/errors/errors.js'
import { parseInput } from './input.ts'
import { parseQuery } from './query.ts'

const id = `pst_${'0'.repeat(32)}`

function body(contract: RequestContract, values: Record<string, unknown>, path = {}) {
  return parseInput(contract, { place: 'body', values, path })
}

function query(contract: RequestContract, search: string) {
  return parseInput(contract, { place: 'query', values: parseQuery(search), path: {} })
}

function refused(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    return error as AppError
  }
  throw new Error('was not refused')
}

function errorsOf(work: () => unknown) {
  return refused(work).details.errors ?? []
}

describe('the request parser', () => {
  it('takes a field of the path from the path, and warns if the body has another value for it', () => {
    const { input, warnings } = body(createComment, { id: 'forged', body_md: 'hi' }, { id })

    expect(input).toMatchObject({ id, body_md: 'hi' })
    expect(warnings).toEqual([{ code: 'ignored', name: 'id' }])
    expect(body(createComment, { id, body_md: 'hi' }, { id }).warnings).toEqual([])
  })

  it('answers not_found if the id in the path is malformed', () => {
    expect(refused(() => body(createComment, { body_md: 'hi' }, { id: 'x' })).code).toBe(
      'not_found',
    )
  })

  it('accepts an alias of a field, and its errors point at the name that the caller used', () => {
    expect(body(createComment, { body: 'hi' }, { id }).input).toMatchObject({ body_md: 'hi' })
    expect(errorsOf(() => body(createComment, { body: 5 }, { id }))).toEqual([
      { pointer: '/body', code: 'wrong_type', message: 'is not a string', received: '5' },
    ])
  })

  it('says that a URL may contain no spaces if a source contains a space', () => {
    const post = { slug: 'general', title: 'A title', kind: 'result', body_md: 'A body.' }

    expect(
      errorsOf(() => body(createPost, { ...post, sources: ['https://a.example/x y'] })),
    ).toEqual([
      {
        pointer: '/sources/0',
        code: 'invalid_url',
        message:
          'is not an http:// or https:// address without user information, spaces or backslashes',
        received: 'https://a.example/x y',
      },
    ])
  })

  it('refuses a link_url that two readers could take for different addresses', () => {
    const post = { slug: 'general', title: 'A title', kind: 'result', body_md: 'A body.' }
    const errors = (link_url: string) => errorsOf(() => body(createPost, { ...post, link_url }))
    const ambiguous = [
      ...['https://good.example\\@evil.example/', 'https://good.example/a\\b'],
      ...['https:x.example', 'https:\\\\x.example', 'http:///y.example/q', 'https:/z.example'],
    ]

    for (const url of ambiguous) {
      expect(errors(url)).toMatchObject([{ pointer: '/link_url', code: 'invalid_url' }])
    }
    expect(
      body(createPost, { ...post, link_url: 'HTTPS://x.example/a?b=%5C#c' }).input,
    ).toBeDefined()
  })

  it('refuses a URL whose host is longer than a host name may be, since long hosts are slow to parse', () => {
    const post = { slug: 'general', title: 'A title', kind: 'result', body_md: 'A body.' }
    const withHost = (host: string) =>
      body(createPost, { ...post, sources: [`https://${host}`], link_url: `https://${host}/a?b` })

    expect(withHost(`${'a'.repeat(253)}:65535`).input).toBeDefined()
    for (const host of ['a'.repeat(260), '漢'.repeat(1_900)]) {
      expect(errorsOf(() => withHost(host))).toMatchObject([
        { pointer: '/sources/0', code: 'invalid_url' },
        { pointer: '/link_url', code: 'invalid_url' },
      ])
    }
  })

  it('reads a summary without visible characters as an empty summary', () => {
    const post = { slug: 'general', title: 'A title', kind: 'result', body_md: 'A body.' }
    for (const summary of ['', '  ', '\u200b']) {
      expect(body(createPost, { ...post, summary }).input).toMatchObject({ summary: '' })
    }
  })

  it('reads a plus between a date and a time as a space, not as the sign of an offset', () => {
    const since = (given: string) => query(listFeed, `since=${given}`).input
    const at = (since: string) => ({ since: `2026-01-01T${since}:00.000Z` })

    expect(since('2026-01-01+12:30')).toMatchObject(at('12:30'))
    expect(since('2026-01-01+12:30+01:00')).toMatchObject(at('11:30'))
    expect(since('2026-01-01T12:30:00.5+0100')).toMatchObject({ since: '2026-01-01T11:30:00.500Z' })
  })

  it.each(['12:30:00%2B01', '12:30:00+01', '12:30:00.000+01', '10:30:00-01', '12:30%2B01'])(
    'accepts a time with an offset of whole hours: %s',
    (time) => {
      const { input } = query(listFeed, `since=2026-01-01T${time}`)

      expect(input).toMatchObject({ since: '2026-01-01T11:30:00.000Z' })
    },
  )

  it('refuses a vote or flag with two contradictory names for one field, and names both', () => {
    const other = id.replace(/0$/, '1')
    const message = (field: string) => `is not the same as ${field}: send one of them`
    const vote = { target_id: id, post_id: other, value: 1, direction: 'down' }
    expect(errorsOf(() => body(castVote, vote))).toEqual([
      { pointer: '/post_id', code: 'contradictory', message: message('target_id') },
      { pointer: '/direction', code: 'contradictory', message: message('value') },
    ])
    const flag = { post_id: id, comment_id: other.replace('pst', 'cmt'), reason: 'spam' }
    expect(errorsOf(() => body(createFlag, flag))).toEqual([
      { pointer: '/comment_id', code: 'contradictory', message: message('post_id') },
    ])
  })

  it('warns that target_type is ignored if it contradicts the type of the target id', () => {
    const ignored = [{ code: 'ignored', name: 'target_type' }]
    const vote = { target_id: id, value: 1 }
    const flag = { post_id: id, reason: 'spam' }

    expect(body(castVote, { ...vote, target_type: 'comment' }).warnings).toEqual(ignored)
    expect(body(createFlag, { ...flag, target_type: 'comment' }).warnings).toEqual(ignored)
    expect(body(castVote, { ...vote, target_type: 'post' }).warnings).toEqual([])
    expect(body(castVote, { ...vote, target_type: null }).warnings).toEqual([])
    expect(body(createFlag, { ...flag, target_type: 'Post' }).warnings).toEqual([])
  })

  it('accepts a vote that gives the same target and the same value under two names', () => {
    const vote = { target_id: id, post_id: id, comment_id: null, value: 1, direction: 'up' }

    expect(body(castVote, vote).input).toEqual({ target_id: id, value: 1 })
  })

  it('takes the value of the name that is not null if a field was sent under several names', () => {
    const comment_id = id.replace('pst', 'cmt')
    const vote = { target_id: null, post_id: null, comment_id, value: null, direction: 'up' }

    expect(body(castVote, vote).input).toEqual({ target_id: comment_id, value: 1 })
    const comment = body(createComment, { body_md: null, body: 'hi' }, { id })
    expect(comment).toMatchObject({ input: { body_md: 'hi' }, warnings: [] })
  })

  it('warns which name is ignored if a comment has two different texts under two names', () => {
    const two = body(createComment, { body_md: 'short', body: 'much longer' }, { id })
    const same = body(createComment, { body_md: 'short', body: 'short' }, { id })

    expect(two.input).toMatchObject({ body_md: 'short' })
    expect(two.warnings).toEqual([{ code: 'ignored', name: 'body' }])
    expect(same.warnings).toEqual([])
  })

  it('accepts a vote as a number or as a word, and lists both kinds if the value is neither', () => {
    const target_id = id
    expect(body(castVote, { target_id, direction: 'down' }).input).toEqual({ target_id, value: -1 })
    expect(body(castVote, { target_id, value: 0 }).input).toEqual({ target_id, value: 0 })
    const [error] = errorsOf(() => body(castVote, { target_id, direction: 'sideways' }))
    const message = 'is not one of: 1, -1, 0, up, down, none'
    expect(error).toMatchObject({ pointer: '/direction', message })
  })

  it('treats null in an optional field like a missing field', () => {
    const registered = { handle: 'ada', agent_name: 'Ada', model: 'm', harness: 'h', operator: 'o' }
    const nulls = { bio: null, home_url: null, operator_url: null, pubkey_hex: null }
    const post = { title: 'A title', kind: 'result', body_md: 'x' }
    const optional = { summary: null, tags: null, sources: null, data: null, link_url: null }
    const at = { slug: 'general' }

    expect(body(registerAgent, { ...registered, ...nulls })).toEqual(
      body(registerAgent, registered),
    )
    expect(body(createPost, { ...post, ...optional }, at)).toEqual(body(createPost, post, at))
    const edit = { title: 'A title', edit_note: null, expected_version: null }
    expect(body(editPost, edit, { id })).toEqual(body(editPost, { title: 'A title' }, { id }))
  })

  it('refuses null in a required field that cannot be null, under the name that the caller used', () => {
    expect(errorsOf(() => body(createComment, { body: null }, { id }))).toEqual([
      { pointer: '/body', code: 'wrong_type', message: 'is not a string', received: 'null' },
    ])
    expect(errorsOf(() => body(acceptComment, {}, { id }))).toMatchObject([{ code: 'required' }])
    expect(body(acceptComment, { comment_id: null }, { id }).input).toMatchObject({
      comment_id: null,
    })
  })

  it('refuses null in an edit if the field may be empty, and says how to keep and how to clear the field', () => {
    const message =
      'is null, which could mean to keep or to clear it: leave it out to keep it, send it empty to clear it'
    const edit = { title: 5, summary: null, tags: null, data: null }

    expect(errorsOf(() => body(editPost, edit, { id }))).toEqual([
      { pointer: '/title', code: 'wrong_type', message: 'is not a string', received: '5' },
      { pointer: '/summary', code: 'wrong_type', message, received: 'null' },
      { pointer: '/tags', code: 'wrong_type', message, received: 'null' },
      { pointer: '/data', code: 'wrong_type', message, received: 'null' },
    ])
    const [error] = errorsOf(() => body(editMe, { bio: null }))
    expect(error).toMatchObject({ pointer: '/bio', message })
    const cleared = { summary: '', tags: [], sources: [], data: {}, link_url: '' }
    expect(body(editPost, cleared, { id }).input).toMatchObject(cleared)
  })

  it('does not advise to clear a field by an empty value if an edit sets it to null and it cannot be empty', () => {
    const message = 'is null and cannot be empty: leave it out to keep it'
    const edit = { title: null, kind: null, body: null }
    const said = [
      ...errorsOf(() => body(editPost, edit, { id })),
      ...errorsOf(() => body(editMe, { display_name: null, model: null })),
    ]

    expect(said.map((error) => [error.pointer, error.message])).toEqual(
      ['/title', '/kind', '/body', '/display_name', '/model'].map((field) => [field, message]),
    )
  })

  it('points at an invalid item of an array with a JSON Pointer into the body', () => {
    const given = { title: 'ok title', kind: 'result', body_md: 'x', tags: ['fine', '!!'] }
    const [error] = errorsOf(() => body(createPost, given, { slug: 'general' }))

    expect(error).toMatchObject({ pointer: '/tags/1', code: 'invalid_format', received: '!!' })
  })

  it('names every required field that is missing', () => {
    const pointers = errorsOf(() => body(registerAgent, {})).map(({ pointer, code }) => [
      pointer,
      code,
    ])

    expect(pointers).toEqual(
      ['handle', 'agent_name', 'model', 'harness', 'operator'].map((name) => [
        `/${name}`,
        'required',
      ]),
    )
  })

  it.each([
    ['paragraphs', String.raw`It failed.\n\nThen it worked.`],
    ['a list', String.raw`Steps:\n- warm the cache\n- build`],
    ['numbers', String.raw`Steps:\n1. Warm the cache.\n2. Build.`],
    ['a heading, as Windows ends lines', String.raw`Done.\r\n## Why\r\nIt was cold.`],
    ['a fence', String.raw`Run this:\n\n${'```'}sh\nmake\n${'```'}`],
  ])('warns of a text whose line breaks were escaped twice: %s', (_, text) => {
    const warned = [{ code: 'escaped_line_breaks', name: 'body' }]

    expect(body(createComment, { body: text }, { id }).warnings).toEqual(warned)
    expect(body(createComment, { body: JSON.parse(`"${text}"`) }, { id }).warnings).toEqual([])
  })

  it.each([
    ['a path', String.raw`It stands in C:\new\notes\n1 of the disk.`, {}],
    ['code', 'Split it at `\\n\\n`, as in ``"a\\n- b"``.', {}],
    ['one that has line breaks too', `${String.raw`It prints "a\n\nb".`}\nThat is all.`, {}],
    ['a field that nobody knows', 'Fine.', { note: String.raw`a\n\nb` }],
  ])('does not warn of line breaks that were escaped twice in %s', (_, text, more: object) => {
    expect(body(createComment, { body_md: text, ...more }, { id }).warnings).toEqual([])
  })

  it('does not warn of escaped line breaks in a search query, which may be a line of a log', () => {
    const q = encodeURIComponent(String.raw`unexpected token \n\n- at line 3`)

    expect(query(searchAll, `q=${q}`).warnings).toEqual([])
  })

  it('says that a missing required field was found inside another member of the body', () => {
    const wrapped = { post: { title: 'Cold caches', kind: 'result' }, slug: 'general' }

    const messages = errorsOf(() => body(createPost, wrapped)).map(({ pointer, message }) => [
      pointer,
      message,
    ])

    const moved = 'is required, and stands within another member: move it to the top of the body'
    expect(messages).toEqual([
      ['/title', moved],
      ['/kind', moved],
      ['/body_md', 'is required'],
    ])
  })

  it('refuses an edit whose fields are all inside another member, instead of changing nothing', () => {
    const message = 'stands within another member: move it to the top of the body'
    const edit = { id, post: { id, title: 'Warm caches', body: 'x', colour: 'red' } }

    expect(errorsOf(() => body(editPost, edit, { id }))).toEqual([
      { pointer: '/title', code: 'misplaced', message },
      { pointer: '/body', code: 'misplaced', message },
    ])
    expect(errorsOf(() => body(createKey, { key: { expires_in_days: 30 } }))).toEqual([
      { pointer: '/expires_in_days', code: 'misplaced', message },
    ])
    const data = { title: 'A title of its own' }
    expect(body(editPost, { data }, { id }).input).toEqual({ id, data })
  })

  it('lists the known values if a query parameter has an unknown value, and points at ?name', () => {
    expect(errorsOf(() => query(listFeed, 'sort=best'))).toEqual([
      {
        pointer: '?sort',
        code: 'unknown_value',
        message: 'is not one of: hot, new, top, active, oldest',
        received: 'best',
      },
    ])
    expect(errorsOf(() => query(listFeed, 'limit=many&kind=result,poem'))).toEqual([
      expect.objectContaining({ pointer: '?kind', code: 'unknown_value' }),
      expect.objectContaining({ pointer: '?limit', message: 'is not a whole number' }),
    ])
  })

  it('names the invalid values if a query parameter has several values', () => {
    const several = [
      ...errorsOf(() => query(listPosts, `ids=${id},7&ids=${id}&ids=x`)),
      ...errorsOf(() => query(listFeed, 'kind=,result,poem&tag=-a')),
    ]

    expect(several.map(({ pointer, received }) => [pointer, received])).toEqual([
      ['?ids', '7'],
      ['?ids', 'x'],
      ['?kind', 'poem'],
      ['?tag', '-a'],
    ])
  })

  it.each([51, 60, 400])('says that a parameter takes at most 50 ids if it holds %i', (count) => {
    const ids = Array.from({ length: count }, () => id).join(',')

    expect(errorsOf(() => query(listPosts, `ids=${ids}`))).toEqual([
      expect.objectContaining({ pointer: '?ids', message: 'holds more than 50 items' }),
    ])
  })

  it.each([
    ['tag=c++,Rust', ['c++', 'rust']],
    ['tag=c%2B%2B&tag=C++17', ['c++', 'c++17']],
    ['tag=machine+learning', ['machine-learning']],
    ['tag=rust%20', ['rust']],
  ])(
    'reads the tags of a query with escaped and unescaped plus signs and spaces: %s',
    (search, tags) => {
      expect(query(listFeed, search).input.tag).toEqual(tags)
    },
  )

  it('says which characters a tag, a handle or a slug may begin with', () => {
    const given = { title: 'ok title', kind: 'result', body_md: 'x', tags: ['-wall'] }
    const messages = [
      ...errorsOf(() => body(createPost, given, { slug: 'general' })),
      ...errorsOf(() => query(listFeed, 'agent=_ada')),
      ...errorsOf(() => query(listFeed, 'community=-builds')),
    ].map(({ message }) => message)

    expect(messages).toEqual([
      'is not 1 to 40 characters of a-z, 0-9 and + . # -, beginning with a letter or digit',
      'is not 3 to 32 characters of a-z, 0-9, _ and -, beginning with a letter or digit',
      'is not 2 to 40 characters of a-z, 0-9 and -, beginning with a letter or digit',
    ])
  })

  it('says that a parameter was given twice if it takes one value', () => {
    const message = 'was given more than once and takes one value'
    expect(errorsOf(() => query(listFeed, 'sort=hot&sort=new&limit=1&limit=2'))).toEqual([
      { pointer: '?sort', code: 'repeated', message },
      { pointer: '?limit', code: 'repeated', message },
    ])
    const [many] = errorsOf(() => query(listFeed, 'kind=result&'.repeat(21)))
    expect(many).toMatchObject({ pointer: '?kind', code: 'too_long' })
    const [unfit] = errorsOf(() => query(searchAll, 'type=agent&kind=claim&kind=result'))
    expect(unfit).toMatchObject({ pointer: '?kind', code: 'not_applicable' })
  })

  it('says that a text is not an array if an array is required, and nothing about its length', () => {
    const post = { title: 'ok title', kind: 'result', body_md: 'x' }
    const refusal = { code: 'wrong_type', message: 'is not an array' }
    const tags = 'build,cache'

    expect(errorsOf(() => body(createPost, { ...post, tags }, { slug: 'general' }))).toEqual([
      { pointer: '/tags', ...refusal, received: tags },
    ])
    expect(errorsOf(() => body(resolveAlerts, { ids: '', action: 'remove' }))).toEqual([
      { pointer: '/ids', ...refusal, received: '' },
    ])
  })

  it('cuts the received value in an error to 64 characters, and leaves out a secret', () => {
    const long = errorsOf(() => body(createComment, { body_md: '😀'.repeat(20_001) }, { id }))
    const secret = errorsOf(() => query(listFeed, `sort=stoa_${'a'.repeat(20)}`))

    expect([...(long[0]?.received ?? '')]).toHaveLength(64)
    expect(secret[0]).not.toHaveProperty('received')
  })

  it('warns of a misspelt parameter and of a number that was lowered to the maximum', () => {
    expect(query(listFeed, 'limit=500&sicne=2026-01-01&colour=red')).toMatchObject({
      input: { limit: 100 },
      warnings: [
        { code: 'clamped', name: 'limit', maximum: 100 },
        { code: 'unknown_parameter', name: 'sicne', did_you_mean: 'since' },
      ],
    })
  })

  it('warns of a parameter that has another name here, unless the caller also sends that name', () => {
    const warned = (search: string) => query(searchAll, search).warnings

    expect(warned('query=flaky&agent_handle=ada')).toEqual([
      { code: 'unknown_parameter', name: 'query', did_you_mean: 'q' },
      { code: 'unknown_parameter', name: 'agent_handle', did_you_mean: 'agent' },
    ])
    expect(warned('q=flaky&query=flaky&constructor=x')).toEqual([])
  })

  it('warns of a parameter name with brackets and of a page number, and names the right parameters', () => {
    const warned = (search: string) =>
      query(listFeed, search).warnings.map(({ name, did_you_mean: meant }) => [name, meant])

    expect(warned('tag[]=a&tag[]=b&kind[0]=claim')).toEqual([
      ['tag[]', 'tag'],
      ['kind[0]', 'kind'],
    ])
    expect(warned('page=2&size=50')).toEqual([
      ['page', 'before'],
      ['size', 'limit'],
    ])
  })

  it('warns of query parameters in a URL that was escaped for HTML', () => {
    expect(query(listFeed, 'kind=claim&amp;community=general&amp;page=2').warnings).toEqual([
      { code: 'unknown_parameter', name: 'amp;community', did_you_mean: 'community' },
      { code: 'unknown_parameter', name: 'amp;page', did_you_mean: 'before' },
    ])
    expect(query(listFeed, 'kind=claim&amp;q=flaky').warnings).toEqual([
      { code: 'ignored', name: 'amp;q' },
    ])
  })

  it('warns of a query parameter that only another endpoint takes', () => {
    expect(query(listFeed, 'q=flaky&max_chars=200&colour=red').warnings).toEqual([
      { code: 'ignored', name: 'q' },
      { code: 'ignored', name: 'max_chars' },
    ])
  })

  it.each([
    [listChanges, 'lastEventId', 'after'],
    [listFeed, 'has_accepted_answer', 'resolved'],
    [listFeed, 'created_after', 'since'],
    [searchAll, 'keyword', 'q'],
    [searchAll, 'author_handle', 'agent'],
    [searchAll, 'max_results', 'limit'],
    [searchAll, 'pageSize', 'limit'],
    [searchAll, 'per-page', 'limit'],
    [listFeed, 'communitySlug', 'community'],
    [listChanges, 'createdAfter', 'after'],
    [listFeed, 'nextBefore', 'before'],
    [listFeed, 'order_by', 'sort'],
    [listFeed, 't', 'window'],
    [listFeed, 'timeframe', 'window'],
    [listFeed, 'start_date', 'since'],
    [listFeed, 'agent_id', 'agent'],
    [listFeed, 'by', 'agent'],
    [listFeed, 'subreddit', 'community'],
    [listFeed, 'topic', 'tag'],
    [listFeed, 'open', 'resolved=false'],
    [listFeed, 'format', 'fields'],
    [listFeed, 'first', 'limit'],
    [listFeed, 'page_token', 'before'],
    [searchAll, 's', 'q'],
    [searchAll, 'in', 'type'],
    [listFeed, 'max', 'limit'],
    [listFeed, 'n', 'limit'],
    [searchAll, 'top_k', 'limit'],
    [searchAll, 'rows', 'limit'],
    [listFeed, 'topics', 'tag'],
    [listFeed, 'pageNumber', 'before'],
    [listFeed, 'max_id', 'before'],
    [listFeed, 'start', 'since'],
    [listChanges, 'since_id', 'after'],
    [listFeed, 'newer_than', 'since'],
    [listFeed, 'days', 'window'],
    [searchAll, 'sort_order', 'sort'],
    [listFeed, 'dir', 'sort'],
  ] as const)(
    'suggests the right query parameter if the caller uses another name for it: %#',
    (contract, name, other) => {
      expect(query(contract, `${name}=1`).warnings).toContainEqual({
        code: 'unknown_parameter',
        name,
        did_you_mean: other,
      })
    },
  )

  it('suggests the parameter "under" if the caller asks for the replies to a comment by another name', () => {
    for (const name of ['parent_id', 'parent', 'comment_id']) {
      const given = { place: 'query', values: { [name]: id }, path: { id } } as const
      expect(parseInput(listComments, given).warnings).toEqual([
        { code: 'unknown_parameter', name, did_you_mean: 'under' },
      ])
    }
  })

  it('warns that the parameter "version" is ignored, since the endpoint returns the current version', () => {
    const given = { place: 'query', values: { version: '1' }, path: { id } } as const
    expect(parseInput(getPost, given).warnings).toEqual([{ code: 'ignored', name: 'version' }])
  })

  it('warns of a parameter of other forums, and suggests the equivalent only if there is one', () => {
    expect(query(listFeed, 'query=flaky&min_score=3&expires_in=3').warnings).toEqual([
      { code: 'ignored', name: 'query' },
      { code: 'ignored', name: 'min_score' },
    ])
    const search = 'end_date=2026-01-31&updated_since=2026-01-31&createdBefore=2026-01-31'
    expect(query(listFeed, search).warnings).toEqual([
      { code: 'ignored', name: 'end_date' },
      { code: 'ignored', name: 'updated_since' },
      { code: 'ignored', name: 'createdBefore' },
    ])
    expect(query(listFeed, 'end=2026-01-31&older_than=2026-01-31&reproduced=1').warnings).toEqual([
      { code: 'ignored', name: 'end' },
      { code: 'ignored', name: 'older_than' },
      { code: 'ignored', name: 'reproduced' },
    ])
    expect(query(listFeed, 'solved=false').warnings).toEqual([
      { code: 'unknown_parameter', name: 'solved', did_you_mean: 'resolved' },
    ])
    expect(query(listFeed, 'kind=question&unanswered=true').warnings).toEqual([
      { code: 'unknown_parameter', name: 'unanswered', did_you_mean: 'resolved=false' },
    ])
    expect(query(searchAll, 'q=flaky&resolved=false&unsolved=1').warnings).toEqual([
      { code: 'ignored', name: 'resolved' },
      { code: 'ignored', name: 'unsolved' },
    ])
    expect(query(listFeed, 'sort=top&period=week').warnings).toEqual([
      { code: 'unknown_parameter', name: 'period', did_you_mean: 'window' },
    ])
  })

  it('warns that instead_of is ignored if alerts are decided in bulk', () => {
    const given = { ids: [`alr_${id.slice(4)}`], action: 'remove', instead_of: null }
    const warned = [given, { ...given, instead_of: '2026-11-24T09:30:00.000Z' }].map(
      (values) => body(resolveAlerts, values).warnings,
    )

    expect(warned).toEqual([[], [{ code: 'ignored', name: 'instead_of' }]])
  })

  it('warns that an end time of a suspension is ignored', () => {
    const { warnings } = body(suspendAgent, { handle: 'ada', note: 'Spam.', days: 3, until: '' })

    expect(warnings).toEqual([
      { code: 'ignored', name: 'until' },
      { code: 'ignored', name: 'days' },
    ])
  })

  it('says which path parameter has the wrong form, and describes the right form', () => {
    const error = refused(() => body(createComment, { body_md: 'x' }, { id: `cmt_${id.slice(4)}` }))

    expect(error).toMatchObject({ code: 'not_found', details: { reason: 'form' } })
    expect(error.details.errors).toEqual([
      {
        pointer: '{id}',
        code: 'invalid_format',
        message: 'is not an id of a post: pst_ and 32 lower-case hexadecimal digits',
      },
    ])
    expect(errorsOf(() => body(getVersion, {}, { id, version: 'x' }))).toMatchObject([
      { pointer: '{version}', message: 'is not a whole number' },
    ])
    expect(errorsOf(() => body(claimAlert, {}, { id }))).toMatchObject([
      { message: 'is not an id of an alert: alr_ and 32 lower-case hexadecimal digits' },
    ])
  })

  it('lists the prefixes of all possible ids if an id may be of several types', () => {
    const [bare] = errorsOf(() => body(castVote, { target_id: id.slice(4), value: 1 }))
    const [handle] = errorsOf(() => body(createFlag, { target_id: 'ada', reason: 'spam' }))

    expect(bare?.message).toBe(
      'is not an id of a post, comment or suggestion: pst_, cmt_ or sug_ and 32 lower-case hexadecimal digits',
    )
    expect(handle?.message).toContain('pst_, cmt_, sug_, agt_, com_ or rpr_ and 32 lower-case')
  })

  it('lists the allowed values if a required choice is missing', () => {
    const [kind] = errorsOf(() =>
      body(createPost, { title: 'A title', body_md: 'x' }, { slug: 'a' }),
    )
    const [value] = errorsOf(() => body(castVote, { target_id: id }))

    expect(kind).toEqual({
      pointer: '/kind',
      code: 'required',
      message: 'is required, one of: result, showcase, claim, proposal, intro, question, solution',
    })
    expect(value).toEqual({
      pointer: '/value',
      code: 'required',
      message: 'is required, one of: 1, -1, 0, up, down, none',
    })
  })

  it('says what null does if a field that is required and may be null is missing', () => {
    const missing = [
      ...errorsOf(() => body(acceptComment, {}, { id })),
      ...errorsOf(() => body(markDuplicate, {}, { id })),
    ]
    const [wrong] = errorsOf(() => body(acceptComment, { comment_id: 7 }, { id }))

    expect(missing).toEqual([
      { pointer: '/comment_id', code: 'required', message: 'is required; null reopens the post' },
      { pointer: '/canonical_id', code: 'required', message: 'is required; null clears the mark' },
    ])
    expect(wrong?.message).toBe('is not a string')
  })

  it('says that an allowed number in quotes is not a number, instead of listing the allowed values', () => {
    expect(errorsOf(() => body(castVote, { target_id: id, value: '1' }))).toEqual([
      { pointer: '/value', code: 'wrong_type', message: 'is not a number', received: '1' },
    ])
    expect(errorsOf(() => body(castVote, { target_id: id, value: '2' }))).toMatchObject([
      { code: 'unknown_value' },
    ])
  })

  it('calls an empty text and an empty array empty if the field may not be empty', () => {
    const messages = (work: () => unknown) => errorsOf(work).map(({ message }) => message)

    expect(messages(() => body(createComment, { body_md: '' }, { id }))).toEqual(['is empty'])
    expect(messages(() => body(resolveAlerts, { ids: [], action: 'remove' }))).toEqual(['is empty'])
  })

  it('accepts field and parameter names in camelCase', () => {
    const parent_id = `cmt_${'0'.repeat(32)}`
    const taken = { input: { id, body_md: 'x', parent_id }, warnings: [] }

    expect(body(createComment, { bodyMd: 'x', parentId: parent_id }, { id })).toEqual(taken)
    expect(body(editPost, { expectedVersion: 2 }, { id }).input).toEqual({
      id,
      expected_version: 2,
    })
    expect(body(castVote, { postId: id, value: 1 }).input).toEqual({ target_id: id, value: 1 })
    expect(query(getPost, `id=${id}&maxChars=9`)).toMatchObject({ input: { max_chars: 9 } })
    expect(
      errorsOf(() => body(createComment, { bodyMd: 'x', parentId: 'y' }, { id })),
    ).toMatchObject([{ pointer: '/parent_id' }])
  })

  it('takes the snake_case name and warns of the camelCase name if the body has both', () => {
    const given = { body_md: 'x', bodyMd: 'y' }

    expect(body(createComment, given, { id })).toEqual({
      input: { id, body_md: 'x' },
      warnings: [{ code: 'unknown_field', name: 'bodyMd', did_you_mean: 'body_md' }],
    })
  })

  it.each([
    'reply_to',
    'in_reply_to',
    'inReplyToId',
    'reply_to_id',
    'parent_comment_id',
    'parent',
    'comment_id',
  ])('makes a comment a reply to the comment that %s names', (name) => {
    const parent_id = `cmt_${'0'.repeat(32)}`

    expect(body(createComment, { body_md: 'x', [name]: parent_id }, { id })).toEqual({
      input: { id, body_md: 'x', parent_id },
      warnings: [],
    })
  })

  it('suggests the required field if the caller leaves out its _id or uses another name for it', () => {
    const meant = (contract: RequestContract, name: string, beside = {}) =>
      refused(() => body(contract, { ...beside, [name]: 'x' }, { id })).details.warnings

    const warned = (name: string, other: string) => [
      { code: 'unknown_field', name, did_you_mean: other },
    ]
    expect(meant(acceptComment, 'comment')).toEqual(warned('comment', 'comment_id'))
    expect(meant(acceptComment, 'answer_id')).toEqual(warned('answer_id', 'comment_id'))
    expect(meant(markDuplicate, 'duplicate_of')).toEqual(warned('duplicate_of', 'canonical_id'))
    expect(meant(acceptComment, 'accepted_comment_id')).toEqual(
      warned('accepted_comment_id', 'comment_id'),
    )
    expect(meant(markDuplicate, 'duplicate_of_id')).toEqual(
      warned('duplicate_of_id', 'canonical_id'),
    )
    expect(meant(createAppeal, 'case')).toEqual(warned('case', 'case_id'))
    expect(meant(castVote, 'suggestion_id')).toEqual(warned('suggestion_id', 'target_id'))
    expect(meant(ackInbox, 'after')).toEqual(warned('after', 'cursor'))
    expect(meant(createComment, 'comment')).toEqual(warned('comment', 'body_md'))
    expect(meant(markDuplicate, 'post_id')).toEqual(warned('post_id', 'canonical_id'))
    expect(meant(reproducePost, 'status')).toEqual(warned('status', 'outcome'))
    expect(meant(createSuggestion, 'description')).toEqual(warned('description', 'body_md'))
    expect(meant(registerAgent, 'username')).toEqual(warned('username', 'handle'))
    expect(meant(createAppeal, 'message')).toEqual(warned('message', 'reason'))
    expect(meant(createPost, 'raw')).toEqual(warned('raw', 'body_md'))
    expect(meant(createCommunity, 'name', { title: 'All who build' })).toEqual(
      warned('name', 'slug'),
    )
    expect(meant(createPost, 'post_type')).toEqual(warned('post_type', 'kind'))
    expect(meant(createPost, 'subject')).toEqual(warned('subject', 'title'))
    expect(meant(castVote, 'score')).toEqual(warned('score', 'value'))
    expect(meant(resolveAlerts, 'decision')).toEqual(warned('decision', 'action'))
    expect(meant(resolveAlerts, 'alert_ids')).toEqual(warned('alert_ids', 'ids'))
    expect(query(listAudit, 'actor=alice').warnings).toEqual([
      { code: 'unknown_parameter', name: 'actor', did_you_mean: 'moderator' },
    ])
    expect(query(listSubmissions, 'status=pending').warnings).toEqual([
      { code: 'unknown_parameter', name: 'status', did_you_mean: 'visibility' },
    ])
    expect(query(listFeed, 'submolt=meta').warnings).toEqual([
      { code: 'unknown_parameter', name: 'submolt', did_you_mean: 'community' },
    ])
    expect(query(listChanges, 'type=post.published').warnings).toEqual([
      { code: 'unknown_parameter', name: 'type', did_you_mean: 'types' },
    ])
  })

  it('suggests the optional field if the caller uses its name in answers or another name for it', () => {
    const meant = (contract: RequestContract, given: Record<string, unknown>, path = {}) =>
      body(contract, given, path).warnings.map(({ name, did_you_mean: other }) => [name, other])
    const post = { title: 'A title', kind: 'result', body_md: 'x' }
    const agent = { handle: 'ada', agent_name: 'Ada', model: 'm', harness: 'h', operator: 'o' }

    expect(meant(createKey, { expires_at: '2027-01-31T00:00:00.000Z' })).toEqual([
      ['expires_at', 'expires_in_days'],
    ])
    expect(meant(createKey, { expires: 30 })).toEqual([['expires', 'expires_in_days']])
    expect(meant(editMe, { description: 'I measure.' })).toEqual([['description', 'bio']])
    const place = { slug: 'builds', title: 'Builds', desc: 'The same twice.' }
    expect(meant(createCommunity, place)).toEqual([['desc', 'description']])
    expect(meant(createFlag, { target_id: id, reason: 'spam', details: 'x' })).toEqual([
      ['details', 'note'],
    ])
    expect(meant(createFlag, { target_id: id, reason: 'spam', comment: 'x' })).toEqual([
      ['comment', 'note'],
    ])
    expect(meant(createComment, { body_md: 'x', toPid: 7 }, { id })).toEqual([
      ['toPid', 'parent_id'],
    ])
    expect(meant(editPost, { title: 'Another', version: 3, edit_reason: 'x' }, { id })).toEqual([
      ['version', 'expected_version'],
      ['edit_reason', 'edit_note'],
    ])
    const linked = { ...post, link: 'https://example.org/', labels: ['build'], references: [] }
    expect(meant(createPost, linked, { slug: 'meta' })).toEqual([
      ['link', 'link_url'],
      ['labels', 'tags'],
      ['references', 'sources'],
    ])
    expect(meant(registerAgent, { ...agent, homepage: '', public_key: '' })).toEqual([
      ['homepage', 'home_url'],
      ['public_key', 'pubkey_hex'],
    ])
    const whole = { ...post, url: 'https://forum.example/p/1', link_url: '', version: 1 }
    expect(meant(createPost, whole, { slug: 'meta' })).toEqual([])
  })

  it.each<[string, RequestContract, Record<string, string>]>([
    ['a vote', castVote, { id: 'target_id', vote_type: 'value' }],
    ['a flag', createFlag, { id: 'target_id', target: 'target_id', agent: 'target_id' }],
    ['a flag', createFlag, { category: 'reason', notes: 'note', body: 'note' }],
    ['a report', reproducePost, { note: 'notes', body_md: 'notes', comment: 'notes' }],
    ['a report', reproducePost, { reason: 'notes', verdict: 'outcome', success: 'outcome' }],
    ['a duplicate', markDuplicate, { target_id: 'canonical_id', original_id: 'canonical_id' }],
    ['an accepted answer', acceptComment, { target_id: 'comment_id' }],
    ['an appeal', createAppeal, { id: 'case_id', note: 'reason', text: 'reason', body: 'reason' }],
    ['an edit', editPost, { note: 'edit_note', reason: 'edit_note' }],
    ['a decision', resolveAlerts, { outcome: 'action', reason: 'note', comment: 'note' }],
    ['a suspension', suspendAgent, { reason: 'note', message: 'note', notes: 'note' }],
    ['a key', createKey, { ttl: 'expires_in_days', days: 'expires_in_days' }],
    ['a registration', registerAgent, { model_id: 'model', runtime: 'harness', owner: 'operator' }],
    ['a registration', registerAgent, { organization: 'operator', about: 'bio' }],
    ['a community', createCommunity, { about: 'description', summary: 'description' }],
  ])('suggests the right field of %s for names that other fields have', (_, contract, names) => {
    const warnings = (name: string) => {
      try {
        return body(contract, { [name]: 'x' }, 'id' in contract.input.shape ? { id } : {}).warnings
      } catch (error) {
        return (error as AppError).details.warnings
      }
    }

    const meant = Object.keys(names).map((name) => [name, warnings(name)?.[0]?.did_you_mean])

    expect(Object.fromEntries(meant)).toEqual(names)
  })

  it('removes control sequences from a search query, and warns if it shortens the query', () => {
    const search = (q: string) => query(searchAll, new URLSearchParams({ q }).toString())

    expect(search('cannot borrow\r\n\tas  mutable\u2028twice\u0000')).toMatchObject({
      input: { q: 'cannot borrow as mutable twice' },
      warnings: [],
    })
    const coloured = '\u001b[1;31merror\u001b[0m: \u001b]0;title\u0007it \u202efailed'
    expect(search(coloured).input).toMatchObject({ q: 'error: it failed' })
    const limited = [{ code: 'clamped', name: 'q', maximum: 300 }]
    for (const text of ['🧱'.repeat(299), `${'a'.repeat(297)} b`]) {
      const [whole, longer] = [search(`${text}c`), search(`${text}c ${'d'.repeat(5_000)}`)]
      expect(whole).toEqual({ input: expect.objectContaining({ q: `${text}c` }), warnings: [] })
      expect(longer).toEqual({ ...whole, warnings: limited })
    }
    const cutAtSpace = search(`${'a'.repeat(299)} b`)
    expect(cutAtSpace).toMatchObject({ input: { q: 'a'.repeat(299) }, warnings: limited })
  })

  it('ignores a search query of only punctuation, but not one of symbols or letters', () => {
    for (const q of ['*', '-', '"', '+++', '— «…»']) {
      const warnings = [{ code: 'ignored', name: 'q' }]
      expect(query(searchAll, new URLSearchParams({ q }).toString())).toEqual({
        input: expect.objectContaining({ q: '' }),
        warnings,
      })
    }
    for (const q of ['c++', '→', '数', '🧱', 'é']) {
      expect(query(searchAll, new URLSearchParams({ q }).toString())).toEqual({
        input: expect.objectContaining({ q }),
        warnings: [],
      })
    }
  })

  it('warns of a field that this endpoint ignores but another endpoint or an answer has', () => {
    const ignored = (name: string) => ({ code: 'ignored', name })

    const profile = body(editMe, { bio: 'Mine.', operator: 'Other Lab', handle: 'other' })
    const post = body(editPost, { id, community: 'meta', community_slug: 'meta' })
    const shown = {
      accepted_comment_id: `cmt_${'0'.repeat(32)}`,
      duplicate_of_id: id,
      resolved: true,
    }

    expect(profile).toEqual({
      input: { bio: 'Mine.' },
      warnings: [ignored('handle'), ignored('operator')],
    })
    expect(post.warnings).toEqual([ignored('community'), ignored('community_slug')])
    expect(body(editPost, { id, ...shown }).warnings).toEqual(Object.keys(shown).map(ignored))
    const fixed = [
      [createPost, 'community_slug', { slug: 'meta' }],
      [reproducePost, 'independent', { id }],
      [createSuggestion, 'status', {}],
      [editComment, 'parent_id', { id: id.replace('pst', 'cmt') }],
      [editComment, 'edit_note', { id: id.replace('pst', 'cmt') }],
    ] as const
    for (const [contract, name, path] of fixed) {
      const { warnings } = body(contract, { ...contract.example, [name]: 'x' }, path)
      expect(warnings).toEqual([ignored(name)])
    }
    expect(query(listFeed, 'window=day').warnings).toEqual([ignored('window')])
    expect(query(listFeed, 'window=day&sort=top').warnings).toEqual([])
  })

  it('warns of a misspelt parameter also if it refuses the request', () => {
    const { details } = refused(() => query(listFeed, 'srot=new&limit=x'))

    expect(details.errors).toHaveLength(1)
    expect(details.warnings).toEqual([
      { code: 'unknown_parameter', name: 'srot', did_you_mean: 'sort' },
    ])
  })

  it('lowers a whole number of any length to the maximum, and refuses a number below the minimum', () => {
    for (const limit of ['101', '9007199254740993', '9'.repeat(400)]) {
      expect(query(listFeed, `limit=${limit}`)).toMatchObject({
        input: { limit: 100 },
        warnings: [{ code: 'clamped', name: 'limit', maximum: 100 }],
      })
      expect(errorsOf(() => query(listFeed, `limit=-${limit}`))).toMatchObject([
        { pointer: '?limit', code: 'too_small', message: 'is less than 1' },
      ])
    }
  })

  it('does not say that a number was lowered to the maximum if it refuses the number', () => {
    for (const limit of ['1e3', 'Infinity', '0x1000', ' 200']) {
      const { details } = refused(() => query(listFeed, new URLSearchParams({ limit }).toString()))

      expect(details.errors).toMatchObject([{ pointer: '?limit', code: 'invalid_format' }])
      expect(details.warnings).toEqual([])
    }
  })

  it('reads repeated and comma-separated values alike, and an empty value as missing', () => {
    const repeated = query(listFeed, 'kind=result&kind=claim&before=')
    const joined = query(listFeed, 'kind=result,claim')

    expect(repeated.input).toEqual(joined.input)
  })
})

describe('unknown fields', () => {
  const warned = (values: Record<string, unknown>) => body(createComment, values, { id }).warnings
  const misspelled = { body_mdd: 'x' }

  it('get suggestions only if a body has at most 50 of them', () => {
    const others = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`z${n}zzzzzzzzz`, 1]))

    expect(warned({ body_md: 'x', ...others(49), ...misspelled })).toHaveLength(1)
    expect(warned({ body_md: 'x', ...others(50), ...misspelled })).toEqual([])
  })

  it('get at most ten suggestions', () => {
    const names = [...'abcdefghijklmno'].map((letter) => [`body_m${letter}x`, 1])

    expect(warned({ body_md: 'x', ...Object.fromEntries(names) })).toHaveLength(10)
  })
})
