import { line, symbol, symbolCircle, symbolTimes } from 'd3-shape';
import { medianOf } from '../../../../flows/metrics/delivery-metrics.ts';
import { durationText } from '../../../../lib/core/text/duration-text.ts';
import { html, type Markup } from '../../../../lib/html/markup.ts';

/** One promotion or execution, oldest first in a list of them. */
export interface Point {
  readonly ms: number;
  readonly isGood: boolean;
}

const width = 240;
const height = 44;
const margin = 6;

/** The points as text: how many succeeded, and how long it took. */
export function historyText(points: readonly Point[]): string {
  const good = points.filter(({ isGood }) => isGood);
  const median = medianOf(good.map(({ ms }) => ms));
  const rate = `${good.length} of ${points.length} succeeded`;
  return median === null ? rate : `${rate}, median ${durationText(median)}`;
}

/** Durations over time, failures as crosses. The words beside it say the same. */
export function historyChart(points: readonly Point[], label: string): Markup {
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
