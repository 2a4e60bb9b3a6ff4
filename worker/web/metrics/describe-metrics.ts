import {
  deliveryMetrics,
  type DeliveryMetrics,
  type MetricsSpan,
} from '../../../flows/metrics/delivery-metrics.ts';
import { lastEnvironments } from '../../../flows/metrics/last-environments.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import type { Past } from './past-promotions.ts';

type MeasuredLane = Pick<LaneRecord, 'id' | 'name' | 'repository' | 'project' | 'from' | 'to'>;

const dayMs = 86_400_000;

/** The number of days that pages and `/metrics` cover. */
export const usualDays = 30;

export const spanOf = (now: number, days: number): MetricsSpan => ({ since: now - days * dayMs, until: now });

/** The lanes to the environments at the end of each project's paths. */
export function lastLanes<Lane extends MeasuredLane>(lanes: readonly Lane[]): readonly Lane[] {
  const projects = Map.groupBy(lanes, ({ repository, project }) => `${repository}\n${project}`);
  return [...projects.values()].flatMap((inside) => {
    const last = lastEnvironments(inside);
    return inside.filter(({ to }) => last.includes(to));
  });
}

/** The metrics of several lanes together, for the time span in which all their promotions are known. */
export function metricsOfLanes(
  lanes: readonly Pick<MeasuredLane, 'id'>[],
  past: Past,
  { since, until }: MetricsSpan,
): DeliveryMetrics {
  const lanePasts = lanes.flatMap(({ id }) => past.get(id) ?? []);
  return deliveryMetrics(
    lanePasts.map(({ promotions }) => promotions),
    { since: Math.max(since, ...lanePasts.map((lanePast) => lanePast.since)), until },
  );
}

/** The metrics of each repository and of each lane, in the form that the API shows. */
export function describeMetrics(lanes: readonly MeasuredLane[], past: Past, days: number, now: number) {
  const span = spanOf(now, days);
  const repositories = Map.groupBy(lanes, ({ repository }) => repository);
  return {
    since: new Date(span.since).toISOString(),
    until: new Date(span.until).toISOString(),
    repositories: [...repositories].map(([repository, inside]) => {
      const last = lastLanes(inside);
      return {
        repository,
        environments: [...new Set(last.map(({ to }) => to))],
        ...metricsOfLanes(last, past, span),
      };
    }),
    lanes: lanes.map((lane) => ({
      lane: lane.id,
      laneName: lane.name,
      repository: lane.repository,
      from: lane.from,
      to: lane.to,
      ...metricsOfLanes([lane], past, span),
    })),
  };
}
