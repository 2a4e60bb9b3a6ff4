import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../lib/core/values/version.ts';
import { noPromotionReasons } from '../records/ingest-result.ts';

/** Seconds, from a moment to a day: a push is ingested at once, a promotion may wait for a person. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];

/** `lane` is its id, because lanes of two projects may have the same name. */
const laneLabels = ['repository', 'lane', 'environment'] as const;

type LaneGauge = Gauge<(typeof laneLabels)[number]>;

/** The metrics of one worker. Their help texts say what each measures. */
export interface WorkerMetrics {
  readonly registry: Registry;
  /** `result` as in the webhook's answer. */
  readonly deliveries: Counter<'result'>;
  readonly ingestLag: Histogram;
  /** `reason` as in `NoPromotion`. */
  readonly pushesWithoutPromotion: Counter<'reason'>;
  readonly laneWait: Histogram;
  readonly promotion: Histogram<'outcome'>;
  readonly promotionsFinished: Counter<'outcome'>;
  readonly indeterminate: Counter;
  readonly pollLateness: Histogram;
  readonly tagConflicts: Counter;
  readonly platformRequests: Counter<'operation' | 'ended'>;
  readonly throttled: Counter<'credential'>;
  readonly recovered: Counter<'what'>;
  readonly poisonJobs: Counter<'queue'>;
  readonly configRefused: Gauge;
  readonly recordsNewer: Gauge;
  readonly stateLost: Counter;
  readonly stateOlder: Counter;
  readonly githubBudget: Gauge<'account'>;
  readonly githubAllowance: Gauge<'account' | 'resource'>;
  readonly githubAllowanceLimit: Gauge<'account' | 'resource'>;
  readonly oldestLook: Gauge;
  readonly unsentUpdates: Gauge;
  readonly oldestUnsentUpdate: Gauge;
  readonly queueJobs: Gauge<'queue' | 'state'>;
  readonly deadLetters: Gauge;
  readonly lanes: Gauge<'state'>;
  readonly oldestHold: Gauge;
  readonly approvalsOverdue: Gauge;
  readonly pauses: Gauge;
  readonly lanesOutOfStep: Gauge;
  readonly liveAge: Gauge;
  /** Delivery metrics of each lane over the last 30 days; docs/dashboard.md defines them. */
  readonly delivery: {
    readonly deployments: LaneGauge;
    readonly leadTime: LaneGauge;
    readonly changeFailureRate: LaneGauge;
    readonly timeToRestore: LaneGauge;
  };
  readonly canaryAge: Gauge<'queue'>;
}

/**
 * Creates the metrics in their own registry, separate from other metrics of the process. No label contains the id
 * of a promotion, a delivery or a commit, so that the number of series stays small.
 */
