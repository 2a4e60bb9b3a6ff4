import type { DeliveryMetrics } from './delivery-metrics.ts';
import { durationText } from '../../lib/core/text/duration-text.ts';

const orNone = (ms: number | null): string => (ms === null ? '–' : durationText(ms));

/** The four metrics for people; `–` if there is nothing to measure. */
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

/** Per day, otherwise per week or per month, so that the number is at least 1 if possible. */
function frequencyText(perDay: number): string {
  const [per, count] =
    perDay >= 1 ? ['day', perDay] : perDay * 7 >= 1 ? ['week', perDay * 7] : ['month', perDay * 30];
  return `${count >= 10 ? String(Math.round(count)) : String(Number(count.toFixed(1)))} per ${per}`;
}

const percentText = (part: number): string =>
  `${part > 0 && part < 0.1 ? (part * 100).toFixed(1) : String(Math.round(part * 100))} %`;
