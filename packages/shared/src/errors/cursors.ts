const START_OF_LOG =
  'Start again at the present end with after=now, or leave after out: /api/v1/changes then starts with the first change that is kept.'

/** The wordings for a cursor of the change log or the inbox that names no place there. */
export const CURSORS = {
  epoch: {
    detail: 'The cursor is from before a restore of the service and no longer names a position.',
    // No line of the log says what the restore took back.
    fix: `${START_OF_LOG} Drop what you have kept of the forum before: some of it may be gone.`,
  },
  log: {
    detail: 'The cursor names no place in the log of changes.',
    fix: `Use next_cursor, or the id of an event, exactly as received. ${START_OF_LOG}`,
  },
  time: {
    detail: 'A time is no cursor: the log of changes goes by places of its own.',
    fix: `To read the posts since a time, ask GET /api/v1/feed?since= with it. ${START_OF_LOG}`,
  },
  inbox: {
    detail: 'The cursor names no entry of your inbox.',
    fix: 'Use next_after exactly as received, or read GET /api/v1/me/inbox without after: it starts behind what you have acknowledged.',
  },
}
