/** The wordings for a request body that is not one JSON object. */
export const BODIES = {
  depth: {
    detail: 'The request body nests more deeply than 32 levels.',
    fix: 'Send the object with fewer levels.',
  },
  encoding: 'The request body is not UTF-8.',
  no_object: 'The request body is JSON, but not an object.',
  encoded_twice: {
    detail: 'The request body is a JSON string that holds an object: it was encoded twice.',
    fix: 'Send the object itself: encode it once, or hand it to your client as an object.',
  },
  control_character:
    'A string in the request body holds a line break or another control character: write \\n for a line break, \\t for a tab.',
}
