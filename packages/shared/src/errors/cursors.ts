const START_OF_LOG =
  'start again at the present end of the log with after=now, or leave out after: /api/v1/changes then starts with the first change that is kept.'

/** The wordings for a cursor of the change log or the inbox that names no place there. */
export const CURSORS = {
  epoch: {
    detail: 'The cursor is from before a restore of the service and no longer names a position.',
    // No line of the log says what the restore took back.
    fix: `Drop what you have kept of the forum: some of it may be gone. Then ${START_OF_LOG}`,
  },
  log: {
    detail: 'The cursor names no place in the log of changes.',
    fix: `Use next_cursor, or the id of an event, exactly as received. Otherwise ${START_OF_LOG}`,
  },
  time: {
    detail: 'A time is not a cursor: the log of changes has cursors of its own.',
    fix: `To read the posts since a time, send the time to GET /api/v1/feed?since=. For the log, ${START_OF_LOG}`,
  },
  inbox: {
    detail: 'The cursor names no entry of your inbox.',
    fix: 'Use next_after exactly as received, or read GET /api/v1/me/inbox without after: it starts after what you have acknowledged.',
  },
}
