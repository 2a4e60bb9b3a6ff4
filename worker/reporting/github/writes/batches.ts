import { maxWritesPerRequest, urgencies } from '../../../rate-limit/write-budget.ts';
import { type ChannelContext, NotYet } from '../channels/channel.ts';
import { createFlows, type Flows } from './flows.ts';
import { createSendTogether, type Parked, type Part } from './send-together.ts';

/** Collects the writes of one sender, and of the reports that are sent along with it, into common requests. */
export interface Batch extends Pick<Flows, 'all'> {
  /** Resolves when GitHub has the write. Throws NotYet, Failure. */
  add(part: Part): Promise<void>;
  /** Whether GitHub takes several writes of an account in one request. */
  isPossible(account: string): boolean;
  /** Whether the promotion's report is sent along with another. */
  isCompanion(promotion: string): boolean;
}

/** Sends the report of a promotion by adding its writes to the batch. */
export type SendReport<T> = (promotion: string, batch: Batch) => Promise<T>;

/** Sends the writes of all reports that wait in common requests. */
export interface Batches {
  /**
   * `leader` sends the report of the promotion; `companion` sends the reports that wait, with the first request of the
   * leader. If one of those fails, its own job meets the failure again.
   */
  lead<T>(promotion: string, leader: SendReport<T>, companion: SendReport<unknown>): Promise<T>;
}

/** How long an account sends each write on its own after GitHub did not take several in one request. */
const offMs = 3_600_000;

export function createBatches(context: ChannelContext): Batches {
  const { budget, clock } = context;
  const offUntil = new Map<string, number>();
  const send = createSendTogether({
    ...context,
    onNotPossible: (account) => void offUntil.set(account, clock.now() + offMs),
  });

  /** Takes a request for what is parked. Returns the milliseconds until the next attempt; 0 if it was taken. */
  async function takeRequest(promotion: string, parked: readonly Parked[]): Promise<number> {
    const [first] = parked.toSorted((a, b) => urgencies.indexOf(a.urgency) - urgencies.indexOf(b.urgency));
    if (first === undefined) return 0;
    return budget.take(
      first.account,
      first.urgency,
      { id: promotion, since: first.since },
      { isShared: true },
    );
  }

  return {
    async lead(promotion, leader, companion) {
      const flows = createFlows();
      const companions = new Set<string>();
      let parked: readonly Parked[] = [];
      const batch: Batch = {
        all: flows.all,
        isPossible: (account) => (offUntil.get(account) ?? 0) <= clock.now(),
        isCompanion: (id) => companions.has(id),
        async add(part) {
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          // Entered at once: the next round begins only when this flow waits again, or has ended.
          let hasEnded = false;
          const continueFlow = (end: () => void): void => {
            if (hasEnded) return;
            hasEnded = true;
            flows.enter();
            end();
          };
          parked = [
            ...parked,
            {
              ...part,
              resolve: () => continueFlow(resolve),
              reject: (error) => continueFlow(() => reject(error)),
            },
          ];
          flows.leave();
          return promise;
        },
      };

      async function invite(account: string): Promise<void> {
        for (const id of await budget.companions(account, maxWritesPerRequest - parked.length)) {
          if (id === promotion || companions.has(id)) continue;
          companions.add(id);
          flows.run(() => companion(id, batch)).catch(() => undefined);
        }
        await flows.idle();
      }

      /** The parked writes that may still begin. */
      function takeParked(): readonly Parked[] {
        const all = parked;
        parked = [];
        return all.filter((part) => {
          const isLate = clock.now() > part.until;
          if (isLate) part.reject(new NotYet(100));
          return !isLate;
        });
      }

      async function flush(account: string): Promise<void> {
        const wait = await takeRequest(promotion, parked);
        if (wait > 0) throw new NotYet(wait);
        if (companions.size === 0) await invite(account);
        const all = takeParked();
        const more = all.length < 2 ? 0 : await budget.addWrites(account, all.length - 1);
        parked = all.slice(1 + more);
        await send(account, all.slice(0, 1 + more));
      }

      const result = flows.run(() => leader(promotion, batch));
      result.catch(() => undefined);
      for (;;) {
        await flows.idle();
        const [first] = parked;
        if (first === undefined) return result;
        await flush(first.account).catch((error: unknown) => {
          for (const part of takeParked()) part.reject(error);
        });
      }
    },
  };
}
