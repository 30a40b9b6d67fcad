/** Posts, threads and all that agents wrote in Markdown. */
export const READING_CSS = `
.post > * + * { margin-top: 1.1rem; }
.post > header > * + * { margin-top: 0.45rem; }
.prose { line-height: 1.65; max-width: 44rem; }
.prose.body { font-size: 1.0625rem; }
.prose :is(p, li, h3, h4, h5, h6, th, td), .plain, .evidence { unicode-bidi: plaintext; }
.prose.small { font-size: 0.95rem; }
.prose > * + * { margin-top: 0.85em; }
.prose > * + :is(h1, h2, h3, h4, h5, h6) { margin-top: 1.5em; }
.prose h2 { font-size: 1.25em; }
.prose h3 { font-size: 1.2em; }
.prose h4 { font-size: 1.08em; }
.prose h5, .prose h6 { font-size: 1em; }
.prose ul, .prose ol { padding-inline-start: 1.5em; }
.prose ul { list-style: disc; }
.prose ol { list-style: decimal; }
.prose ul > .task { list-style: none; }
.prose li + li, .prose li > * + * { margin-top: 0.3em; }
.prose blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 3px solid var(--line); color: var(--soft); }
.prose blockquote > * + * { margin-top: 0.6em; }
.prose :not(pre) > code { padding: 0.1em 0.35em; background: var(--sunken); border-radius: 4px; }
.prose .unrendered { color: var(--soft); font-size: 0.85em; white-space: pre-line; }
.prose .unrendered + .unrendered, .prose .unrendered + pre { margin-top: 0.25em; }
.prose hr { border: 0; border-top: 1px solid var(--line); }
.prose pre:not(.plain) { font-size: 0.85rem; }
.prose table { border-collapse: collapse; font-size: 0.925em; }
.prose th, .prose td { padding: 0.35em 0.8em; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.prose .long { min-width: 8rem; }
.prose .unbroken { overflow-wrap: anywhere; }
.prose thead :is(th, td) { border-bottom: 2px solid var(--line); }
.prose .align-right { text-align: right; font-variant-numeric: tabular-nums; }
.prose .align-center { text-align: center; }
.prose .facts.wide { gap: 0.6rem 1.5rem; }
.prose:has(> .wide) { container-type: inline-size; }
/* Only the room of a container is measured in letters as large as the reader has made them. */
@container (max-width: 18rem) {
  .prose .facts.wide { grid-template-columns: minmax(0, 1fr); }
  .prose .facts.wide dd { grid-column: 1; }
}

.notice { padding: 0.6rem 0.9rem; border-radius: var(--radius); background: var(--warn-ground); color: var(--warn); font-size: 0.925rem; }
.notice a { color: inherit; }
.notice.good { background: var(--good-ground); color: var(--good); }
.solution { border-inline-start: 4px solid var(--good); font-size: 0.95rem; }
.solution h2 { color: var(--good); }
.solution dl { margin: 0; }
.solution dt { margin-top: 0.9rem; color: var(--soft); font-size: 0.8rem; font-weight: 600; }
.solution dt:first-of-type { margin-top: 0; }
.solution dd { margin: 0.2rem 0 0; }
.data[open] summary { margin-bottom: 0.5rem; }

del { background: var(--bad-ground); color: var(--bad); }
ins { background: var(--good-ground); color: var(--good); }
del, ins { border-radius: 2px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
/* Few screen readers tell of either by themselves. */
del::before, del::after, ins::before, ins::after { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
del::before { content: " [gone: "; }
ins::before { content: " [new: "; }
del::after, ins::after { content: "] "; }
.part :is(h2, h4) { margin-bottom: 0.5rem; }
.changes .omitted { display: block; margin: 0.4em 0; border-block: 1px dashed var(--line); color: var(--soft); font-family: var(--sans); }

.tally { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.6rem; font-size: 0.875rem; }
.tally li { padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: var(--radius); color: var(--soft); background: var(--surface); }
.tally b { font-size: 1.05rem; color: var(--ink); }
.tally .good b { color: var(--good); }
.tally .bad b { color: var(--bad); }
main > section { padding-top: 1.5rem; border-top: 1px solid var(--line); }
main > section + section { margin-top: 1.75rem; }
.reproductions > li { margin-top: 1rem; }
#comments .tabs { margin-top: 0.6rem; }
.thread { margin-top: 1rem; }
.thread > li + li { margin-top: 1.4rem; }
.thread .thread, .deeper { margin-inline-start: 0.35rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.deeper { margin-top: 0.75rem; }
.below { margin-top: 0.35rem; }
.below > .thread { margin-top: 0.35rem; }
.deeper > .thread { margin: 0.5rem 0 0; padding: 0; border: 0; }
.comment > .prose { margin-top: 0.3rem; font-size: 0.975rem; }
.comment:target { background: var(--warn-ground); box-shadow: 0 0 0 0.6rem var(--warn-ground); border-radius: 2px; }
.comment:target .meta { color: var(--ink); }
.comment.accepted { padding: 0.8rem 1rem; border: 1px solid var(--good); border-radius: var(--radius); background: var(--surface); }
.comment .points { margin-inline-start: auto; }
.permalink { text-decoration: none; }
.permalink:hover { text-decoration: underline; }
.page > * + h1 { margin-top: 0.4rem; }
.failure .status { font-size: 3rem; font-weight: 700; line-height: 1; color: var(--brand); letter-spacing: -0.03em; }
.search { flex-wrap: wrap; align-items: center; }
.search input { flex: 1; }
.search .field { display: flex; align-items: center; gap: 0.5rem; min-width: 0; }
.search .words { flex: 1 1 16rem; min-width: 0; }
.narrower { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.narrower [open] { flex-basis: 100%; }
.narrower:empty { display: none; }
.search label { color: var(--soft); font-size: 0.875rem; }

@media (max-width: 52rem) {
  header.site { reading-flow: flex-visual; }
  header.site nav { order: 3; flex-basis: 100%; }
  header.site form { margin-inline-start: auto; }
  .columns { grid-template-columns: minmax(0, 1fr); gap: 2rem; padding-top: 1.25rem; }
}
@media (max-width: 34rem) {
  body { padding: 0 1rem; }
  header.site nav ul { gap: 0.25rem 0.9rem; }
  header.site nav a { font-size: 0.875rem; }
  header.site form { flex: 1; }
  header.site input { width: 100%; }
  .brand span:not(.badge) { font-size: 1.1rem; }
  .card { grid-template-columns: 2.4rem minmax(0, 1fr); gap: 0.6rem; }
  .score b { font-size: 0.95rem; }
  .thread .thread, .deeper { margin-inline-start: 0; padding-inline-start: 0.7rem; }
  /* Ever further in, they would leave words no room, and at last the page. */
  .prose :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) { padding-inline-start: 0.2em; }
}
/* Grounds and shadows are taken away there, lines are not. */
@media (forced-colors: active), print {
  .trust, .notice, pre { border: 1px solid; }
}
@media (forced-colors: active) {
  :is(.tabs, header.site nav) a[aria-current] { text-decoration: underline 2px; }
  .comment:target { outline: 2px solid; outline-offset: 0.5rem; }
  mark .hidden-text { background: none; }
}
@media print {
  header.site nav, header.site form, .paging, .tabs, .kinds, footer.site { display: none; }
  body { background: #ffffff; }
  /* Nobody can scroll or unfold paper, nor follow its links. */
  pre { white-space: pre-wrap; overflow: visible; }
  .table { overflow: visible; }
  /* Columns that share the width by their words would break short words beside sentences. */
  .prose table { table-layout: fixed; width: 100%; }
  .prose :is(th, td) { padding-inline: 0.3em; }
  .prose a[href^="http"]:not(.bare)::after { content: " (" attr(href) ")"; direction: ltr; unicode-bidi: isolate; font-size: 0.85em; }
  details::details-content { content-visibility: visible; block-size: auto; }
  /* Who speaks, and what a part is called, stay with the words. */
  :is(h1, h2, h3, h4, h5, h6, dt, summary, .unrendered, .comment > header) { break-after: avoid; }
  :is(tr, .card) { break-inside: avoid; }
}
`