export function createMetrics(): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `millrace_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `millrace_${name}`, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name: `millrace_${name}_seconds`, help, labelNames, buckets, registers });

  gauge('build_info', 'Always 1; the labels name the version.', 'version', 'node').set(
    { version, node: process.versions.node },
    1,
  );
  const pushesWithoutPromotion = counter(
    'pushes_without_promotion_total',
    'Ingested pushes that started no promotion, by reason.',
    'reason',
  );
  const deliveries = counter('deliveries_total', 'Webhook deliveries, by result.', 'result');
  // From the start: the first one of a series that begins later is not an increase for Prometheus.
  for (const reason of noPromotionReasons) pushesWithoutPromotion.inc({ reason }, 0);
  deliveries.inc({ result: 'unavailable' }, 0);

  return {
    registry,
    deliveries,
    ingestLag: seconds('ingest_lag', 'Time from the delivery of a push until its lanes have accepted it.'),
    pushesWithoutPromotion,
    laneWait: seconds('lane_wait', 'Time from the acceptance of a promotion until it has its lane.'),
    promotion: seconds('promotion', 'Time from when a promotion has its lane until its end.', 'outcome'),
    promotionsFinished: counter('promotions_finished_total', 'Finished promotions, by outcome.', 'outcome'),
    indeterminate: counter('indeterminate_total', 'Promotions that ended with an unknown result.'),
    pollLateness: seconds(
      'poll_lateness',
      'Delay between the scheduled and the actual advance of a promotion.',
    ),
    tagConflicts: counter('tag_conflicts_total', 'Starts refused because the execution tag was busy (409).'),
    platformRequests: counter('platform_requests_total', 'Requests to the platform.', 'operation', 'ended'),
    throttled: counter(
      'platform_throttled_total',
      'Requests that the platform throttled (429, 503).',
      'credential',
    ),
    recovered: counter('recovered_total', 'Lost jobs, deliveries and heads that were recovered.', 'what'),
    poisonJobs: counter('poison_jobs_total', 'Jobs given up because they crashed worker processes.', 'queue'),
    configRefused: gauge(
      'config_refused',
      '1 while the worker.yaml on disk is refused and the previous one is in use, otherwise 0.',
    ),
    recordsNewer: gauge(
      'records_newer',
      '1 while the records have a newer format than this worker knows, so that it leaves them to a newer worker, otherwise 0.',
    ),
    stateLost: counter('state_lost_total', 'Times that the records in Redis were found lost.'),
    stateOlder: counter(
      'state_older_total',
      'Lanes that were held because Redis came back with an older state.',
    ),
    githubBudget: gauge(
      'github_writes_left',
      'Write requests to GitHub that an account may still send in this hour.',
      'account',
    ),
    githubAllowance: gauge(
      'github_requests_left',
      'Requests that GitHub still allows this worker in this hour; points for the resource graphql.',
      'account',
      'resource',
    ),
    githubAllowanceLimit: gauge(
      'github_requests_limit',
      'Requests that GitHub allows in an hour; points for the resource graphql.',
      'account',
      'resource',
    ),
    oldestLook: gauge(
      'oldest_look_timestamp_seconds',
      'Time since which every repository has been checked for missed pushes; set by the worker that sweeps.',
    ),
    unsentUpdates: gauge('unsent_updates', 'Promotions of which GitHub shows an older state.'),
    oldestUnsentUpdate: gauge(
      'oldest_unsent_update_age_seconds',
      'Time for which GitHub has shown an older state of a promotion; 0 if it shows the newest states.',
    ),
    queueJobs: gauge('queue_jobs', 'Jobs in a queue, by state.', 'queue', 'state'),
    deadLetters: gauge('dead_letters', 'Dead letters.'),
    lanes: gauge('lanes', 'Lanes by state: held, active, idle.', 'state'),
    oldestHold: gauge('oldest_hold_age_seconds', 'Age of the oldest hold of a lane; 0 without one.'),
    approvalsOverdue: gauge(
      'approvals_overdue',
      'Promotions that have waited for an approval for longer than `approval-overdue-after` of worker.yaml.',
    ),
    pauses: gauge('pauses', 'Pauses in force.'),
    lanesOutOfStep: gauge(
      'lanes_out_of_step',
      'Lanes whose live version differs from the last verified one or from the wanted one.',
    ),
    liveAge: gauge('live_age_seconds', 'Age of the oldest answer of the platform about a live version.'),
    delivery: {
      deployments: gauge(
        'lane_deployments',
        'Promotions of a lane that passed in the last 30 days.',
        ...laneLabels,
      ),
      leadTime: gauge(
        'lane_lead_time_seconds',
        'Median time from a commit until it passed in a lane, over the last 30 days.',
        ...laneLabels,
      ),
      changeFailureRate: gauge(
        'lane_change_failure_ratio',
        'Share of the promotions that changed the environment of a lane and failed, over the last 30 days; from 0 to 1.',
        ...laneLabels,
      ),
      timeToRestore: gauge(
        'lane_time_to_restore_seconds',
        'Median time for which an environment had a version that failed, over the last 30 days.',
        ...laneLabels,
      ),
    },
    canaryAge: gauge(
      'canary_age_seconds',
      'Time since a queue of this worker last processed a job.',
      'queue',
    ),
  };
}
