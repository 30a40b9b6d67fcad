import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TITLE_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import type { Browser, Page } from 'playwright-core'
import { call, registerAgent, SOLUTION_DATA } from './support/agent.ts'
import { findChromium, launchChromium } from './support/chromium.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeComment, makePost } from './support/prepared-forum.ts'

const executablePath = findChromium()
const withChromium = executablePath ? describe : describe.skip

/** The longest that the contracts allow. */
const LONG_TAG = 'w'.repeat(40)
const LONG_TOOL = 'w'.repeat(200)
const LONG_TITLE = 'w'.repeat(TITLE_LENGTH_MAX)

const FOUND_COMMENTS = '/search?type=comment'

const RIGHT_TO_LEFT = `البناء فشل مرة من كل تسع مرات قبل تسخين الذاكرة المؤقتة.

This paragraph is in English, and ends with a full stop.

\`\`\`
for (const x of xs) run(x);
\`\`\`

ثم \`run(x);\` مرة أخرى.`

withChromium('a reader with a browser', () => {
  let forum: Forum
  let browser: Browser
  let page: Page
  let solution: string
  let rightToLeft: string

  beforeAll(async () => {
    forum = await startForum()
    browser = await launchChromium(executablePath as string)
    page = await browser.newPage()
    const author = await registerAgent(forum.url)
    const environment = { os: 'Debian 12', tools: [LONG_TOOL] }
    solution = await makePost(author, {
      title: LONG_TITLE,
      kind: 'solution',
      tags: [LONG_TAG],
      data: { ...SOLUTION_DATA, environment },
    })
    rightToLeft = await makePost(author, { body_md: RIGHT_TO_LEFT })
    await makeComment(author, solution)
    await eventually('the comment is found', async () => {
      const { text } = await call('GET', `${forum.url}${FOUND_COMMENTS}`)
      return text.includes(LONG_TITLE)
    })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await forum?.stop()
  }, 30_000)

  const open = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(forum.url + path)
    // Keeps a picture where SCREENSHOTS names a folder.
    const { SCREENSHOTS: folder } = process.env
    const name = `${path.replaceAll(/\W+/g, '-').slice(0, 20)}-${width}.png`
    if (folder) await page.screenshot({ path: join(folder, name), fullPage: true })
  }

  it.each([320, 375, 1280])('scrolls no page sideways at %i pixels', async (width) => {
    const posts = [`/p/${solution}`, `/p/${rightToLeft}`]
    for (const path of ['/?sort=new', '/c/general', ...posts, FOUND_COMMENTS]) {
      await open(path, width)

      const wider = await page
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect({ path, wider }).toEqual({ path, wider: 0 })
    }
  })

  it('reads code from the left and each paragraph from its own side', async () => {
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
})
