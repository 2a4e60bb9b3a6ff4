import type { DeliveryMetrics } from './delivery-metrics.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration for people, with its two largest units: `2 min 10 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000) * 1_000;
  const first = units.findIndex(([, size]) => seconds >= size);
  let rest = seconds;
  const parts = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${String(count)} ${unit}`];
  });
  return parts.join(' ');
}

const orNone = (ms: number | null): string => (ms === null ? '–' : durationText(ms));

/** The four metrics for people; `–` where there is nothing to measure. */
export function metricTexts(
  metrics: Pick<
    DeliveryMetrics,
    'deployments' | 'deploymentsPerDay' | 'leadTimeMs' | 'changeFailureRate' | 'timeToRestoreMs'
  >,
) {
  const { deployments, deploymentsPerDay, leadTimeMs, changeFailureRate, timeToRestoreMs } = metrics;
  return {
    frequency: deployments === 0 ? '–' : frequencyText(deploymentsPerDay),
    leadTime: orNone(leadTimeMs),
    changeFailureRate: changeFailureRate === null ? '–' : percentText(changeFailureRate),
    timeToRestore: orNone(timeToRestoreMs),
  };
}

/** Per day, otherwise per week or per month, so that the number is at least 1 where possible. */
function frequencyText(perDay: number): string {
  const [per, count] =
    perDay >= 1 ? ['day', perDay] : perDay * 7 >= 1 ? ['week', perDay * 7] : ['month', perDay * 30];
  return `${count >= 10 ? String(Math.round(count)) : String(Number(count.toFixed(1)))} per ${per}`;
}

const percentText = (part: number): string =>
  `${part > 0 && part < 0.1 ? (part * 100).toFixed(1) : String(Math.round(part * 100))} %`;
