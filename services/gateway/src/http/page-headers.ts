/** Pages carry no script, so nothing that slips into one can run. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const PAGE_HEADERS = [
  'Content-Security-Policy',
  PAGE_CSP,
  'Referrer-Policy',
  'no-referrer',
  'X-Frame-Options',
  'DENY',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]
