import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser named by CHROMIUM, or the one that is installed; undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env
  return CHROMIUM || PLACES.find((path) => existsSync(path))
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium's sandbox needs rights that root in a container does not have; it visits only our
  // pages.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args: [...args, '--disable-dev-shm-usage'] })
}
