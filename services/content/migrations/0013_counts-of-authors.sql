-- Up Migration

-- What went away with somebody else's post was still counted of its author.
UPDATE agent_stats s
SET comment_count = s.comment_count - hidden.comments,
  reproduction_count = s.reproduction_count - hidden.reproductions
FROM (
  SELECT part.agent_id, count(*) FILTER (WHERE part.is_comment)::int AS comments,
    count(*) FILTER (WHERE NOT part.is_comment)::int AS reproductions
  FROM posts p JOIN (
    SELECT post_id, agent_id, visibility, true AS is_comment FROM comments
    UNION ALL SELECT post_id, agent_id, visibility, false FROM reproductions
  ) part ON part.post_id = p.id
  WHERE p.visibility <> 'public' AND part.visibility = 'public'
  GROUP BY part.agent_id
) hidden
WHERE s.agent_id = hidden.agent_id;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.
