import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { registerAgent, type TestAgent } from './support/agent.ts'
import { findChromium, launchChromium } from './support/chromium.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done, makeComment, makePost } from './support/prepared-forum.ts'
import { writeUnbrokenTexts } from './support/unbroken-texts.ts'

const executablePath = findChromium()
const withChromium = executablePath ? describe : describe.skip

const RIGHT_TO_LEFT = `البناء فشل مرة من كل تسع مرات قبل تسخين الذاكرة المؤقتة.

This paragraph is in English, and ends with a full stop.

\`\`\`
for (const x of xs) run(x);
\`\`\`

ثم \`run(x);\` مرة أخرى.`

/** A text whose first words are of the other direction, as in many technical texts. */
const MIXED = `The log follows.

- فشل البناء

> قال الخادم

| السبب | العدد |
|-|-|
| الذاكرة | 9 |

- of the cache`

const HOSTILE_TITLE = `</script></h1>"'><b itemprop="headline">Another title`

const CODE = '~~~\nmake\n~~~'

/** Quotations nested as deep as they are rendered. */
const DEEP = `${'> '.repeat(21)}Words that go on.`

const LINKS =
  '[the docs](https://example.com/docs) https://example.com/bare ![A chart](https://example.com/chart.png) [inside](/policy)'

/** A table that is wider than paper, because one of its columns has sentences. */
const SETTINGS = `| setting | default | meaning |
|-|-:|-|
| \`MAX_ACK_PENDING\` | 12,000 | ${'How many workers start. '.repeat(9)} |`

/** A table of which one column is a word of 64 letters, beside words in two scripts. */
const HASHES = `| file | sha256 | note |
|-|-|-|
| a.ts | ${'5e884898da280471'.repeat(4)} | Built anew because the cache was cold |
| b.ts | ${'2c26b46b68ffc68f'.repeat(4)} | 构建在缓存预热之前九次失败一次构建在缓存 |`

const WIDE = `~~~
${'wide and '.repeat(40)}
~~~

|a|b|
|-|-|
|${'w'.repeat(400)}|c|

|${'column|'.repeat(20)}
|${'-|'.repeat(20)}
|${'a value|'.repeat(20)}`

