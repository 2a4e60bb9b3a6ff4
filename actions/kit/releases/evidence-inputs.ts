import { secret } from '../inputs/input-field.ts';
import type { Fact } from '../../../flows/evidence/sign-facts.ts';
import type { Step } from '../step/step.ts';
import type { EvidenceSigner, FactsAbout } from './sign-evidence.ts';

/** The input of the actions that sign evidence. */
export const evidenceInputs = {
  'evidence-key': secret(
    'Private key that signs evidence about this step, from a secret. The job needs `contents: write`, or an `evidence-token`. Without the key, nothing is signed.',
  ),
  'evidence-token': secret(
    'Token with `contents: write` that stores the signed evidence, for a job whose own token may not. Default: `github-token`.',
  ),
};

export interface EvidenceInputs {
  readonly 'evidence-key'?: string | undefined;
  readonly 'evidence-token'?: string | undefined;
  readonly 'github-token'?: string | undefined;
}

/**
 * Opens the signer before the work of a step begins, so that an invalid key changes nothing. Undefined without a
 * key, as for pull requests from forks. The code is loaded only if there is a key. Throws Failure
 * 'evidence-key-invalid' and 'usage'.
 */
export async function openSigner(inputs: EvidenceInputs, step: Step): Promise<EvidenceSigner | undefined> {
  const key = inputs['evidence-key'];
  if (key === undefined) return undefined;
  const { createSigner } = await import('./sign-evidence.ts');
  const token = inputs['github-token'];
  return createSigner(key, { token, storeToken: inputs['evidence-token'] ?? token }, step);
}

/**
 * Signs a fact about what a step checked, if the step has a key. If it cannot be stored, the step shows a note, and
 * the gate of a promotion will not find the evidence. Throws Failure 'evidence-key-invalid' and 'usage'.
 */
export async function signChecked(
  fact: Fact | undefined,
  about: FactsAbout,
  inputs: EvidenceInputs,
  step: Step,
): Promise<readonly string[]> {
  const signer = await openSigner(inputs, step);
  return signer === undefined || fact === undefined ? [] : signer.addOrNote(fact, about);
}
