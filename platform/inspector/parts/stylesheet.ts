import { frameStyles } from '../../../lib/html/frame-styles.ts';
import { drawingStyle } from '../../../lib/drawing/style.ts';

/** The one stylesheet of the inspector: light and dark by the reader's setting, contrasts of at least 4.5 to 1. */
export const stylesheet = `
${frameStyles}
:root {
  --sheet: var(--paper); --soft: var(--quiet); --calm: var(--quiet);
  --indent: 1rem;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "DejaVu Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--ink); }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.brand span { color: var(--soft); font-weight: 400; }
.state { margin: 0.5rem 0; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; color: var(--soft);
  font-variant-numeric: tabular-nums; font-size: 0.9rem; }

main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 2rem; color: var(--soft); font-size: 0.9rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.6rem; overflow-wrap: anywhere; }
p { margin: 0.5rem 0; max-width: 65ch; }
.lead, .note { color: var(--soft); }
.empty { background: var(--sheet); border: 1px dashed var(--line); border-radius: 8px; padding: 1.1rem 1.25rem; color: var(--soft);
  max-width: none; overflow-wrap: anywhere; }
code { font-family: var(--mono); font-size: 0.88em; overflow-wrap: anywhere; }
small { color: var(--soft); display: block; }

.scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: 0.75rem 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0.7rem 0.9rem 0.2rem; color: var(--soft); font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.9rem; border-top: 1px solid var(--line); font-weight: 400; }
thead th { border-top: 0; font-size: 0.8rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
tbody tr:hover { background: color-mix(in srgb, var(--calm-ground) 45%, transparent); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.code, td.text { overflow-wrap: anywhere; }
/* Wide enough for words, however wide the other columns are: without it, a text that may break anywhere is one letter wide. */
td.text > div { min-width: 13rem; } td.text ~ td.text > div { min-width: 18rem; }
.message { white-space: pre-line; }
/* As wide as its text, up to a limit: a wide table scrolls, and does not break a time to make room for other columns. */
.sample .value { display: inline-block; width: max-content; max-width: 24rem; overflow-wrap: anywhere; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }

.pill { text-decoration: none; font-variant-numeric: tabular-nums; }
.good { color: var(--good); background: var(--good-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.wait { color: var(--wait); background: var(--wait-ground); }
.calm { color: var(--calm); background: var(--calm-ground); }

.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; padding: 0; margin: 1rem 0; list-style: none; }
.chips a { display: inline-block; padding: 0.2rem 0.65rem; border: 1px solid var(--line); border-radius: 99px;
  background: var(--sheet); color: var(--ink); text-decoration: none; font-size: 0.9rem; }
.chips a:hover, .chips a[aria-current] { border-color: var(--link); }
.chips a[aria-current] { box-shadow: inset 0 0 0 1px var(--link); }
.count { color: var(--soft); font-variant-numeric: tabular-nums; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; padding: 0; margin: 1rem 0;
  list-style: none; }
.tiles a { display: block; height: 100%; padding: 0.8rem 1rem; background: var(--sheet); border: 1px solid var(--line);
  border-radius: 8px; color: var(--soft); text-decoration: none; }
.tiles a:hover { border-color: var(--link); }
.tiles strong { display: block; font-size: 1.5rem; line-height: 1.2; font-weight: 600; color: var(--ink);
  font-variant-numeric: tabular-nums; }

dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 0.9rem 1.5rem; margin: 1rem 0;
  background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; }
dl > div:has(> dd > .message) { grid-column: 1 / -1; }
dt { font-size: 0.8rem; font-weight: 600; color: var(--soft); }
dd { margin: 0.1rem 0 0; overflow-wrap: anywhere; }
pre { margin: 0.75rem 0; padding: 0.9rem 1.1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px;
  max-height: 30rem; overflow: auto; line-height: 1.45; user-select: all; }
pre code { overflow-wrap: normal; white-space: pre; }
.reasons { background: var(--bad-ground); border-radius: 8px; padding: 0.9rem 1.25rem; margin: 1rem 0; }
.reasons h2 { margin: 0; font-size: 1rem; color: var(--bad); }
.reasons ul { margin: 0.4rem 0 0; padding-left: 1.2rem; }
.pages { display: flex; gap: 1.5rem; }
.picture { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 8px; margin: 0.75rem 0; }
.picture svg { display: block; }
${Array.from({ length: 6 }, (_, depth) => `.depth-${String(depth + 1)} { padding-left: calc(${String(depth + 1)} * var(--indent)); min-width: calc(13rem + ${String(depth + 1)} * var(--indent)); }`).join('\n')}

td.track { width: 14%; min-width: 6rem; }
.track svg { display: block; width: 100%; height: 1.1rem; }
.bar { fill: var(--calm); background: none; } .bar.good { fill: var(--good); } .bar.bad { fill: var(--bad); }
.bar.wait, .bar.move { fill: var(--wait); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem 1.25rem; margin: 0.75rem 0; }
.buttons form, .filter { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; }
.buttons form, .buttons label { max-width: 100%; min-width: 0; }
.filter { margin: 1rem 0; }
input, select, button { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 6px;
  padding: 0.25rem 0.6rem; max-width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
button { font-weight: 550; cursor: pointer; }
button:hover { border-color: var(--link); color: var(--link); }

@media (max-width: 44rem) {
  :root { --indent: 0.5rem; }
  .wide, .state .date { display: none; }
  header .state { margin-left: auto; }
  main { padding: 1.25rem 1rem 2rem; }
  th, td { padding: 0.45rem 0.6rem; }
  .scroll { overflow: visible; background: none; border: 0; }
  .cards, .cards tbody, .cards tr, .cards td, .cards th, .cards caption { display: block; width: auto; }
  .cards thead { display: none; }
  .cards caption { padding: 0.2rem 0 0.4rem; }
  .cards tr { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin-bottom: 0.5rem; padding: 0.35rem 0; }
  .cards tr { display: flex; flex-wrap: wrap; column-gap: 1.1rem; padding-inline: 0.8rem; }
  .cards td, .cards th[scope=row] { border: 0; padding: 0.1rem 0; text-align: left; max-width: 100%; }
  .cards th[scope=row] { flex-basis: 100%; overflow-wrap: anywhere; }
  .cards td { display: flex; gap: 0.4rem; align-items: baseline; } .cards td.track { flex-basis: 100%; } .cards td.track > div { flex: 1; }
  .cards td.wide { display: none; }
  .cards td::before { content: attr(data-label); color: var(--soft); font-size: 0.85rem; flex: none; }
  .sample th[scope=row]::before { content: attr(data-label); color: var(--soft); font-size: 0.85rem; margin-right: 0.15rem; }
  .sample .value { display: inline; }
  .cards td > div, .cards td.text > div, .cards td.text ~ td.text > div, .cards td > div > div { min-width: 0; overflow-wrap: anywhere; }
  .cards td:has(> div:empty) { display: none; }
  pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
}
@media (prefers-reduced-motion: no-preference) { a { transition: border-color 0.15s; } }
${drawingStyle.text}`;
