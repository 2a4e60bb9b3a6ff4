import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { endAndDelayJob } from '../../queue/fragments.ts';
import { laneScript } from '../scripts/lane-script.ts';
import { readTaken, type TakenAnswer } from './take-advance.ts';

export interface DelayArguments {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Id of the job. */
  readonly job: string;
  /** Token of the lock of the job. */
  readonly token: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
  /** Milliseconds until the next advance. */
  readonly delay: number;
  /** If the caller takes another job, whose lock has the same token. */
  readonly next: NextArguments | undefined;
}

/**
 * What a consumer needs to take the next job. This is a type, because the compiler does not accept an interface as
 * JSON.
 */
export type NextArguments = {
  readonly lockMs: number;
  /** The newest format of the records that the caller knows. */
  readonly format: number;
  /** As in `BeginArguments`. */
  readonly steps: readonly string[] | undefined;
  readonly quarantineFrom: number | undefined;
};

/** Ends an advance and delays its job. `lost`: another worker has the job. `taken`: the next job, if there is one. */
export const endAndDelay = laneScript<
  DelayArguments,
  { readonly status: 'moved' | 'lost'; readonly taken: TakenAnswer | undefined }
>(
  import.meta.dirname,
  'end-and-delay.lua',
  (answer) => ({
    status: statusIn('moved', 'lost')(answer),
    taken: answer.length === 1 ? undefined : readTaken(answer.slice(1)),
  }),
  { repeats: true, mayMeetNewer: () => true, before: endAndDelayJob },
);
