import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { aPost } from '../testing/harness.ts'
import { indexedDocument } from './indexed-document.ts'

const bodyOf = (body_md: string) => indexedDocument(aPost({ body_md })).body_md

describe('an indexed document', () => {
  it('has each word of the body once and in order, except very common words', () => {
    expect(bodyOf('Warm the cache, soon warm (the) cache.\n\n- And later: `warm`')).toBe(
      'warm. cache. soon. later. ',
    )
  })

  it('has no word in its body that another field has', () => {
    const post = aPost({
      title: 'A cold cache',
      summary: 'Warm the *cache* by hand.',
      tags: ['module-resolver'],
      body_md: 'The module cache is cold; warm it by hand: cacheable.',
    })

    expect(indexedDocument(post)).toMatchObject({
      title: 'A cold cache',
      summary: 'Warm the *cache* by hand.',
      tags: ['module-resolver'],
      body_md: 'cacheable. ',
    })
  })

  it('separates words at symbols of code', () => {
    expect(bodyOf('k=b x|y <U> $HOME ~/bin cc`dd')).toBe('k. b. x. y. u home bin cc dd ')
    expect(bodyOf('k++ warm_journal_73 e.g. journal-73')).toBe('k. warm. journal. 73. e g ')
    expect(indexedDocument(aPost({ title: 'retries=3', summary: '<b>' }))).toMatchObject({
      title: 'retries 3',
      summary: ' b ',
    })
  })

  it('separates words at non-ASCII blanks and signs', () => {
    expect(bodyOf('warm\u202fcache a\u2011z q→x ⚠️Hot 5\u00a0GiB')).toBe(
      'warm. cache. z. q. → x ⚠️ hot 5 gib ',
    )
    expect(bodyOf('warm…cache ‼ cold⁈disk')).toBe('warm. cache. cold. disk. ')
    expect(indexedDocument(aPost({ title: 'Node\u00a0v20', summary: 'up→down' }))).toMatchObject({
      title: 'Node v20 20',
      summary: 'up → down',
    })
  })

  it('has the number of a version with and without its v', () => {
    expect(bodyOf('Node v20.11.1 and v8x')).toBe('node. v20. 20. 11. 1 v8x ')
    expect(indexedDocument(aPost({ title: 'Node V20.11', summary: 'v8x' }))).toMatchObject({
      title: 'Node V20 20.11',
      summary: 'v8x',
    })
  })

  it('has a name and its number together and apart, without a v between them', () => {
    expect(bodyOf('Python3.11, TLSv1.3 and ES2015')).toBe(
      'python3. python. 3. 11. tlsv1 tlsv tls 1 es2015 es 2015 ',
    )
    expect(bodyOf('x86 log4j 3ab ab12cd deadbeef1x')).toBe('x86. log4j. 3ab. ab12cd. deadbeef1x ')
    expect(indexedDocument(aPost({ title: 'On Node20', summary: 'rev2' }))).toMatchObject({
      title: 'On Node20 Node 20',
      summary: 'rev2 rev re 2',
    })
  })

  it('has the first digits of a hash, and the digits after 0x', () => {
    expect(bodyOf('At 3F2A9C1e7b by 0x80070005, not defaced or 20240115.')).toBe(
      '3f2a9c1e7b. 3f2a9c1. 0x80070005. 80070005. defaced 20240115 ',
    )
    expect(indexedDocument(aPost({ title: 'On deadbeef1', summary: '0xC0000005' }))).toMatchObject({
      title: 'On deadbeef1 deadbee',
      summary: '0xC0000005 C0000005',
    })
  })

  it('has a word of its own for a name that differs only by signs, such as C++', () => {
    expect(bodyOf('C++17, (C#) or .NET8 on example.net; g++ count++ Objective-C++')).toBe(
      'c. cpp. 17. csharp. net dotnet 8 example g gpp count objective ',
    )
    expect(indexedDocument(aPost({ title: 'F# by .NET' }))).toMatchObject({
      title: 'F# fsharp  by .NET dotnet ',
    })
  })

  it('has a number with grouped digits as one number, too', () => {
    expect(bodyOf('Of 65,536 or 1_000_000, not [0,100] or 1,2345')).toBe(
      '65. 536. 65536. 1. 000 1000000 0 100 2345 ',
    )
    expect(indexedDocument(aPost({ title: '32,768 tokens' }))).toMatchObject({
      title: '32,768 32768  tokens',
    })
  })

  it('has a number and its unit together and apart', () => {
    expect(bodyOf('It has 16GiB, 1.5ms and 3ab.')).toBe('16gib. 16. gib. 1. 5ms 5 ms 3ab ')
    expect(bodyOf('After 10µs of 512Mi')).toBe('10us. 10. us. 512mi. 512 mi ')
    expect(indexedDocument(aPost({ title: 'In 10ms', summary: '2GHz' }))).toMatchObject({
      title: 'In 10ms 10 ms',
      summary: '2GHz 2 GHz',
    })
  })

  it('is made from a long body of only punctuation within seconds', () => {
    const built = new URL('../../dist/indexing/indexed-document.js', import.meta.url).href
    const document = aPost({ body_md: `é${'—'.repeat(39_998)}é` })
    const script = `
      const { indexedDocument } = await import('${built}')
      process.stdout.write(indexedDocument(${JSON.stringify(document)}).body_md)`

    // An algorithm that takes the square of the length takes 9 s here, and would block all
    // searches.
    const body = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 4_000,
    })

    expect(`${body}`).toBe(`${document.body_md}. `)
  })

  it('keeps the words of every script, and leaves words with non-ASCII letters unchanged', () => {
    expect(bodyOf('数据库。 Ünïcode — “Quoted” Ñandú')).toBe('数据库. Ünïcode. quoted. Ñandú. ')
  })

  it('has letters that Meilisearch does not decompose, such as ß, in their ASCII spelling', () => {
    expect(bodyOf('Łódź STRAẞE ＡＰＩ２ μs μ')).toBe('lódź. strasse. api2. api. 2 us μ ')
    expect(indexedDocument(aPost({ title: 'Œuvre', summary: 'Ørsted' }))).toMatchObject({
      title: 'oeuvre',
      summary: 'orsted',
    })
  })
})
