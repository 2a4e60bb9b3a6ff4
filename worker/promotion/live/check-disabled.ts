import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { findArtifact } from '../../../flows/versions/find-artifact.ts';
import { findDisabled } from '../../../flows/versions/find-disabled.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { PlatformCalls } from '../context/ports.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** Timeout: a person waits for the answer. */
const answerTimeoutMs = 5_000;

/** Whether a version that a person approves or lets through is disabled in its source or target. */
export type DisabledCheck =
  | { readonly kind: 'disabled'; readonly environment: string }
  | { readonly kind: 'enabled' }
  /** The platform did not answer; the promotion itself checks again before any effect. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Asks the platform whether a version is disabled in the source or the target of its promotion. */
export async function checkDisabled(
  { task }: Pick<PromotionRecord, 'task'>,
  version: string,
  ports: PlatformCalls,
): Promise<DisabledCheck> {
  const { project, credential, from, to } = task.lane;
  const { clock, random, logger } = ports;
  const signal = AbortSignal.timeout(answerTimeoutMs);
  async function ask(): Promise<string | undefined> {
    const { client } = ports.platformFor(credential);
    const context = { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
    try {
      if (task.request === undefined) return await findDisabled({ version, from, to }, context);
      // The request enables it in the target.
      return (await findArtifact(from, version, context))?.enabled === false ? from : undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await clock.sleep(error.ms, signal);
      return ask();
    }
  }
  try {
    const environment = await ask();
    return environment === undefined ? { kind: 'enabled' } : { kind: 'disabled', environment };
  } catch (error) {
    return {
      kind: 'unknown',
      reason: signal.aborted ? `no answer within ${answerTimeoutMs / 1_000} s` : messageOf(error),
    };
  }
}

/** The message that a version is disabled, so that nobody can let it through. */
export function disabledMessage(version: string, environment: string): string {
  return `${version} is disabled in ${environment}: enable it there first, or promote another version`;
}
