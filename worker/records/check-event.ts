import { createHash } from 'node:crypto';
import { z } from 'zod';
import { payloadSchema } from './payload-schema.ts';
import { planId, type PromotionPlan } from './promotion-plan.ts';
import { commitIdPattern } from '../../lib/core/values/commit-id.ts';

/** The request of a person who clicked a button of a check run on GitHub. */
export interface CheckRequest {
  /** `retry`: "Re-run" of a check run, or of all check runs of a commit. `approve` and `reject`: the buttons of these names. */
  readonly act: 'retry' | 'approve' | 'reject';
  readonly commit: string;
  /** The promotion of the check run; undefined for all of the commit. */
  readonly promotion: string | undefined;
  /** Identifier of the button. */
  readonly identifier: string | undefined;
}

/** The stored part of such a request: only ids, never a text. */
export interface CheckEvent {
  readonly repositoryId: number;
  /** As the event says; for people only. */
  readonly repositoryName: string;
  readonly author: { readonly id: number; readonly login: string };
  readonly request: CheckRequest;
  readonly delivery: string;
  /** SHA-256 of the body and the delivery, in hex: a second click has the same body if the check run is the same. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

const commit = z.string().regex(commitIdPattern);

const common = z.object({
  action: z.string().max(50),
  repository: z.object({ id: z.int().positive(), full_name: z.string().max(300) }),
  sender: z.object({ id: z.int().positive(), login: z.string().max(100), type: z.string().max(50) }),
});

const runBody = payloadSchema<'check_run'>()(
  common.extend({
    check_run: z.object({ head_sha: commit, external_id: z.string().max(100) }),
    requested_action: z.object({ identifier: z.string().max(20) }).optional(),
  }),
);

const suiteBody = payloadSchema<'check_suite'>()(
  common.extend({ check_suite: z.object({ head_sha: commit }) }),
);

/** The names of the events that `reduceCheck` reads. */
export const checkEventNames: ReadonlySet<string> = new Set(['check_run', 'check_suite']);

/**
 * The identifier of the button that approves a version, at most 20 characters (GitHub's limit). It contains the
 * plan or, without one, the version, so that the approval counts for exactly what the person saw.
 */
export function approveIdentifier(version: string, plan?: Pick<PromotionPlan, 'digest'>): string {
  return `approve-${planId(plan?.digest ?? digestOf(version))}`;
}

/** The identifier of the button that rejects a version, whatever its plan. */
export function rejectIdentifier(version: string): string {
  return `${rejects}${planId(digestOf(version))}`;
}

const rejects = 'reject-';
const digestOf = (version: string): string => createHash('sha256').update(version).digest('hex');

/**
 * Reduces the body of a `check_run` or `check_suite` to an event, or returns the reason why it is ignored. Only
 * people count: a program cannot approve.
 */
export function reduceCheck(
  body: unknown,
  facts: Pick<CheckEvent, 'delivery' | 'digest' | 'receivedAt'>,
): CheckEvent | { readonly ignored: string } {
  const read = runBody.safeParse(body).data ?? suiteBody.safeParse(body).data;
  if (read === undefined) return { ignored: 'the body does not describe a check run of this worker' };
  const { repository, sender } = read;
  const request = requestOf(read);
  if (request === undefined) return { ignored: 'the event asks for no approval and no re-run' };
  if (sender.type !== 'User') return { ignored: 'a bot clicked the button, not a person' };
  return {
    repositoryId: repository.id,
    repositoryName: repository.full_name,
    author: { id: sender.id, login: sender.login },
    request,
    ...facts,
    digest: createHash('sha256').update(`${facts.digest} ${facts.delivery}`).digest('hex'),
  };
}

function requestOf(read: z.infer<typeof runBody> | z.infer<typeof suiteBody>): CheckRequest | undefined {
  const { action } = read;
  if ('check_suite' in read)
    return action === 'rerequested'
      ? { act: 'retry', commit: read.check_suite.head_sha, promotion: undefined, identifier: undefined }
      : undefined;
  const { head_sha: sha, external_id: promotion } = read.check_run;
  if (action === 'rerequested') return { act: 'retry', commit: sha, promotion, identifier: undefined };
  const identifier = read.requested_action?.identifier;
  if (action !== 'requested_action' || identifier === undefined) return undefined;
  const act = identifier.startsWith(rejects) ? 'reject' : 'approve';
  return { act, commit: sha, promotion, identifier };
}
