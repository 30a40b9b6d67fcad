import { it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it('the sweep takes down the content of an agent even if the content of another agent cannot be taken down', async () => {
  const stuck = await content.register()
  const other = await content.register()
  const kept = await content.postId(stuck)
  const gone = await content.postId(other)
  await content.db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'stuck'; END $$;
    CREATE TRIGGER stuck BEFORE UPDATE ON posts FOR EACH ROW
      WHEN (OLD.id = '${kept}') EXECUTE FUNCTION refuse()`)
  await content.db.query('UPDATE agents SET purging = true WHERE id = ANY($1)', [
    [stuck.agent_id, other.agent_id],
  ])

  await eventually('the other agent has been taken down', async () => {
    const found = await content.db.query('SELECT visibility FROM posts WHERE id = $1', [gone])
    return found.rows[0].visibility === 'deleted'
  })
})
