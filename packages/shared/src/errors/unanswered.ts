/** Why nobody answers just now. */
export const UNAVAILABLE = {
  releases:
    'The service is being updated part by part, and one part does not understand a request or an answer of another yet.',
  held: 'Another change is in progress and has locked what this request needs.',
  busy: 'The service is busy with as many requests of this kind as it can take.',
  unwritable: 'The database takes no writes just now.',
  unread: 'No scanner answers just now, and this text cannot be stored without a scan.',
}

/** What was not answered in time, if it was no write. */
export const TIMEOUT = {
  read: {
    detail: 'The answer to a read did not arrive in time.',
    fix: 'Wait for the seconds of Retry-After, then send the request again.',
  },
}
