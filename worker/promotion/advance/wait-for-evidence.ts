import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { logFieldsOf } from '../context/log-fields.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import { checkEvidence } from '../gates/evidence-gate.ts';
import type { Advance, StepEnd } from './advance.ts';
import { waitAtGate } from './wait-at-gate.ts';

/**
 * How the step ends if required evidence is missing; undefined if the step can continue. An operator's request to
 * go back to a version that the target has never waits for evidence. The history records each result once.
 */
export async function waitForEvidence(advance: Advance): Promise<StepEnd | undefined> {
  const { promotion, lane, ports, context } = advance;
  const { step, task, version } = promotion;
  if (step.name !== 'promote') return undefined;
  const evidence = currentPolicy(task, ports.config)?.gates.evidence ?? [];
  if (evidence.length === 0) return undefined;
  if (task.request !== undefined) {
    const inTarget = await listArtifacts(lane.to, context);
    if (inTarget.some(({ versionName }) => versionName === version)) return undefined;
  }
  const check = await checkEvidence(advance);
  if (check === undefined) return undefined;
  if (check.gate !== undefined) return waitAtGate(advance, check.gate);
  const { what, summary, data } = check;
  if (what === 'evidence-passed')
    ports.logger.warn('An operator let a promotion through without evidence.', {
      ...logFieldsOf(promotion),
      ...data,
    });
  // As after the checks, another worker may have the promotion now.
  const isKnown = step.evidence === summary;
  await advance.save(isKnown ? { what: '' } : { what, data, step: { ...step, evidence: summary } });
  return undefined;
}
