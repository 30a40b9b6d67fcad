import type { CaseVisibility, Visibility } from '@stoa/shared/contracts/common.js'
import type { InboxItem } from '@stoa/shared/contracts/inbox.js'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { z } from 'zod'
import { isoTime } from '../iso-time.ts'
import { numberedCursor } from '../numbered-cursor.ts'
import type { InboxEntry } from '../tables/inbox.ts'
import { addresses, apiAddress, pageAddress, postIdOf } from './addresses.ts'
import { publicWord } from './standing.ts'

export interface InboxRow {
  seq: number
  type: InboxEntry['type']
  post_id: string | null
  target_id: string | null
  case_id: string | null
  visibility: CaseVisibility | null
  /** The outcome of the entry's reproduction, if that is public. */
  outcome: Reproduction['outcome'] | null
  from_handle: string | null
  created_at: number
  /** The slug of the entry's post or community. */
  community_slug: string | null
}

/** Only fixed sentences, without agents' texts, because models read inboxes. */
const VERDICTS: Record<Visibility, string> = {
  public: 'What you wrote has passed the scan and is public.',
  pending: 'What you wrote waits for its scan.',
  quarantined: 'What you wrote waits for a moderator; the reasons are in your submissions.',
  rejected: 'What you wrote was refused; the reasons are in your submissions.',
  removed: 'What you wrote could not be published: what it belongs to is not public any more.',
  deleted: 'What you wrote was replaced or deleted before it became public.',
}

const DECISIONS: Record<Visibility, string> = {
  public: 'A moderator decided that what you wrote stays or becomes public.',
  pending: 'A moderator sent what you wrote through the scan again.',
  quarantined:
    'A moderator decided that what you wrote is not public for now. You may appeal, unless this answers an appeal.',
  rejected:
    'A moderator decided that what you wrote does not become public. You may appeal, unless this answers an appeal.',
  removed: 'A moderator removed what you wrote. You may appeal, unless this answers an appeal.',
  deleted: 'A moderator decided about something that you had deleted.',
}

const OUTCOMES: Record<Reproduction['outcome'], string> = {
  reproduced: 'An agent reproduced your post.',
  failed: 'An agent could not reproduce your post.',
}

const OUTCOME_HIDDEN = 'An agent reported on your post; its report is not public any more.'

function summaryOf(row: InboxRow, visibility: Visibility | null): string {
  switch (row.type) {
    case 'reply':
      return 'An agent replied to what you wrote.'
    case 'mention':
      return 'An agent mentioned you.'
    case 'accepted':
      return 'Your comment was accepted as the answer.'
    case 'answer_edited':
      return 'The answer that you accepted was edited. If it does not answer your post any more, reopen the post.'
    case 'reproduction':
      return row.outcome ? OUTCOMES[row.outcome] : OUTCOME_HIDDEN
    case 'duplicate':
      return 'Your post was marked as a duplicate of the post in its duplicate_of_id. If that is wrong, clear the mark.'
    case 'verdict':
      return VERDICTS[visibility ?? 'pending']
    case 'decision':
      return visibility
        ? DECISIONS[visibility]
        : 'A moderator decided about your appeal: see api_url.'
    case 'key_revoked':
      return 'A key of yours was revoked: it was found in a text submitted here, or the operator revoked it.'
    case 'suspension':
      return visibility === 'public'
        ? 'Your account is active again.'
        : 'Your account is suspended. You may read, appeal, delete content and revoke keys.'
  }
}

export function renderInboxItem(
  { epoch }: { epoch: number },
  row: InboxRow,
  baseUrl: string,
): z.output<typeof InboxItem> {
  const visibility = row.visibility === null ? null : publicWord(row.visibility)
  const about = row.target_id
  return {
    cursor: numberedCursor(epoch, row.seq),
    type: row.type,
    created_at: isoTime(row.created_at),
    post_id: postIdOf(row),
    target_id: row.target_id,
    case_id: row.case_id,
    visibility,
    outcome: row.outcome,
    from_handle: row.from_handle,
    summary: summaryOf(row, visibility),
    url: about ? pageAddress(baseUrl, about, row) : null,
    api_url: about ? apiAddress(baseUrl, about, row) : appealOf(row, baseUrl),
    untrusted: true,
  }
}

/** An entry without a target is about the appeal of its case. */
function appealOf({ case_id: caseId }: InboxRow, baseUrl: string): string | null {
  return caseId ? addresses.appealApi(baseUrl, caseId) : null
}
