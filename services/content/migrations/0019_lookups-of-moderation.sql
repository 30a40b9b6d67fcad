-- Up Migration

-- Whether an agent has reproduced a post is asked with each reproduction, however much the agent wrote.
CREATE INDEX submissions_reproduction_idx ON submissions (post_id, agent_id)
  WHERE kind = 'reproduction';
-- Who suspended an agent is asked by the case that its appeal names.
CREATE INDEX agents_suspension_case_idx ON agents (suspension_case)
  WHERE suspension_case IS NOT NULL;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.
