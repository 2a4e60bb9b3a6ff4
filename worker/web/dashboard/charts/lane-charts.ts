import { line, symbol, symbolCircle, symbolTimes } from 'd3-shape';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { table } from '../../../../lib/html/parts.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records } from '../../../promotion/context/ports.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { type Phase, phasesOf, verifyPrefix } from '../waterfall/phases.ts';
import { medianOf } from '../../../../flows/metrics/delivery-metrics.ts';
import { durationText } from '../../../../lib/core/text/duration-text.ts';

/** Newest promotions of the lane that are drawn. */
const maxDrawn = 30;

interface Ended {
  readonly promotion: PromotionRecord;
  readonly phases: readonly Phase[];
}

interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Small charts of the success and duration of a lane's promotions, and of each pipeline that verifies them. */
export async function laneCharts(lane: string, { store }: Records<LaneReads>): Promise<Content> {
  const ids = await store.promotionIdsOf([lane], maxDrawn);
  const read = await Promise.all(
    ids.toReversed().map(async (id) => {
      const promotion = await store.promotion(id);
      if (promotion?.endedAt === undefined || promotion.startedAt === undefined) return undefined;
      return { promotion, phases: phasesOf(promotion, await store.history({ promotion: id })) };
    }),
  );
  const ended = read.filter((entry) => entry !== undefined);
  const series = [promotionsOf(ended), ...pipelinesOf(ended)].filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return table(
    `History: the last ${maxDrawn} promotions`,
    series,
    [
      { name: 'What', show: ({ name }) => name },
      { name: 'Result', show: ({ points }) => historyText(points) },
      {
        name: 'Duration, oldest first',
        show: ({ name, points }) => historyChart(points.slice(-maxDrawn), name),
      },
    ],
    '',
  );
}

/** Promotions that passed or failed, from when they had the lane until their end. */
function promotionsOf(ended: readonly Ended[]): Series {
  const points = ended.flatMap(({ promotion: { outcome, startedAt = 0, endedAt = 0 } }) =>
    outcome === 'passed' || outcome === 'failed'
      ? [{ ms: Math.max(0, endedAt - startedAt), isGood: outcome === 'passed' }]
      : [],
  );
  return { name: 'Promotions', points };
}

function pipelinesOf(ended: readonly Ended[]): readonly Series[] {
  const executions = ended.flatMap(({ phases }) =>
    phases.flatMap(({ name, from, to, end, ran }) =>
      name.startsWith(verifyPrefix) && to !== undefined && (end === 'done' || end === 'failed')
        ? [
            {
              name: name.slice(verifyPrefix.length),
              ms: ran ? ran.to - ran.from : to - from,
              isGood: end === 'done',
            },
          ]
        : [],
    ),
  );
  return [...Map.groupBy(executions, ({ name }) => name)].map(([name, points]) => ({ name, points }));
}

/** One promotion or execution, oldest first in a list of them. */
interface Point {
  readonly ms: number;
  readonly isGood: boolean;
}

const width = 240;
const height = 44;
const margin = 6;

/** The points as text: how many succeeded, and how long it took. */
function historyText(points: readonly Point[]): string {
  const good = points.filter(({ isGood }) => isGood);
  const median = medianOf(good.map(({ ms }) => ms));
  const rate = `${good.length} of ${points.length} succeeded`;
  return median === null ? rate : `${rate}, median ${durationText(median)}`;
}

/** Durations over time, failures as crosses. The words beside it say the same. */
function historyChart(points: readonly Point[], label: string): Markup {
  const longest = Math.max(1, ...points.map(({ ms }) => ms));
  const x = (i: number): number =>
    points.length === 1 ? width / 2 : margin + (i * (width - 2 * margin)) / (points.length - 1);
  const y = (ms: number): number => height - margin - (ms * (height - 2 * margin)) / longest;
  const path = line<Point>(
    (_, i) => x(i),
    ({ ms }) => y(ms),
  ).digits(1)([...points]);
  const mark = (isGood: boolean): string =>
    symbol(isGood ? symbolCircle : symbolTimes, isGood ? 16 : 36)() ?? '';
  return html`<svg
    class="chart"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${label}: ${historyText(points)}, longest ${durationText(longest)}"
  >
    <path class="trend" d="${path}" />
    ${points.map(
      ({ ms, isGood }, i) =>
        html`<path
          class="${isGood ? 'good' : 'bad'}"
          transform="translate(${x(i).toFixed(1)},${y(ms).toFixed(1)})"
          d="${mark(isGood)}"
        />`,
    )}
  </svg>`;
}
