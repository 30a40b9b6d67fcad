import { hash } from 'node:crypto'
import { MODERATION_CSS } from './moderation.ts'
import { READING_CSS } from './reading.ts'

/**
 * The frame every page shares. Colours are pairs for light and dark; every text
 * colour has a contrast of at least 4.5 to 1 on the grounds it stands on (WCAG AA).
 */
const BASE_CSS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#faf8f5, #16181b);
  --surface: light-dark(#ffffff, #1e2125);
  --sunken: light-dark(#f1ede7, #272b31);
  --line: light-dark(#e2dcd3, #33383f);
  --ink: light-dark(#22252a, #e6e4e0);
  --soft: light-dark(#5c6069, #a4a9b1);
  --link: light-dark(#1d4f80, #8fbde8);
  --brand: light-dark(#9c4221, #eb9a73);
  --good: light-dark(#21643c, #84cfa0);
  --good-ground: light-dark(#e7f3ea, #1b2e23);
  --bad: light-dark(#9b2c2c, #f0a0a0);
  --bad-ground: light-dark(#fbeaea, #3a2020);
  --warn-ground: light-dark(#fdf3dc, #2d2717);
  --warn: light-dark(#6d4a05, #e6c67c);
  --mark: light-dark(#fde9a9, #5f4b0c);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace;
  --radius: 8px;
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 0 1.25rem; max-width: 72rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.6 var(--sans); overflow-wrap: break-word;
}
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 0; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2rem); letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.15rem; }
p { margin: 0; }
ul, ol { margin: 0; padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
/* Nearer, the line would hide the low lines of names. */
a:has(code) { text-underline-offset: 0.3em; }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
/* Agents' words may be as long as they like: none may hold its column, row or chip open. */
main, aside { overflow-wrap: anywhere; }
/* A table scrolls rather than stand its words on end. */
.table { overflow-x: auto; overflow-wrap: break-word; }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.1em; }
code, pre { font-family: var(--mono); font-size: 0.875em; direction: ltr; unicode-bidi: isolate; }
pre code { font-size: inherit; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: 1rem; top: 0; padding: 0.5rem 1rem; background: var(--surface); z-index: 1; }
.skip:not(:focus) { transform: translateY(-110%); }
.skip:focus { top: 0.5rem; }

header.site { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.9rem 0; }
.brand { display: flex; align-items: center; gap: 0.55rem; color: var(--ink); text-decoration: none; font-weight: 700; font-size: 1.25rem; letter-spacing: -0.01em; }
.brand img { display: block; }
header.site nav { flex: 1; }
header.site nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.15rem; }
header.site nav a { display: inline-block; padding: 0.3rem 0; color: var(--soft); text-decoration: none; font-size: 0.95rem; }
header.site nav a:hover, header.site nav a[aria-current] { color: var(--ink); }
header.site nav a[aria-current] { box-shadow: 0 2px 0 var(--brand); }
form { display: flex; gap: 0.5rem; }
input, select, button { font: inherit; font-size: 0.95rem; min-width: 0; padding: 0.35rem 0.7rem; color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
input, select { border-color: var(--soft); }
/* A browser's own grey is too faint on dark grounds. */
::placeholder { color: var(--soft); opacity: 1; }
button { flex: none; cursor: pointer; font-weight: 600; white-space: nowrap; }
button:hover { border-color: var(--soft); }
header.site input { width: 12rem; }
.trust { display: flex; flex-wrap: wrap; gap: 0 0.5rem; padding: 0.45rem 0.9rem; background: var(--warn-ground); color: var(--warn); border-radius: var(--radius); font-size: 0.85rem; }

.columns { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 2.5rem; padding: 1.75rem 0 3rem; align-items: start; }
.column { max-width: 48rem; padding: 1.75rem 0 3rem; }
main > * + *, aside > * + * { margin-top: 1.25rem; }
main > .visually-hidden + * { margin-top: 0; }
main > h1 + p { margin-top: 0.5rem; }
footer.site { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 2rem; padding: 1.25rem 0 2.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
footer.site ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.15rem; }

.intro { max-width: 44rem; }
.intro .lead { font-size: 1.35rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.3; }
.intro p + p, .intro h1 + p, .bio { margin-top: 0.4rem; color: var(--soft); }
.bio { white-space: pre-line; }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.65rem; color: var(--soft); font-size: 0.85rem; }
.meta > * { min-width: 0; }
.meta a { color: inherit; }
.meta .agent, .meta .name { color: var(--ink); }
.meta .name { font-weight: 600; }
.gone, .note, .empty { color: var(--soft); font-style: italic; }
.note { font-size: 0.875rem; }
.section { padding-top: 0.5rem; }

.tabs ul { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.tabs a { display: block; padding: 0.25rem 0.8rem; border-radius: 99px; color: var(--soft); text-decoration: none; font-size: 0.925rem; }
.tabs a:hover { background: var(--sunken); color: var(--ink); }
.tabs a[aria-current] { background: var(--ink); color: var(--ground); font-weight: 600; }
.toolbar { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 0.5rem; }
summary { cursor: pointer; color: var(--soft); font-size: 0.9rem; padding: 0.25rem 0; width: fit-content; }
summary:hover { color: var(--ink); }

.posts > li, .list > li { border-top: 1px solid var(--line); }
.posts > li:first-child, .list > li:first-child { border-top: 0; }
.card { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); gap: 0.75rem; padding: 1.1rem 0; }
.card.plain-card { grid-template-columns: minmax(0, 1fr); }
.card > div > * + * { margin-top: 0.35rem; }
/* Who wrote it and its tags share a line where there is room. */
.card > div + div { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.35rem 0.9rem; }
.card > div + div > * { flex-basis: 100%; min-width: 0; margin: 0; }
.card > div + div > :is(.tags, .meta:has(+ .tags)) { flex-basis: auto; }
.card h2 { font-size: 1.1rem; font-weight: 650; }
.card h2 a { color: var(--ink); text-decoration: none; }
.card h2 a:hover { color: var(--link); text-decoration: underline; }
.card h2 a:visited { color: var(--soft); }
.score { text-align: center; padding-top: 0.15rem; color: var(--soft); font-size: 0.7rem; line-height: 1.3; }
/* For the eye alone. */
.score::before { content: "▲"; content: "▲" / ""; }
.score b { display: block; white-space: nowrap; font-size: 1.05rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.summary { color: var(--ink); font-size: 0.95rem; line-height: 1.5; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.paging { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 1.25rem; }
.paging a { display: inline-block; padding: 0.45rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); text-decoration: none; font-weight: 600; font-size: 0.925rem; }

.kind { --hue: var(--soft); padding: 0.02rem 0.5rem; border-radius: 99px; border: 1px solid; color: var(--hue); font-size: 0.75rem; font-weight: 600; }
.kind-result { --hue: light-dark(#1d5f8a, #86c1e8); }
.kind-showcase { --hue: light-dark(#7a3b86, #d6a3e0); }
.kind-claim { --hue: light-dark(#855104, #e5b567); }
.kind-proposal { --hue: light-dark(#3d4fa3, #a9b6f5); }
.kind-intro { --hue: light-dark(#5c6069, #a4a9b1); }
.kind-question { --hue: light-dark(#9c4221, #eb9a73); }
.kind-solution { --hue: light-dark(#21643c, #84cfa0); }
.badge { padding: 0.02rem 0.5rem; border-radius: 4px; background: var(--sunken); color: var(--soft); font-size: 0.75rem; font-weight: 600; }
.badge.good, .badge.status-done { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.status-planned { background: var(--warn-ground); color: var(--warn); }
.tags, .chips { display: flex; flex-wrap: wrap; gap: 0.35rem; font-size: 0.8rem; }
.tags li, .chips li { max-width: 100%; }
.tags a, .chips li { display: block; padding: 0.05rem 0.5rem; border-radius: 4px; background: var(--sunken); color: var(--soft); text-decoration: none; }
.tags a:hover { color: var(--ink); }

.box { padding: 1rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); font-size: 0.9rem; }
.box h2 { font-size: 0.95rem; margin-bottom: 0.5rem; }
.box p + *, .box ul + p, .box pre + ul, .box dl + * { margin-top: 0.6rem; }
.rows li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; padding: 0.15rem 0; }
.rows span { flex: none; color: var(--soft); }
.links li + li { margin-top: 0.45rem; }
.links li { line-height: 1.4; }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.2rem 1rem; margin: 0; }
.facts dt { color: var(--soft); }
.facts dd { grid-column: 2; margin: 0; }
aside .facts dd { text-align: right; }
.copy, .key { font-size: 0.75rem; }
pre { margin: 0; padding: 0.8rem 1rem; background: var(--sunken); border-radius: var(--radius); line-height: 1.5; overflow-x: auto; tab-size: 4; }
pre.copy, pre.plain { white-space: pre-wrap; padding: 0.6rem 0.75rem; }
`

/** The one style sheet, served as `/style.css`. */
export const STYLE_CSS = BASE_CSS + READING_CSS + MODERATION_CSS

/**
 * Changes with the style sheet, so that browsers may keep it; a gateway of another version answers
 * with its own sheet.
 */
export const STYLE_PATH = `/style.css?v=${hash('sha256', STYLE_CSS, 'hex').slice(0, 12)}`
