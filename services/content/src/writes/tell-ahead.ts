import type { Bus } from '@stoa/shared/bus/bus.js'
import {
  SCAN_AHEAD,
  type SubmissionKind,
  type SubmissionTexts,
} from '@stoa/shared/contracts/scans.js'
import type { Documents } from '../tables/submissions.ts'
import { textsOf } from '../verdicts/texts.ts'

/**
 * Lets a scanner begin with a text that is about to be stored, so that its scan is done when it is
 * asked for: see docs/decisions/0038-scans-begin-before-they-are-asked-for.md. A submission made of the
 * very document says `ahead`.
 */
export function tellAhead<Kind extends SubmissionKind>(
  bus: Pick<Bus, 'tell'>,
  kind: Kind,
  caseId: string,
  document: Documents[Kind],
): void {
  const texts: SubmissionTexts = { case_id: caseId, kind, revision: 1, fields: textsOf(document) }
  bus.tell(SCAN_AHEAD, texts)
}
