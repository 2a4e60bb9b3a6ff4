import { xml } from './xml.ts';

/**
 * The style of all drawings: light and dark by the reader's setting, contrasts of at least 4.5 to 1 for text. The colour is never the only
 * difference: pipelines and tables have their own shapes, calls are dashed, and an arrow has the direction of the data.
 */
export const drawingStyle = xml`
.graph { --g-ground: #ffffff; --g-ink: #1b2430; --g-soft: #556170; --g-line: #d9dee5; --g-group: #f4f6f9; --g-sheet: #ffffff;
  --g-pipeline: #45505e; --g-table: #0b57a4; --g-table-ground: #eaf2fb; --g-call: #68737f; --g-read: #0b57a4; --g-write: #0b6b3a;
  --g-bad: #a4262c; --g-wait: #7a4b00; }
@media (prefers-color-scheme: dark) {
  .graph { --g-ground: #10151c; --g-ink: #e4e9f0; --g-soft: #a3aebb; --g-line: #2d3845; --g-group: #161d26; --g-sheet: #1d2631;
  --g-pipeline: #a3aebb; --g-table: #7cb8ff; --g-table-ground: #14263b; --g-call: #8d99a6; --g-read: #7cb8ff; --g-write: #7fdca6;
  --g-bad: #ffa3a3; --g-wait: #f3c677; }
}
.graph .ground { fill: var(--g-ground); }
.graph text { fill: var(--g-ink); font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, "DejaVu Sans", sans-serif;
  text-anchor: middle; dominant-baseline: central; }
.graph .second { font-size: 11px; fill: var(--g-soft); }
.graph .group rect { fill: var(--g-group); stroke: var(--g-line); }
.graph .group text, .graph .legend text { text-anchor: start; fill: var(--g-soft); font-size: 12px; }
.graph .group text { font-weight: 600; }
.graph .node path { fill: var(--g-sheet); stroke: var(--g-pipeline); stroke-width: 1.3; }
.graph .table path { fill: var(--g-table-ground); stroke: var(--g-table); }
.graph .table .lid { fill: none; }
.graph .node.outside path, .graph .node.foreign path { stroke-dasharray: 4 3; }
.graph .node.missing path { stroke: var(--g-bad); stroke-dasharray: 4 3; }
.graph .node.error path { stroke: var(--g-bad); stroke-width: 3; }
.graph .node.warning path { stroke: var(--g-wait); stroke-width: 3; }
.graph .node.notice path { stroke: var(--g-read); stroke-width: 2; }
.graph .edge { fill: none; stroke-width: 1.4; }
.graph .edge:hover { stroke-width: 3.5; }
.graph .call { stroke: var(--g-call); stroke-dasharray: 6 3; }
.graph .read { stroke: var(--g-read); }
.graph .write { stroke: var(--g-write); }
.graph .drop { stroke: var(--g-bad); stroke-dasharray: 2 3; }
.graph marker path { stroke: none; }
.graph .head-call { fill: var(--g-call); }
.graph .head-read { fill: var(--g-read); }
.graph .head-write { fill: var(--g-write); }
.graph .head-drop { fill: var(--g-bad); }
.graph a:hover path, .graph a:focus-visible path { stroke-width: 3; }
.graph a:focus-visible { outline: none; }
.graph .current path { stroke-width: 3; }
`;
