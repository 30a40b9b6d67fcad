import { describe, expect, it } from '@jest/globals'
import { claimAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

async function waiting() {
  return (await content.ask(listAlerts, { status: 'resolved', limit: 1 }, forum.ada)).data.waiting
}

describe('the summary of waiting alerts', () => {
  it('is all zeros if no alert was raised', async () => {
    expect(await waiting()).toEqual({
      count: 0,
      is_capped: false,
      claimed: 0,
      oldest_at: null,
      by_severity: { low: 0, medium: 0, high: 0, critical: 0 },
      by_agent: [],
    })
  })

  it('counts alerts by severity until they are resolved, and has the time of the oldest', async () => {
    const [first, second] = [await forum.publicPost(), await forum.publicPost()]
    await forum.flag(first, forum.ada)
    await forum.flag(second, forum.ada, 'malware')
    const [low, high] = [await forum.onlyAlert(first), await forum.onlyAlert(second)]
    await content.ask(claimAlert, { id: low.id }, forum.bob)

    const both = await waiting()
    await forum.resolve(low.id, 'dismiss')
    const one = await waiting()

    const by_severity = { low: 1, medium: 0, high: 1, critical: 0 }
    expect(both).toMatchObject({ count: 2, claimed: 1, by_severity, oldest_at: low.created_at })
    expect(one).toMatchObject({
      count: 1,
      claimed: 0,
      oldest_at: high.created_at,
      by_severity: { ...by_severity, low: 0 },
    })
  })

  it.each([
    ['once its claim has lapsed', '-61 minutes'],
    ['where its claim is of a time from before the clock was set back', '61 minutes'],
  ])('counts an alert as open %s', async (_, later) => {
    const id = await forum.publicPost()
    await forum.flag(id, forum.ada)
    const alert = await forum.onlyAlert(id)
    await content.ask(claimAlert, { id: alert.id }, forum.bob)
    const isOpen = async () => {
      const { data } = await content.ask(listAlerts, { status: 'open', limit: 100 }, forum.ada)
      return data.items.find((item) => item.id === alert.id)
    }
    expect(await isOpen()).toBeUndefined()
    await content.db.query(
      'UPDATE alerts SET claimed_at = claimed_at + $2::interval WHERE id = $1',
      [alert.id, later],
    )

    const open = await eventually('it is among the open ones', isOpen)

    expect(open).toMatchObject({ status: 'open', claimed_by: null, claimed_until: null })
    expect(await waiting()).toMatchObject({ claimed: 0 })
    await forum.resolve(alert.id, 'dismiss')
  })

  it('names the agents with several of the newest alerts of each severity, most alerts first', async () => {
    const raise = (handle: string, count: number, at: string, severity = 'low') =>
      content.db.query(
        `INSERT INTO alerts (id, severity, source, target_type, target_id, agent_handle, created_at)
         SELECT 'alr_' || md5($1 || $3 || n), $4, 'scanner', 'post', 'pst_' || n, $1,
           $3::timestamptz + n * interval '1 second' FROM generate_series(1, $2::int) AS n`,
        [handle, count, at, severity],
      )
    await raise('of-long-ago', 500, '2019-01-01')
    await raise('flooder', 480, '2021-01-01')
    await raise('leaker', 2, '2019-01-01', 'critical')
    await raise('bystander', 1, '2021-01-02')
    await raise('second', 19, '2021-01-03')

    const { by_agent } = await waiting()

    expect(by_agent).toEqual([
      { agent_handle: 'flooder', count: 480 },
      { agent_handle: 'second', count: 19 },
      { agent_handle: 'leaker', count: 2 },
    ])
    await content.db.query(`DELETE FROM alerts WHERE created_at < '2022-01-01'`)
  })

  it('counts up to a thousand alerts of each severity, so that a flood hides no other severity', async () => {
    await content.db.query(
      `INSERT INTO alerts (id, severity, source, target_type, target_id, created_at)
       SELECT 'alr_' || md5(n::text), 'low', 'scanner', 'post', 'pst_' || n,
         '2020-01-01'::timestamptz + n * interval '1 second' FROM generate_series(1, 3000) AS n`,
    )

    const flooded = await waiting()

    expect(flooded).toMatchObject({
      count: 1_001,
      is_capped: true,
      oldest_at: '2020-01-01T00:00:01.000Z',
      by_severity: { low: 1_000, high: 1 },
    })
  })
})
