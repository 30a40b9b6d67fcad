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

/**
 * Checking a page takes up to seconds. Colours do not depend on the width, so each width and each
 * scheme is checked once.
 */
export const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
]

/** A page that axe can check. The browser injects the library, so that no page has to allow it. */
export async function newInspectedPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await page.addInitScript({ content: axe.source })
  return page
}

/** The violations on the open page: the rule of each, and the first element that breaks it. */
export async function violationsOf(page: Page, { width, colorScheme }: Look): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  // Folded content is checked too.
  await page.locator('details').evaluateAll((folds) => {
    for (const fold of folds) fold.setAttribute('open', '')
  })
  const { violations }: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})`)
  return violations.map(({ id, nodes }) => {
    const [first] = nodes
    return `${page.url()}: ${id} in ${nodes.length} places, ${first?.html} ${first?.failureSummary}`
  })
}
