import { durationText } from '../../../../flows/metrics/metric-texts.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { pill, type Tone } from '../../../../lib/html/parts.ts';
import { describeEvent, type HistoryEvent } from '../../../records/history-event.ts';
import { exactly } from '../parts.ts';
import type { Phase, PhaseEnd } from './phases.ts';
import { type DrawnPhase, type Scale, scaleOf } from './scale.ts';
import { comparedPromotions, type Usual } from './read-usual.ts';

export interface Waterfall extends Usual {
  readonly phases: readonly Phase[];
  readonly now: number;
}

const ends: Readonly<Record<PhaseEnd, readonly [tone: Tone, word: string]>> = {
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
  stopped: ['calm', 'stopped'],
  open: ['move', 'now'],
};

/** The phases as bars below each other; the table says the same in text. */
export function waterfallTable({ phases, usual, compared, now }: Waterfall): Markup {
  const scale = scaleOf(phases, now);
  const median =
    compared === 0 ? null : `Median of the last ${compared === comparedPromotions ? 'ten' : compared}`;
  return html`<table class="cards fall">
    <caption>
      Phases
      ${median === null ? null : html`<span class="hint">grey: ${median.toLowerCase()} of this lane</span>`}
    </caption>
    <thead>
      <tr>
        <th scope="col">Phase</th>
        <th scope="col"><span class="unseen">Result</span></th>
        <th scope="col" class="track" aria-hidden="true"></th>
        <th scope="col" class="number">Duration</th>
        ${median === null ? null : html`<th scope="col" class="number">${median}</th>`}
        <th scope="col">Events</th>
      </tr>
    </thead>
    <tbody>
      ${phases.map((phase, i) => phaseRow(phase, { scale, drawn: scale.phases[i], usual, now, median }))}
    </tbody>
  </table>`;
}

interface Drawing {
  readonly scale: Scale;
  readonly drawn: DrawnPhase | undefined;
  readonly usual: ReadonlyMap<string, number>;
  readonly now: number;
  readonly median: string | null;
}

function phaseRow(phase: Phase, { scale, drawn, usual, now, median }: Drawing): Markup {
  const { name, from, to = now, end, ran, executionId, events } = phase;
  const [tone, word] = phase.isWait && end === 'done' ? (['calm', 'done'] as const) : ends[end];
  const usualMs = usual.get(name);
  return html`<tr>
    <th scope="row">
      ${name}
      ${executionId === undefined ? null : html`<code class="hint" title="Execution ${executionId}">${executionId}</code>`}
    </th>
    <td data-label="Result"><div>${pill(tone, word)}</div></td>
    <td class="track" aria-hidden="true">
      ${drawn === undefined ? null : bars(phase, drawn, { tone, usual: usualMs === undefined ? 0 : scale.widthOf(usualMs), now })}
    </td>
    <td class="number" data-label="Duration">
      <div>
        ${durationText(Math.max(0, to - from))}
        ${ran === undefined ? null : html`<span class="hint">ran ${durationText(ran.to - ran.from)}</span>`}
      </div>
    </td>
    ${
      median === null
        ? null
        : html`<td class="number" data-label="Median">
            <div>${usualMs === undefined ? '–' : durationText(usualMs)}</div>
          </td>`
    }
    <td data-label="Events"><div>${eventList(events)}</div></td>
  </tr>`;
}

const units = 1_000;
const inUnits = (part: number): string => (Math.min(Math.max(part, 0), 1) * units).toFixed(1);

/** The bar of a phase above that of the median, with a mark for each event. */
function bars(
  { from, to, events }: Phase,
  { start, width, isCut }: DrawnPhase,
  { tone, usual, now }: { readonly tone: Tone; readonly usual: number; readonly now: number },
): Markup {
  const took = Math.max(1, (to ?? now) - from);
  const shown = Math.max(width, 0.004);
  const at = Math.min(start, 1 - shown);
  return html`<svg viewBox="0 0 ${units} 18" preserveAspectRatio="none">
    <rect class="usual" x="${inUnits(at)}" y="11" width="${inUnits(Math.min(usual, 1 - at))}" height="5" />
    <rect class="bar ${tone}" x="${inUnits(at)}" y="2" width="${inUnits(shown)}" height="8" />
    ${isCut ? html`<rect class="cut" x="${inUnits(at + shown / 2)}" y="0" width="6" height="12" />` : null}
    ${events.map(
      (event) =>
        html`<rect
          class="mark"
          x="${inUnits(at + (shown * (event.at - from)) / took)}"
          y="0"
          width="3"
          height="12"
        />`,
    )}
  </svg>`;
}

/** More than a few are behind a summary. */
const shownEvents = 3;

function eventList(events: readonly HistoryEvent[]): Content {
  if (events.length === 0) return null;
  const list = html`<ul class="details">
    ${events.map(({ what, at }) => html`<li>${describeEvent(what)}, ${exactly(at, 'time')}</li>`)}
  </ul>`;
  if (events.length <= shownEvents) return list;
  return html`<details>
    <summary>${events.length} events, the last: ${describeEvent(events.at(-1)?.what ?? '')}</summary>
    ${list}
  </details>`;
}
