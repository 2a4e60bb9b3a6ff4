/**
 * The styles that the worker's dashboard and the inspector of the local platform share: colours, header with
 * sections, and states. Contrasts are at least 4.5 to 1, and colours only repeat what words say.
 */
export const frameStyles = `:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #fff; --ink: #19222d; --quiet: #56636f; --line: #d9dfe5;
  --link: #0a5f7a; --good: #176b40; --bad: #b0261c; --wait: #7d5200; --move: #1a58ab;
  --good-ground: #e2f3e8; --bad-ground: #fce8e6; --wait-ground: #fbf0d6; --move-ground: #e4eefb; --calm-ground: #e9edf1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151b; --paper: #181f27; --ink: #e5eaf0; --quiet: #9eabb8; --line: #2c3641;
    --link: #6cc5e0; --good: #7fd6a4; --bad: #ff9d94; --wait: #eec36b; --move: #8fbcf7;
    --good-ground: #163526; --bad-ground: #45201e; --wait-ground: #3b2f14; --move-ground: #1a3150; --calm-ground: #28313b;
  }
}
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem; z-index: 1; }
body > header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .6rem 1.5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; font-size: 1.1rem; margin: 0; }
.brand a { color: inherit; text-decoration: none; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .35rem .7rem; border-radius: .4rem; text-decoration: none; color: inherit; }
nav a:hover { background: var(--calm-ground); }
nav a[aria-current] { background: var(--calm-ground); font-weight: 600; box-shadow: inset 0 -2px var(--link); }
#live-state { margin: 0 0 0 auto; font-size: .875rem; color: var(--quiet); }
#live-state:not(:empty)::before { content: "●" / ""; color: var(--good); margin-right: .35rem; }
#live-state.lost { color: var(--bad); font-weight: 600; }
#live-state.lost::before { content: "▲" / ""; color: var(--bad); }
.pill, .tag { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .875rem; font-weight: 600; line-height: 1.5; white-space: nowrap; color: var(--quiet); background: var(--calm-ground); }
.tag.good { color: var(--good); } .tag.bad { color: var(--bad); } .tag.wait { color: var(--wait); } .tag.move { color: var(--move); }
.pill::before { margin-right: .35rem; content: "○" / ""; }
.pill.good { color: var(--good); background: var(--good-ground); } .pill.good::before { content: "✓" / ""; }
.pill.bad { color: var(--bad); background: var(--bad-ground); } .pill.bad::before { content: "■" / ""; }
.pill.wait { color: var(--wait); background: var(--wait-ground); } .pill.wait::before { content: "◷" / ""; }
.pill.move { color: var(--move); background: var(--move-ground); } .pill.move::before { content: "▶" / ""; }

@media (max-width: 52rem) {
  body > header { padding: .35rem .75rem; gap: .1rem .75rem; flex-wrap: nowrap; }
  body > header:has(nav) { flex-wrap: wrap; }
  header nav { order: 3; width: 100%; }
  header nav ul { flex-wrap: nowrap; overflow-x: auto; }
  header nav a { white-space: nowrap; }
  nav a { padding: .45rem .5rem; font-size: .9375rem; }
}
`;
