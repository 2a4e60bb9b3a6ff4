import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a moment to a day: a push is taken in at once, a promotion may wait for a person. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];

/** The counts and times of one worker. */
export type WorkerMetrics = ReturnType<typeof createMetrics>;

/**
 * Metrics in a registry of their own: nothing of the process that the worker runs in is mixed with them. No label
 * holds the id of a promotion, a delivery or a commit, so that their number stays small.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `millrace_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `millrace_${name}`, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name: `millrace_${name}_seconds`, help, labelNames, buckets, registers });

  return {
    registry,
    /** `fate` as the webhook's answer says it. */
    deliveries: counter('deliveries_total', 'Webhook deliveries, by what became of them.', 'result'),
    ingestLag: seconds('ingest_lag', 'From the delivery of a push until its lanes have it.'),
    laneWait: seconds('lane_wait', 'From the acceptance of a promotion until it has its lane.'),
    promotion: seconds('promotion', 'From when a promotion has its lane until its end.', 'outcome'),
    promotionsFinished: counter('promotions_finished_total', 'Runs that ended, by outcome.', 'outcome'),
    indeterminate: counter('indeterminate_total', 'Runs that ended without anybody knowing how.'),
    pollLateness: seconds('poll_lateness', 'How much later than planned a promotion had its next turn.'),
    tagConflicts: counter('tag_conflicts_total', 'Starts refused because the execution tag was busy (409).'),
    platformRequests: counter('platform_requests_total', 'Requests to the platform.', 'operation', 'ended'),
    throttled: counter(
      'platform_throttled_total',
      'Times that the platform asked for less (429, 503).',
      'credential',
    ),
    recovered: counter('recovered_total', 'What was lost and made anew by the reconciler.', 'what'),
    poisonJobs: counter('poison_jobs_total', 'Jobs set aside because they kill workers.', 'queue'),
    stateLost: counter('state_lost_total', 'Times that the records in Redis were found gone.'),
    githubBudget: gauge(
      'github_writes_left',
      'What is left of the writes that GitHub lets an account do in an hour.',
      'account',
    ),
    queueJobs: gauge('queue_jobs', 'Jobs in a queue, by state.', 'queue', 'state'),
    deadLetters: gauge('dead_letters', 'Dead letters that wait for a person.'),
    lanes: gauge('lanes', 'Lanes by what they do: held, active, idle.', 'state'),
    lanesOutOfStep: gauge(
      'lanes_out_of_step',
      'Lanes where what is live is not what was verified last, or not what is wanted.',
    ),
    liveAge: gauge('live_age_seconds', 'Age of the oldest answer of the platform about what is live.'),
    canaryAge: gauge('canary_age_seconds', 'Since a queue of this worker last worked.', 'queue'),
  };
}
