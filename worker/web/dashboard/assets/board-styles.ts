/**
 * Styles of the board, its filters and its pages. `--c`: the colour of a state, which is always beside its word and
 * sign.
 */
export const boardStyles = `.good { --c: var(--good); } .bad { --c: var(--bad); } .wait { --c: var(--wait); } .move { --c: var(--move); } .calm { --c: var(--quiet); }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; margin: .75rem 0 .5rem; } .top h1 { margin: 0; } .top .acts { margin: 0; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; margin: 0 0 .5rem; } .tools .filters { margin: 0; } .tools .filters a { padding: .2rem .6rem; }
.search { display: flex; flex: 1 1 44rem; flex-wrap: wrap; gap: .5rem; align-items: center; }
.search input[type="search"], .search select { width: auto; padding: .25rem .6rem; font-size: .875rem; }
.search input[type="search"] { flex: 1 1 16rem; min-width: 8rem; }
.search select { max-width: 12rem; flex: 0 1 auto; text-overflow: ellipsis; }
.search .act, .search button, .views .act { margin: 0; }
.views { margin: 0; display: flex; gap: .25rem; }
.act[aria-current] { background: var(--calm-ground); font-weight: 600; }
.pager { display: flex; gap: .75rem; align-items: center; margin: .75rem 0; }
.board, .path, .notes { list-style: none; margin: 0; padding: 0; }
.board { columns: 40rem; column-gap: .4rem; margin-bottom: 1rem; }
.project { container-type: inline-size; break-inside: avoid; margin-bottom: .35rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .2rem .5rem; }
.project h2 { font-size: 1rem; margin: .1rem 0 .2rem; line-height: 1.25; }
.project h2 a { color: inherit; text-decoration: none; } .project h2 a:hover { text-decoration: underline; }
.project h2 .hint { font-size: .8125rem; }
.project:only-child { column-span: all; }
@container (min-width: 46rem) { .inside { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 .5rem; } .project h2 .hint { display: block; } }
.path { display: flex; flex-wrap: wrap; row-gap: .25rem; margin-bottom: .1rem; }
.path li { display: flex; } .hop { flex: 1 1 15rem; min-width: 0; }
@container (max-width: 30rem) { .hop + .hop { margin-left: 7.5rem; } }
.node { flex: 0 0 7.5rem; display: flex; }
.node a { display: flex; flex-wrap: wrap; gap: 0 .4rem; width: 7.5rem; align-content: center; border: 1.5px solid var(--c, var(--line)); border-radius: .45rem; padding: .1rem .4rem .15rem; color: inherit; text-decoration: none; font-size: .9375rem; line-height: 1.3; }
.node .name { flex: 1 0 100%; font-size: .8125rem; color: var(--quiet); }
.node .hint { font-size: .8125rem; }
.node .version { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.node.good .version::before { content: "✓ " / ""; color: var(--good); }
.node.bad .version::before, .node.wait .version::before { content: "≠ " / ""; color: var(--c); }
.node .differs { color: var(--c); font-size: .8125rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.edge { flex: 1 1 7.5rem; min-width: 0; position: relative; }
.edge a { display: grid; grid-template-rows: 1fr auto 1fr; height: 100%; padding: 0 .7rem 0 .2rem; text-align: center; text-decoration: none; font-size: .875rem; line-height: 1.3; color: var(--quiet); }
.edge a::after { content: "▶" / ""; position: absolute; right: 0; top: 50%; transform: translateY(-50%); font-size: .6rem; color: var(--c); }
.edge .name { align-self: end; display: flex; justify-content: center; gap: .3rem; min-width: 0; } .edge .name time { font-size: inherit; flex: none; }
.cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; } .edge .state { overflow-wrap: normal; }
.edge .line { height: 2px; background: var(--line); margin-right: -.5rem; }
.edge.bad .line, .edge.wait .line { background: var(--c); }
.edge progress { width: calc(100% + .5rem); max-width: none; height: 4px; display: block; }
.edge .state { color: var(--c); font-weight: 600; }
.edge .state::before { margin-right: .25rem; content: "○" / ""; }
.edge.good .state::before { content: "✓" / ""; } .edge.bad .state::before { content: "■" / ""; } .edge.wait .state::before { content: "◷" / ""; } .edge.move .state::before { content: "▶" / ""; }
.edge.good .state { font-weight: normal; color: var(--quiet); }
.node a:hover, .edge a:hover .name { text-decoration: underline; }
.notes { font-size: .9375rem; margin-bottom: .15rem; }
.notes li { display: flex; gap: 0 .5rem; align-items: baseline; padding-left: .4rem; border-left: .2rem solid var(--line); margin-top: .1rem; line-height: 1.35; }
.notes li.needs-you { border-left-color: var(--wait); } .notes li.failed { border-left-color: var(--bad); } .notes li.moving { border-left-color: var(--move); }
.notes .clip { flex: 1 1 10rem; } .notes p { margin: 0; } .notes .hint, .notes time { font-size: .875rem; } .notes .pill { font-size: .8125rem; }
.notes .acts { flex: none; } .notes .act { padding: .05rem .6rem; margin: 0 0 .1rem; font-size: .875rem; }
details.long { max-width: 75ch; } details.long summary { cursor: pointer; } details.long[open] .more { display: none; }
.clip { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .5rem; margin: .25rem 0 .75rem; }
.tiles > div { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .75rem; }
.tiles dt { color: var(--quiet); font-size: .8125rem; } .tiles dd { margin: 0; }
.tiles b { font-size: 1.15rem; font-variant-numeric: tabular-nums; margin-right: .35rem; } .tiles .hint { font-size: .8125rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.fall th[scope="row"] { font-weight: 600; min-width: 13rem; } .fall td[data-label="Events"] { min-width: 12rem; } .fall td, .fall th { padding: .25rem .75rem; vertical-align: middle; }
.fall td.number .hint { display: block; } .fall th code { font-size: .75rem; display: block; font-weight: normal; }
.fall .track { width: 36%; padding: 0; }
.fall svg { display: block; width: 100%; height: 1.125rem; }
.chart { display: block; width: 15rem; max-width: 100%; height: 2.75rem; }
.chart .trend { fill: none; stroke: var(--quiet); stroke-width: 1; } .chart .good { fill: var(--c); } .chart .bad { fill: none; stroke: var(--c); stroke-width: 2; }
.bar { fill: var(--c); } .usual { fill: var(--quiet); opacity: .55; } .mark { fill: var(--ink); } .cut { fill: var(--paper); }
@media (max-width: 52rem) {
  .tiles { grid-template-columns: 1fr 1fr; } .tiles .hint { display: block; }
  main:has(> .tools) { display: flex; flex-direction: column; } main > .tiles { order: 1; }
  .tools .filters a { font-size: .875rem; padding: .35rem .5rem; }
  .tools { gap: .4rem; } .search { display: contents; } .search input[type="search"] { flex-basis: 100%; } .search select { flex: 1 1 calc(50% - .2rem); min-width: 0; max-width: none; }
  .cards.fall tr { display: grid; grid-template-columns: 1fr auto; }
  .fall th[scope="row"], .fall td[data-label="Events"] { min-width: 0; }
  .cards.fall td { display: block; }
  .cards.fall td.track { grid-column: 1 / -1; width: auto; padding: .2rem .9rem; }
  .cards.fall td::before { display: none; } .cards.fall td[data-label="Median"]::before { display: inline; content: "median "; }
  .cards.fall td[data-label="Events"] { grid-column: 1 / -1; } .fall td.number > div { display: inline; } .cards.fall .number { text-align: left; }
  .notes li { flex-wrap: wrap; } .notes .clip { flex-basis: 100%; -webkit-line-clamp: 3; }
  .notes .act { padding: .35rem .75rem; }
}
`;
