import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest } from './content-under-test.ts'

/**
 * Lets two transactions meet: when the second begins, the first has done everything but take its
 * place in the order of publication. The second then waits for the first.
 */
export async function besidePublication(
  content: ContentUnderTest,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const release = await content.hold('SELECT FROM publication FOR UPDATE')
  const begun = first()
  await eventually('the first waits', async () => (await content.lockWaits()) === 1)
  const beside = second()
  await eventually('the second waits', async () => (await content.lockWaits()) === 2)
  await release()
  await Promise.all([begun, beside])
}
