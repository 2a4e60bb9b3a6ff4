import { Conflict, OutcomeUnknown } from './errors.ts';

/** What the details endpoint says of the version (spec §4.8). */
export interface PublishedVersion {
  readonly commitHash?: string | null | undefined;
}

/**
 * A shared publish that was sent again and met 409: the version is there, but is it ours? A version is immutable,
 * so one of the same commit is what the first attempt made.
 *
 * @throws {Conflict} for another commit; {@link OutcomeUnknown} where the commits cannot be compared.
 */
export async function settleSharedPublish(
  conflict: Conflict,
  input: Readonly<Record<string, unknown>>,
  lookUp: () => Promise<PublishedVersion>,
): Promise<Record<string, unknown>> {
  const { sharedPipelineIdPrefix, versionName, commitHash } = input;
  let published: PublishedVersion | undefined;
  try {
    published = await lookUp();
  } catch {
    published = undefined;
  }
  if (typeof commitHash === 'string' && commitHash === published?.commitHash) {
    return { sharedPipelineIdPrefix, versionName };
  }
  const facts = {
    operation: conflict.operation,
    status: conflict.status,
    requestId: conflict.requestId,
    attempts: conflict.attempts,
    body: conflict.body,
    versionName: String(versionName),
  };
  if (typeof commitHash !== 'string' || typeof published?.commitHash !== 'string') {
    throw new OutcomeUnknown(
      `An answer was lost, and version “${String(versionName)}” is there now; whether it is ours cannot be told.`,
      { ...facts, cause: conflict },
    );
  }
  throw new Conflict(
    `Version “${String(versionName)}” was already published from commit ${published.commitHash}.`,
    facts,
    { publishedCommit: published.commitHash },
  );
}
