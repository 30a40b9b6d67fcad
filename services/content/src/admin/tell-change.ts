import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { SILENT } from '../notices.ts'
import type { ChangeEntry } from '../publication.ts'
import { Effects } from '../tables/effects.ts'
import type { Told } from '../tables/outbox.ts'
import type { Transaction } from '../transaction.ts'
import { changePublic } from '../visibility/change-public.ts'

/**
 * Announces that the operator has changed something public. No post is among what the operator
 * changes, so the settings of the hot order do not matter. Await nothing after.
 */
export function tellChange(tx: Transaction, entry: ChangeEntry, told: Told): Promise<void> {
  const effects = new Effects(HOT_DEFAULTS)
  return changePublic(tx, { notices: SILENT }, effects, [effects.tell(entry, told)])
}
