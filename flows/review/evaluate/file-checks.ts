import type { CheckId } from '../../../lib/config/project/review-schema.ts';
import { inTurns, type LongWork } from '../../../lib/core/ports/long-work.ts';
import { type CheckBreach, type CheckSteps, limited } from '../../../lib/pipelines/checks/breach.ts';
import { danglingReferences } from '../../../lib/pipelines/checks/dangling-reference.ts';
import { literalEnvironments } from '../../../lib/pipelines/checks/literal-environment.ts';
import { undeclaredVariables } from '../../../lib/pipelines/checks/undeclared-variable.ts';
import { unknownKeys } from '../../../lib/pipelines/checks/unknown-key.ts';
import { unknownParameters } from '../../../lib/pipelines/checks/unknown-parameter.ts';
import { wrongTypes } from '../../../lib/pipelines/checks/wrong-type.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';

/** The violations that the enabled checks find in a pipeline without reading other files. */
export function* fileChecks(
  document: PipelineDocument,
  isEnabled: (check: CheckId) => boolean,
  isProjectVariable: (name: string) => boolean,
): CheckSteps {
  const checks: Partial<Record<CheckId, () => CheckSteps>> = {
    'unknown-key': () => unknownKeys(document),
    'unknown-parameter': () => unknownParameters(document),
    'wrong-type': () => wrongTypes(document),
    'dangling-reference': () => danglingReferences(document),
    'literal-environment': () => literalEnvironments(document),
    'undeclared-variable': () => undeclaredVariables(document, isProjectVariable),
  };
  for (const [check, stepsOf] of Object.entries(checks))
    if (isEnabled(check as CheckId)) yield* limited(stepsOf());
}

/**
 * Collects the results of a check, with pauses in which other work runs: a file of the maximum size takes seconds.
 * Throws the signal's reason.
 */
export function breachesInTurns(
  steps: Iterable<CheckBreach | undefined>,
  signal: AbortSignal | undefined,
): Promise<readonly CheckBreach[]> {
  return inTurns(collectBreaches(steps, signal));
}

function* collectBreaches(
  steps: Iterable<CheckBreach | undefined>,
  signal: AbortSignal | undefined,
): LongWork<readonly CheckBreach[]> {
  const breaches: CheckBreach[] = [];
  for (const breach of steps) {
    signal?.throwIfAborted();
    if (breach !== undefined) breaches.push(breach);
    yield;
  }
  return breaches;
}
