import type { AdvanceKey, Advances } from '../../../../worker/store/advances/advances.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';

export interface DeliveryOptions {
  readonly store: Advances;
  readonly key: AdvanceKey;
  readonly lane: PromotionLane;
  readonly version: string;
  /** Varies the durations. */
  readonly seed: number;
}

/** One write of a worker, and the milliseconds since the one before it. */
export interface Command {
  readonly after: number;
  readonly run: () => Promise<unknown>;
}

/** What a worker writes while it promotes a version: one that passes, or whose second verification fails. */
export function commandsOf(
  { store, key, lane, version, seed }: DeliveryOptions,
  hasFailed: boolean,
): readonly Command[] {
  const write = (after: number, what: string, data?: object, step?: object, text?: string): Command => ({
    after,
    run: () =>
      store.record(key, {
        kind: 'state',
        what,
        data,
        fields: { version, ...(step === undefined ? {} : { step: JSON.stringify(step) }) },
        report: text === undefined ? undefined : { state: 'pending', text },
      }),
  });
  const vary = (ms: number): number => ms + ((seed * 7_919) % Math.max(1, Math.floor(ms / 2)));
  const [first, second] = lane.verify.map(({ pipeline }) => pipeline);
  const watch = (verify: number): object => ({
    name: 'watch',
    verify,
    since: Date.now() - 60_000,
    executionId: `e-${seed}-${verify}`,
    usualMs: 130_000,
  });
  return [
    write(2_000, 'resolved', { version }, { name: 'promote', since: Date.now(), readBacks: 0 }),
    write(1_000, 'intend-promote', { what: `${version} in ${lane.to}` }),
    write(vary(9_000), 'promoted', undefined, { name: 'start', verify: 0, since: Date.now() }),
    write(500, 'intend-start', { what: first }),
    write(
      400,
      'started',
      { executionId: `e-${seed}-0` },
      watch(0),
      `${version} is in ${lane.to}; running ${first ?? ''} (1 of 2)`,
    ),
    write(vary(130_000), 'verified', undefined, { name: 'start', verify: 1, since: Date.now() }),
    write(500, 'intend-start', { what: second }),
    write(
      400,
      'started',
      { executionId: `e-${seed}-1` },
      watch(1),
      `${version} is in ${lane.to}; running ${second ?? ''} (2 of 2)`,
    ),
    ...(hasFailed ? failed() : passed()),
  ];

  function passed(): readonly Command[] {
    const text = `${version} is in ${lane.to}, verified by 2 executions`;
    const report = { state: 'success', text } as const;
    return [
      write(vary(88_000), 'verified'),
      {
        after: 200,
        run: () =>
          store.finish(key, {
            outcome: 'passed',
            message: text,
            report,
            verified: version,
            state: 'finished',
          }),
      },
    ];
  }

  function failed(): readonly Command[] {
    const reason = `${second ?? ''} ended FAILED: table weekly_totals does not exist`;
    const message = `${version} failed in ${lane.to}: ${reason}; rolled back`;
    return [
      write(
        vary(60_000),
        'verification-failed',
        { reason },
        { name: 'roll-back', reason, since: Date.now() },
      ),
      write(4_000, 'rolled-back', { disabled: version, live: 'the one before' }),
      {
        after: 200,
        run: () =>
          store.finish(key, {
            outcome: 'failed',
            message,
            report: { state: 'failure', text: message },
            state: 'finished',
          }),
      },
    ];
  }
}
