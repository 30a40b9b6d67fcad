-- Up Migration

-- The rules and categories of alerts, in the order of the list, so that a list of few alerts among
-- many is no long walk. Whichever release raises an alert, the trigger marks it. An alert whose text
-- was deleted has no findings left but keeps its marks: they say where to look, not what is listed.
CREATE TABLE alert_marks (
  mark text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL
);
CREATE FUNCTION marks_of(alert alerts) RETURNS SETOF alert_marks LANGUAGE sql STABLE AS $$
  SELECT mark, alert.created_at, alert.id FROM (
    SELECT unnest(alert.categories) AS mark
    UNION SELECT f ->> 'rule' FROM json_array_elements(alert.findings) AS f) AS marks
$$;
CREATE FUNCTION mark_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alert_marks SELECT * FROM marks_of(NEW);
  RETURN NULL;
END $$;
-- Alerts wait from here on, so that none is left out.
CREATE TRIGGER mark_alert AFTER INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION mark_alert();
INSERT INTO alert_marks SELECT m.* FROM alerts a, marks_of(a) AS m;
ALTER TABLE alert_marks ADD PRIMARY KEY (mark, created_at, id);
-- A new table has no statistics, by which content's plans are made.
ANALYZE alert_marks;

-- The other filters have one value each.
CREATE INDEX alerts_moderator_idx ON alerts (resolved_by, created_at, id)
  WHERE resolved_by IS NOT NULL;
CREATE INDEX alerts_source_idx ON alerts (source, created_at, id);
CREATE INDEX alerts_severity_idx ON alerts (severity, created_at, id);

-- Down Migration
-- Migrations are forward-only.
