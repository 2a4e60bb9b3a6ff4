import { durationText } from '../../../../lib/core/text/duration-text.ts';
import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { barTrack } from '../../../../lib/html/bar-track.ts';
import { pill, type Tone } from '../../../../lib/html/parts.ts';
import { describeEvent, type HistoryEvent } from '../../../records/history-event.ts';
import { exactly } from '../parts/parts.ts';
import type { Phase, PhaseEnd } from './phases.ts';
import { type DrawnPhase, type Scale, scaleOf } from './scale.ts';
import { comparedPromotions, type Usual } from './read-usual.ts';

export interface Waterfall extends Usual {
  readonly phases: readonly Phase[];
  readonly now: number;
  /** The page of an execution on the platform. */
  readonly executionPage: (executionId: string, verify: number) => string | undefined;
}

const ends: Readonly<Record<PhaseEnd, readonly [tone: Tone, word: string]>> = {
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
  stopped: ['calm', 'stopped'],
  open: ['move', 'now'],
};

/** The phases as bars below each other. The table has the same facts as text. */
export function waterfallTable({ phases, usual, compared, now, executionPage }: Waterfall): Markup {
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
      ${phases.map((phase, i) => phaseRow(phase, { scale, drawn: scale.phases[i], usual, now, median, executionPage }))}
    </tbody>
  </table>`;
}

interface Drawing {
  readonly scale: Scale;
  readonly drawn: DrawnPhase | undefined;
  readonly usual: ReadonlyMap<string, number>;
  readonly now: number;
  readonly median: string | null;
  readonly executionPage: Waterfall['executionPage'];
}

function phaseRow(phase: Phase, { scale, drawn, usual, now, median, executionPage }: Drawing): Markup {
  const { name, from, to = now, end, ran, executionId, events } = phase;
  const [tone, word] = ends[end];
  const usualMs = usual.get(name);
  return html`<tr>
    <th scope="row">
      ${withBreakPoints(name)}
      ${executionId === undefined ? null : executionMark(executionId, executionPage(executionId, phase.verify ?? 0))}
    </th>
    <td data-label="Result"><div>${pill(tone, word)}</div></td>
    <td class="track" aria-hidden="true">
      ${
        drawn === undefined
          ? null
          : barTrack({
              ...drawn,
              // A wait is not work.
              tone: phase.isWait && end === 'done' ? 'calm' : tone,
              usual: usualMs === undefined ? 0 : scale.widthOf(usualMs),
              marks: events.map(({ at }) => (at - from) / Math.max(1, to - from)),
            })
      }
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

/** An execution, with a link to the platform if its address is known. */
export function executionMark(executionId: string, address: string | undefined): Markup {
  const id = html`<code class="hint" title="Execution ${executionId}">${withBreakPoints(executionId)}</code>`;
  return address === undefined ? id : html`<a href="${address}" rel="noreferrer">${id}</a>`;
}

/** If there are more than a few events, a summary hides them. */
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
