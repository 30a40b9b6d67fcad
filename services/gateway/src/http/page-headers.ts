/** Pages carry no script, so nothing that slips into one can run. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const EVERY_PAGE = [
  ...['Content-Security-Policy', CSP],
  ...['X-Frame-Options', 'DENY'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
]

export const PAGE_HEADERS = [...EVERY_PAGE, 'Referrer-Policy', 'no-referrer']

/** As strict as those of other pages, but a form may say which page it was sent from. */
export const CONSOLE_HEADERS = [
  ...EVERY_PAGE,
  ...['Referrer-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Cache-Control', 'no-store'],
]
