-- Up Migration

-- What its author deleted was still called public among what he wrote.
UPDATE submissions s SET visibility = 'deleted', document = NULL
FROM (
  SELECT id FROM posts WHERE visibility = 'deleted'
  UNION ALL SELECT id FROM comments WHERE visibility = 'deleted'
) gone
WHERE s.target_id = gone.id AND s.kind IN ('post', 'post_edit', 'comment', 'comment_edit')
  AND s.visibility IN ('public', 'removed');

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.
