import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'

/** WCAG 2.2 A and AA, and what the library calls best practices. */
const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  preload: false,
}

interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

/** A look at a page takes up to seconds. Colours do not depend on the width, so each is looked at once. */
export const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
]

/** A page that the library can look at. The browser puts it there, so that no page need allow it. */
export async function newInspectedPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await page.addInitScript({ content: axe.source })
  return page
}

/** What is wrong with the page that is open: the rule, and the first of its elements. */
export async function violationsOf(page: Page, { width, colorScheme }: Look): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  // What is folded is looked at too.
  await page.locator('details').evaluateAll((folds) => {
    for (const fold of folds) fold.setAttribute('open', '')
  })
  const { violations }: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})`)
  return violations.map(({ id, nodes }) => {
    const [first] = nodes
    return `${page.url()}: ${id} in ${nodes.length} places, ${first?.html} ${first?.failureSummary}`
  })
}
