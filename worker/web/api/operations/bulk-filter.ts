import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';

export const bulkActions = ['resume', 'resolve', 'retry'] as const;

export type BulkAction = (typeof bulkActions)[number];

/** The lanes and promotions that a bulk action covers. */
export interface BulkFilter {
  /** GitHub's id. */
  readonly repository: number | undefined;
  readonly environment: string | undefined;
  /** Id or name. */
  readonly lane: string | undefined;
  /** Only holds with this cause. */
  readonly cause: string | undefined;
  /** Only promotions with one of these outcomes. */
  readonly outcomes: readonly string[];
  /** Only holds set, or promotions ended, since then; milliseconds since the epoch. */
  readonly since: number;
}

export const holdCauses = [
  'manual',
  'rolled-back',
  'state-lost',
  'state-older',
  'journal-missing',
  'indeterminate',
  'failed',
  'plan-changed',
  'stuck',
  'disabled',
];

export const retriedOutcomes = ['failed', 'error', 'cancelled', 'nothing-to-do'];

const names: Readonly<Record<BulkAction, readonly string[]>> = {
  resume: ['repository', 'environment', 'lane', 'since', 'cause'],
  resolve: ['repository', 'environment', 'lane', 'since'],
  retry: ['repository', 'environment', 'lane', 'since', 'outcome'],
};

/** Parses the filter in a query; an empty value counts as absent. Returns a text with the error if it is invalid. */
export function bulkFilter(
  action: BulkAction,
  query: URLSearchParams,
  { repositories }: WorkerConfig,
): BulkFilter | string {
  const unknown = [...query.keys()].find((name) => !names[action].includes(name));
  if (unknown !== undefined) return `\`${unknown}\` is not a filter of the action ${action}`;
  const filterValue = (name: string): string | undefined => query.get(name) || undefined;
  const [repository, cause, outcome, since] = [
    filterValue('repository'),
    filterValue('cause'),
    filterValue('outcome'),
    filterValue('since'),
  ];
  const meant = repositories.find(({ id, name }) => String(id) === repository || name === repository);
  if (repository !== undefined && meant === undefined) return `worker.yaml lists no repository ${repository}`;
  if (cause !== undefined && !holdCauses.includes(cause))
    return `\`cause\` must be one of ${holdCauses.join(', ')}`;
  if (outcome !== undefined && !retriedOutcomes.includes(outcome))
    return `\`outcome\` must be one of ${retriedOutcomes.join(', ')}`;
  const time = since === undefined ? 0 : Date.parse(since);
  if (Number.isNaN(time)) return '`since` must be a time in ISO 8601';
  return {
    repository: meant?.id,
    environment: filterValue('environment'),
    lane: filterValue('lane'),
    cause,
    // Those that ended in a failure.
    outcomes: outcome === undefined ? ['failed', 'error'] : [outcome],
    since: time,
  };
}
