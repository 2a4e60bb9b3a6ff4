import { frameStyles } from '../../../../lib/html/frame-styles.ts';
import { boardStyles } from './board-styles.ts';

export const stylesheetPlace = '/assets/dashboard.css';

/** The stylesheet for large and small screens, light and dark. Colours only repeat what words say. */
export const stylesheet = `${frameStyles}
* { box-sizing: border-box; }
html { font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; background: var(--ground); color: var(--ink); }
body { margin: 0; }
main { overflow-wrap: anywhere; max-width: 120rem; margin: 0 auto; padding: 0 1.5rem 3rem; }
main:focus { outline: none; }
h1 { font-size: 1.5rem; margin: 1.5rem 0 .75rem; overflow-wrap: anywhere; display: flex; gap: .25rem .75rem; flex-wrap: wrap; align-items: center; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .35rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
code, .version { overflow-wrap: anywhere; }
code { font: .875em ui-monospace, "Cascadia Mono", Menlo, monospace; }
.hint, time { color: var(--quiet); font-size: .875rem; font-weight: normal; }
time { white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.who { display: flex; align-items: center; gap: .75rem; }
#live-state:empty + .who { margin-left: auto; }
.notice { max-width: 117rem; margin: 1rem max(1.5rem, (100% - 117rem) / 2) 0; padding: .6rem 1rem; background: var(--good-ground); color: var(--good); border-radius: .4rem; font-weight: 600; }
.notice.problem { background: var(--bad-ground); color: var(--bad); }

.filters { margin: 0 0 1rem; }
.filters a { border: 1px solid var(--line); background: var(--paper); }
.filters b { font-variant-numeric: tabular-nums; }
.filters .needs-you b { color: var(--wait); }
.filters .failed b { color: var(--bad); }
.filters .moving b { color: var(--move); }

table { width: 100%; border-collapse: collapse; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0 1.5rem; }
caption { text-align: left; font-weight: 600; padding: 1rem 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--quiet); font-size: .8125rem; font-weight: 600; overflow-wrap: normal; }
td.short, tbody th.short { white-space: nowrap; width: 1%; }
/* As wide as its text, up to a limit: a cell alone would break names to make room for the longest text. */
.subject { display: inline-block; width: max-content; max-width: 13rem; }
td p, .now p { margin: .15rem 0; }
.lanes { table-layout: fixed; }
.lanes thead th:nth-child(1) { width: 18%; }
.lanes thead th:nth-child(2), .lanes thead th:nth-child(3), .lanes thead th:nth-child(4) { width: 11%; }
.lanes thead th:nth-child(6) { width: 13rem; }
tbody th[scope="row"] { font-weight: normal; }
.lanes tbody th[scope="row"] { font-weight: 600; }
.environment th { background: var(--calm-ground); font-size: 1rem; padding: .35rem .75rem; }
tr.needs-you > :first-child { box-shadow: inset .3rem 0 var(--wait); }
tr.failed > :first-child { box-shadow: inset .3rem 0 var(--bad); }
tr.moving > :first-child { box-shadow: inset .3rem 0 var(--move); }
.version { font-weight: 600; }
.reason { max-width: 75ch; }
.reason time { white-space: normal; }
.lines, .details code { white-space: pre-line; }
ul.details { list-style: none; margin: 0; padding: 0; }

.progress { display: inline-flex; flex-wrap: wrap; margin-left: .5rem; align-items: center; gap: .1rem .75rem; }
.now > .progress { margin-left: 0; }
progress { appearance: none; width: 8rem; max-width: 100%; height: .5rem; border: 0; border-radius: 1rem; background: var(--calm-ground); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--calm-ground); }
progress::-webkit-progress-value { background: var(--move); transition: width .5s; }
progress::-moz-progress-bar { background: var(--move); }

.act, button { display: inline-block; white-space: nowrap; margin: 0 .15rem .3rem 0; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--paper); color: var(--ink); font: inherit; font-size: .875rem; text-decoration: none; cursor: pointer; }
.act:hover, button:hover { border-color: var(--ink); }
.act.approve, .act.resolve, .act.resume, button.go { background: var(--link); border-color: var(--link); color: var(--paper); font-weight: 600; }
button.careful { background: var(--bad); border-color: var(--bad); color: var(--paper); font-weight: 600; }
header button, td .act, .buttons .act, .buttons button { margin-bottom: 0; }
.buttons { display: flex; gap: .75rem; margin-top: 1.25rem; }
.buttons > * { padding: .5rem 1.2rem; font-size: 1rem; }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 45%), 1fr)); gap: .75rem 1.5rem; margin: 1rem 0; }
.facts dt { color: var(--quiet); font-size: .8125rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.facts > div:has(.wide) { grid-column: 1 / -1; }
.wide { display: block; max-width: 65ch; }
details.ids, details.earlier { margin: .5rem 0; } details.ids summary, details.earlier summary { cursor: pointer; color: var(--link); }
.overdue, .overdue time { color: var(--bad); font-weight: 600; }
.now:not(:empty) { font-size: 1.05rem; }
.empty { background: var(--paper); border: 1px dashed var(--line); border-radius: .5rem; padding: 1rem 1.5rem; max-width: 60rem; }
.empty h2 { margin-top: .25rem; }
.empty li { margin: .4rem 0; }
.problem { padding: .6rem 1rem; background: var(--bad-ground); color: var(--bad); border-radius: .4rem; max-width: 60rem; overflow-wrap: anywhere; }
.means { max-width: 65ch; }
.ask { max-width: 40rem; } .ask:has(table) { max-width: none; } .ask .field { max-width: 40rem; }
.choice { display: inline-flex; gap: .5rem; align-items: baseline; cursor: pointer; }
.field { display: grid; gap: .25rem; margin: 1rem 0; }
.field label { font-weight: 600; }
input:not([type="radio"], [type="checkbox"]), textarea, select { width: 100%; padding: .55rem .7rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: .4rem; }
::placeholder { color: var(--quiet); opacity: 1; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 1rem 0; padding: .5rem 1rem; }
fieldset label { display: block; padding: .25rem 0; }
.sign-in { max-width: 30rem; margin: 8vh auto 0; }

${boardStyles}
@media (max-width: 52rem) {
  main { padding: 0 .75rem 2rem; }
  .who { min-width: 0; gap: .5rem; } .who .hint { display: none; }
  .who > span { max-width: 7rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .who button { padding: .3rem .6rem; }
  .cards, .cards tbody, .cards tr, .cards td, .cards th, .cards caption { display: block; width: auto; }
  .cards { background: none; border: 0; }
  .cards thead { display: none; }
  .cards tr { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; padding: .4rem 0; }
  .cards tr.environment { background: none; border: 0; margin: 1rem 0 .25rem; padding: 0; }
  .environment th { background: none; padding: 0; }
  .cards td, .cards th[scope="row"] { border: 0; padding: .2rem .9rem; }
  .cards td { display: grid; grid-template-columns: 5.5rem 1fr; gap: .5rem; }
  .cards td::before { content: attr(data-label); color: var(--quiet); font-size: .8125rem; padding-top: .15rem; }
  .cards td > div { min-width: 0; }
  .facts:has(+ .ask) { grid-template-columns: 1fr; gap: .4rem; }
  .facts:has(+ .ask) > div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .5rem; }
  .subject { display: inline; max-width: none; }
  .cards .short { white-space: normal; width: auto; }
  .progress { margin-left: 0; }
  .cards td:has(> div:empty) { display: none; }
  .cards.events tr { display: flex; flex-wrap: wrap; gap: 0 .5rem; margin-bottom: .3rem; padding: .25rem .75rem; }
  .cards.events td, .cards.events th[scope="row"] { display: block; padding: 0; } .cards.events td::before { display: none; }
  .cards.events td[data-label="Event"] { font-weight: 600; } .cards.events td[data-label="Details"] { flex-basis: 100%; }
  tr.needs-you, tr.failed, tr.moving { border-left-width: .3rem; }
  tr.needs-you { border-left-color: var(--wait); } tr.failed { border-left-color: var(--bad); } tr.moving { border-left-color: var(--move); }
  tr > :first-child { box-shadow: none !important; }
  .act, button { padding: .5rem .9rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (min-width: 150rem) { html { font-size: 1.125rem; } }
`;