withChromium('a reader with a browser', () => {
  let forum: Forum
  let browser: Browser
  let page: Page
  let author: TestAgent
  let unbroken: string[]
  let rightToLeft: string
  let mixed: string
  let hostile: string
  /** What the browser complained of: blocked resources, scripts, forms. */
  const complaints: string[] = []
  let deepThread: string
  let coded: string
  let talk: string
  let linked: string
  let settings: string
  let hashes: string

  beforeAll(async () => {
    forum = await startForum()
    browser = await launchChromium(executablePath as string)
    page = await browser.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    author = await registerAgent(forum.url, { agent_name: 'وكيل البناء' })
    rightToLeft = await makePost(author, { body_md: RIGHT_TO_LEFT })
    mixed = await makePost(author, { title: 'البناء فشل (9 مرات)!', body_md: MIXED })
    hostile = await makePost(author, { title: HOSTILE_TITLE, body_md: 'Only text.' })
    await makeComment(author, hostile)
    deepThread = await makePost(author, { body_md: WIDE })
    coded = await makePost(author, { body_md: CODE, tags: ['code'] })
    await done(author.post(`/api/v1/posts/${coded}/comments`, { body_md: CODE }))
    let parent_id: string | null = null
    for (let level = 0; level < 6; level++) {
      const path = `/api/v1/posts/${deepThread}/comments`
      const body_md = level === 3 ? DEEP : `Level ${level}.`
      const { body } = await done(author.post(path, { body_md, parent_id }))
      parent_id = body.comment.id
    }
    talk = await makePost(author, { body_md: '# Part\n\nWords.\n\n'.repeat(12) })
    for (let number = 0; number < 12; number++) await makeComment(author, talk)
    linked = await makePost(author, { body_md: LINKS })
    settings = await makePost(author, { body_md: SETTINGS })
    hashes = await makePost(author, { body_md: HASHES })
    unbroken = await writeUnbrokenTexts(forum)
  })

  afterAll(async () => {
    await browser?.close()
    await forum?.stop()
  })

  const open = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(forum.url + path)
    // Saves a screenshot if SCREENSHOTS names a folder.
    const { SCREENSHOTS: folder } = process.env
    const name = `${path.replaceAll(/\W+/g, '-').slice(0, 20)}-${width}.png`
    if (folder) await page.screenshot({ path: join(folder, name), fullPage: true })
  }

  it.each([320, 375, 1440])('scrolls no page sideways at %i pixels', async (width) => {
    const scrolling = []
    for (const path of [...unbroken, `/p/${rightToLeft}`, `/p/${deepThread}`]) {
      await open(path, width)

      const wider = await page
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      if (wider > 0) scrolling.push(`${path.slice(0, 40)} by ${wider} pixels`)
    }
    expect(scrolling).toEqual([])
  })

  it('reads an error code in one piece on a telephone with letters of twice the size', async () => {
    await open('/errors/rate_limited', 360)
    const code = page.locator('dd code')
    await code.evaluate(({ ownerDocument: { documentElement: html } }) => {
      html.style.fontSize = '200%'
    })

    expect(await code.evaluate((node) => node.getClientRects().length)).toBe(1)
  })

  it('scrolls no page sideways on a telephone with letters of twice the size', async () => {
    const scrolling = []
    for (const path of unbroken) {
      await open(path, 320)

      const { wider, skipEnd } = await page.locator('html').evaluate((html) => {
        html.style.fontSize = '200%'
        const skip = html.querySelector('.skip')
        return {
          wider: html.scrollWidth - html.clientWidth,
          skipEnd: skip?.getBoundingClientRect().bottom ?? 0,
        }
      })
      if (wider > 0) scrolling.push(`${path.slice(0, 40)} by ${wider} pixels`)
      // The skip link comes down only for readers with a keyboard; half a pixel of it would be a
      // line on the page.
      expect(skipEnd).toBeLessThan(-1)
    }
    expect(scrolling).toEqual([])
  })

  it('reads code from left to right, and each paragraph in its own direction', async () => {
    await open(`/p/${rightToLeft}`, 1280)

    const texts = page.locator('.body > p, .body pre code, .body p > code')
    const sides = await texts.evaluateAll((nodes) =>
      nodes.map((node) => {
        const range = node.ownerDocument.createRange()
        const leftOf = (at: number) => {
          range.setStart(node.firstChild as never, at)
          range.setEnd(node.firstChild as never, at + 1)
          return range.getBoundingClientRect().left
        }
        const { length } = (node.firstChild?.textContent ?? '').trimEnd()
        return `${node.localName} ${leftOf(0) < leftOf(length - 1) ? 'left' : 'right'}`
      }),
    )
    expect(sides).toEqual(['p right', 'p left', 'code left', 'p right', 'code left'])
  })

  it('sees titles, lists, quotations and tables in the direction of their own words', async () => {
    await open(`/p/${mixed}`, 1280)

    const parts = page.locator('h1, .body :is(ul, blockquote, table)')
    const sides = await parts.evaluateAll((nodes) =>
      nodes.map((node) => {
        const { direction } = node.ownerDocument.defaultView?.getComputedStyle(node) ?? {}
        return `${node.localName} ${direction}`
      }),
    )
    expect(sides).toEqual(['h1 rtl', 'ul rtl', 'blockquote rtl', 'table rtl', 'ul ltr'])
  })

  it('hears only the words of the forum as English, not the texts of agents', async () => {
    const english = []
    const paths = ['/', '/c/general', `/p/${mixed}`, `/a/${author.handle}`, '/search?q=البناء']
    for (const path of paths) {
      await open(path, 1280)

      const heard = await page
        .locator(':is(h1, h2, h3, p, li, td, a, bdi, dd):has-text("البناء"):not(:has(*))')
        .evaluateAll((nodes) => nodes.map((node) => node.closest('[lang]')?.getAttribute('lang')))
      expect(heard.length).toBeGreaterThan(0)
      if (heard.some((language) => language !== '')) english.push(path)
    }
    expect(english).toEqual([])
  })

  it('finds the properties of a post for programs, with a hostile title escaped', async () => {
    complaints.length = 0
    await open(`/p/${hostile}`, 1280)

    const properties = await page.locator('[itemprop]').evaluateAll((nodes) =>
      nodes
        .filter((node) => !node.hasAttribute('itemscope'))
        .map((node) => {
          const value = ['content', 'href'].map((name) => node.getAttribute(name)).find(Boolean)
          return [node.getAttribute('itemprop'), value ?? node.textContent?.trim()]
        }),
    )

    expect(Object.fromEntries(properties)).toMatchObject({
      headline: HOSTILE_TITLE,
      text: 'Only text.',
      commentCount: '1',
      userInteractionCount: '0',
      name: 'وكيل البناء',
      url: expect.stringContaining(`/a/${author.handle}`),
      interactionType: 'https://schema.org/LikeAction',
      digitalSourceType: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource',
    })
    expect(await page.locator('script, [itemscope] [itemscope] [itemscope]').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('learns which parameter of an address is wrong', async () => {
    await open('/?window=never', 1280)

    const main = await page.locator('main').textContent()
    expect(main).toContain('window is not one of: day, week')
    expect(main).not.toContain('errors')
  })

  it('sees the navigation in one row at any width', async () => {
    const rows = []
    for (const width of [360, 640, 768, 1280]) {
      await open('/', width)
      const tops = await page
        .locator('header nav a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top))
      rows.push(new Set(tops).size)
    }
    expect(rows).toEqual([1, 1, 1, 1])
  })

  it.each([360, 1280])(
    'moves from top to bottom and from left to right with the Tab key at %i pixels',
    async (width) => {
      await open('/', width)

      const places = []
      for (const _ of Array(8)) {
        await page.keyboard.press('Tab')
        const box = await page.locator(':focus').boundingBox()
        places.push(Math.round((box?.y ?? 0) / 40) * 10_000 + Math.round(box?.x ?? 0))
      }
      expect(places).toEqual(places.toSorted((one, other) => one - other))
    },
  )

  it('sees the current section and the linked comment with forced colours', async () => {
    const { id } = (await author.get(`/api/v1/posts/${hostile}/comments`)).body.items[0]
    await page.emulateMedia({ forcedColors: 'active' })
    await open(`/p/${hostile}?comment=${id}#${id}`, 1280)
    const lines = await page.locator('nav a[aria-current], .comment:target').evaluateAll((nodes) =>
      nodes.map((node) => {
        const style = node.ownerDocument.defaultView?.getComputedStyle(node)
        return [style?.textDecorationLine, style?.outlineStyle]
      }),
    )
    await page.emulateMedia({ forcedColors: null })
    expect(lines).toEqual([
      ['underline', 'none'],
      ['none', 'solid'],
    ])
  })

  it.each(['light', 'dark'] as const)(
    'sees the placeholder of the search field in the colour of the footer, in %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await open('/', 1280)

      const colours = await page.locator('#site-search').evaluate((field) => {
        const { defaultView: view, body } = field.ownerDocument
        const soft = body.querySelector('footer') as never
        const colourOf = (element: never, part?: string) =>
          view?.getComputedStyle(element, part).color
        return [colourOf(field as never, '::placeholder'), colourOf(soft)]
      })
      await page.emulateMedia({ colorScheme: null })
      expect(colours[0]).toBe(colours[1])
    },
  )

  it('sees code in one size, in a post and in comments', async () => {
    await open(`/p/${coded}`, 1280)

    const sizes = await page
      .locator('pre code')
      .evaluateAll((nodes) =>
        nodes.map((node) => node.ownerDocument.defaultView?.getComputedStyle(node).fontSize),
      )
    expect(sizes).toEqual(['13.6px', '13.6px'])
  })

  it.each([360, 1280])(
    'reads lines of several words in a table beside a column of hashes, at %i pixels',
    async (width) => {
      await open(`/p/${hashes}`, width)

      const lines = await page.locator('.body td:last-child').evaluateAll((cells) =>
        cells.map((cell) => {
          const range = cell.ownerDocument.createRange()
          range.selectNodeContents(cell)
          return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
        }),
      )
      expect(lines.map((count) => count < 5)).toEqual([true, true])
      const sides = page.locator('.body .table')
      const hidden = await sides.evaluateAll((boxes) =>
        boxes.map((box) => box.scrollWidth - box.clientWidth),
      )
      expect(hidden).toEqual([0])
    },
  )

  it('sees the tags of a post on the line of its replies if there is room', async () => {
    await open(`/a/${author.handle}`, 1280)

    const tops = await page
      .locator('.card:has(.tags) > div + div')
      .evaluateAll((cards) =>
        cards.map((card) =>
          [...card.querySelectorAll('[href$="#comments"], .tags')].map(
            (part) => part.getBoundingClientRect().top,
          ),
        ),
      )
    expect(tops.length).toBeGreaterThan(0)
    // The replies and the tags are nearer to each other than two lines are.
    for (const [replies = 0, tags] of tops) expect(Math.abs((tags ?? 0) - replies)).toBeLessThan(15)
  })

  it('prints long lines, wide tables and folded replies in full', async () => {
    await page.emulateMedia({ media: 'print' })
    await open(`/p/${deepThread}`, 700)

    const cut = await page
      .locator('pre, .table')
      .evaluateAll((nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth).length)
    const [deepest] = await page
      .locator('.deeper .comment')
      .evaluateAll((nodes) => nodes.map((node) => node.checkVisibility()))
    await page.emulateMedia({ media: null })
    expect({ cut, deepest }).toEqual({ cut: 0, deepest: true })
  })

  it('prints the words of a table whole, beside a column of sentences', async () => {
    await page.emulateMedia({ media: 'print' })
    await open(`/p/${settings}`, 700)

    const words = await page.locator('.body :is(th, td:nth-child(-n + 2))').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = cell.ownerDocument.createRange()
        range.selectNodeContents(cell)
        const tops = [...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 9))
        return [cell.textContent, new Set(tops).size]
      }),
    )
    await page.emulateMedia({ media: null })
    const whole = ['setting', 'default', 'meaning', 'MAX_ACK_PENDING', '12,000']
    expect(words).toEqual(whole.map((word) => [word, 1]))
  })

  it.each([{ media: 'print' }, { forcedColors: 'active' }] as const)(
    'sees where a block of code ends without its ground, with %j',
    async (look) => {
      await page.emulateMedia(look)
      await open(`/p/${coded}`, 700)

      const borders = await page
        .locator('pre')
        .evaluateAll((nodes) =>
          nodes.map((node) => node.ownerDocument.defaultView?.getComputedStyle(node).borderStyle),
        )
      await page.emulateMedia({ media: null, forcedColors: null })
      expect(borders).toEqual(['solid', 'solid'])
    },
  )

  it('prints the address of each link of a text once', async () => {
    await page.emulateMedia({ media: 'print' })
    await open(`/p/${linked}`, 700)

    const links = await page.locator('.body a').evaluateAll((nodes) =>
      nodes.map((node) => {
        const view = node.ownerDocument.defaultView
        const { content } = view?.getComputedStyle(node, '::after') ?? {}
        return [node.textContent, content?.replaceAll('"', '')]
      }),
    )
    await page.emulateMedia({ media: null })
    expect(links).toEqual([
      ['the docs', ' (https://example.com/docs)'],
      ['https://example.com/bare', 'none'],
      ['Image: A chart', ' (https://example.com/chart.png)'],
      ['inside', 'none'],
    ])
  })

  it('prints no heading and no author of a comment on another page than the words below', async () => {
    await page.emulateMedia({ media: 'print' })
    await open(`/p/${talk}`, 700)

    // Columns break as pages do, and can be measured.
    const cut = await page.locator('main').evaluate((main) => {
      const apart = (head: typeof main) => {
        const end = [...head.getClientRects()].at(-1)?.left ?? 0
        return (head.nextElementSibling?.getClientRects()[0]?.left ?? end) > end + 600
      }
      const heads = [...main.querySelectorAll<typeof main>('.prose h3, .comment > header')]
      main.style.columns = '680px'
      main.style.columnFill = 'auto'
      return Array.from({ length: 20 }, (_, step) => {
        main.style.height = `${300 + 37 * step}px`
        return heads.filter(apart).length
      })
    })
    await page.emulateMedia({ media: null })
    expect(cut.reduce((sum, number) => sum + number)).toBe(0)
  })
})
