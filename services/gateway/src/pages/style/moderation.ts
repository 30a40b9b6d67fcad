/** The moderation console: denser than the reading pages, and quiet but for what matters. */
export const MODERATION_CSS = `
.console { max-width: 78rem; }
.console main { padding: 1.5rem 0 3rem; }
.console .brand { flex-wrap: wrap; }
.console .brand .badge { font-weight: 600; letter-spacing: 0; }
.badge.live { background: var(--ink); color: var(--ground); }
header.site .signed-in { flex: 0 1 auto; align-items: center; }
.signed-in .who { overflow-wrap: anywhere; color: var(--soft); font-size: 0.9rem; }
.sign-in { max-width: 26rem; margin: 2rem auto; padding: 1.5rem; }
.sign-in > * + * { margin-top: 1rem; }
.stacked { flex-direction: column; align-items: stretch; }
.stacked label { color: var(--soft); font-size: 0.85rem; }
button.primary { background: var(--ink); color: var(--ground); border-color: var(--ink); }
textarea { font: inherit; font-size: 0.95rem; width: 100%; padding: 0.45rem 0.7rem; color: var(--ink); background: var(--surface); border: 1px solid var(--soft); border-radius: var(--radius); resize: vertical; }
.waiting > * + * { margin-top: 0.35rem; }
.waiting ul a { display: inline-flex; align-items: center; gap: 0.35rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
.filters { flex-wrap: wrap; align-items: center; min-width: 0; }
.signed-in button { font-size: 0.875rem; padding: 0.25rem 0.8rem; }
.filters label { min-width: 0; font-size: 0.875rem; }
.filters :is(input, select) { max-width: 100%; }
.filters select, .filters input { padding: 0.25rem 0.4rem; font-size: 0.875rem; border-color: var(--line); }
/* While a name is written, where browsers know how. */
.filters [size] { field-sizing: content; min-width: min(11.8rem, 70vw); }
.filters button { font-size: 0.875rem; padding: 0.25rem 0.8rem; }
.alerts > li + li { margin-top: 0.75rem; }
.alert { padding: 0.85rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-inline-start: 4px solid var(--line); border-radius: var(--radius); }
.alert.medium { border-inline-start-color: var(--warn); }
.alert.high, .alert.critical { border-inline-start-color: var(--bad); }
.alert > * + * { margin-top: 0.5rem; }
.alert .foot { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; }
.foot .open { font-weight: 600; font-size: 0.925rem; }
.summary-line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; font-size: 0.875rem; }
.many { display: block; }
.many > * + * { margin-top: 1rem; }
.many .box > * + * { margin-top: 0.6rem; }
.many .box label { display: block; color: var(--soft); font-size: 0.85rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.tick { display: inline-flex; padding: 0.35rem; margin: -0.35rem; cursor: pointer; }
.tick input { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--brand); }
.alert:has(.tick :checked) { background: var(--warn-ground); }
.severity { padding: 0.02rem 0.55rem; border-radius: 4px; background: var(--sunken); color: var(--soft); font-size: 0.75rem; font-weight: 700; }
.severity.medium { background: var(--warn-ground); color: var(--warn); }
.severity.high, .severity.critical { background: var(--bad-ground); color: var(--bad); }
.severity.critical { outline: 1px solid; }
.evidence { font-family: var(--mono); font-size: 0.85rem; line-height: 1.55; white-space: pre-wrap; }
.subject { font-weight: 600; overflow-wrap: anywhere; }
p.evidence { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
pre.evidence { border-inline-start: 4px solid var(--line); max-height: 32rem; overflow: auto; }
pre.answered { max-height: 12rem; color: var(--soft); }
textarea[readonly] { background: var(--sunken); }
.kept label { color: var(--soft); font-size: 0.85rem; }
.record { font-size: 0.9rem; }
.evidence .field { color: var(--soft); }
.evidence mark { padding: 0.1em 0; font-weight: 600; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.hidden-text { margin: 0 0.1em; padding: 0 0.25em; border: 1px dashed var(--brand); border-radius: 3px; color: var(--brand); background: var(--ground); font-family: var(--mono); font-size: 0.8em; overflow-wrap: anywhere; }
/* The second of two clicks that decided the alert before falls on none of this one's buttons. */
.arrived button { animation: arrive 0.7s; }
@keyframes arrive { from, to { pointer-events: none; } }
.alert-head > * + * { margin-top: 0.5rem; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 2rem; align-items: start; }
.case > * + *, .decide > * + * { margin-top: 1.5rem; }
.case h2 { margin-bottom: 0.6rem; }
.findings > li { padding: 0.6rem 0; border-top: 1px solid var(--line); font-size: 0.925rem; }
.findings > li > * + * { margin-top: 0.15rem; }
.findings .weight { margin-inline-start: auto; color: var(--soft); font-variant-numeric: tabular-nums; }
.case h3 { margin-top: 1rem; font-size: 1rem; }
.case .part { margin-top: 0.75rem; }
.whole dl { margin: 0.75rem 0 0; }
.whole dt { margin-top: 0.75rem; color: var(--soft); font-size: 0.85rem; }
.whole dd { margin: 0.25rem 0 0; }
.decide .box > * + * { margin-top: 0.75rem; }
.account > * + * { margin-top: 0.75rem; }
.account h3 { font-size: 0.9rem; }
.acts > li + li { margin-top: 0.5rem; }
.actions { display: grid; gap: 0.5rem; }
.actions li, div.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.7rem; }
.actions span, .act .note { color: var(--soft); font-size: 0.825rem; line-height: 1.35; }
.act { flex-wrap: wrap; align-items: center; }
/* A column that may wrap is as wide as its widest line. */
.act.stacked { flex-wrap: nowrap; align-items: stretch; }
.actions li button { min-width: 7.5rem; }
/* Beside its button while there is room for a few words. */
.actions span { flex: 1 1 6rem; }
button.approve { background: var(--good-ground); color: var(--good); border-color: currentColor; }
button.remove, button.quarantine { background: var(--bad-ground); color: var(--bad); border-color: currentColor; }
.ids { font-size: 0.75rem; padding: 0 0.25rem; }
.ids dd { text-align: start; }
.narrow { max-width: 28rem; }
.narrow > * + *, .flag > * + * { margin-top: 0.75rem; }
.published { margin-top: 2rem; }
.published > * + * { margin-top: 0.75rem; }
.published .alerts { flex: 1 0 100%; min-width: 0; }
.act label { min-width: 0; }
.act :is(input, select) { max-width: 100%; }
/* Names give way, so that nobody scrolls for the numbers. */
.votes { width: 100%; border-collapse: collapse; overflow-wrap: anywhere; }
.votes :is(th, td) { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.votes :is(th, td:nth-child(n + 3)) { white-space: nowrap; }
.audit { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
.audit th, .audit td { padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.audit th { color: var(--soft); font-size: 0.8rem; }
.audit a { text-underline-offset: 0.3em; }
.audit code { font-size: 0.75rem; }
.audit td:first-child { white-space: nowrap; }
.audit td:last-child { min-width: 12rem; }
@media (max-width: 37.5rem) {
  .filters label { display: flex; flex: 1 1 100%; align-items: center; gap: 0.5rem; }
  .filters label:has(select), .filters button { flex: 1 1 40%; }
  .filters :is(input, select) { flex: 1; min-width: 0; }
  .audit :is(tbody, tr) { display: block; }
  .audit :is(thead, br) { display: none; }
  .audit tr { padding: 0.4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; line-height: 1.35; }
  .audit td { display: inline; padding: 0 0.5rem 0 0; border: 0; }
  .audit .badge { display: inline-block; }
  .audit code { display: inline-block; max-width: 8rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
}
@media (max-width: 60rem) { .split { grid-template-columns: minmax(0, 1fr); } }
@media print { pre.evidence { max-height: none; overflow: visible; } }
`
