import { Failure } from '../../lib/core/errors/failure.ts';
import { writtenSentences } from '../refusal/violations.ts';
import { type FaultPlan, faultsSchema, type ReadyPlan } from './fault-schema.ts';

/**
 * Validates faults that a program passes in.
 * @throws Failure `config-invalid` naming every wrong field
 */
export function readPlan(plan: FaultPlan): ReadyPlan {
  const checked = faultsSchema.safeParse(plan, { reportInput: true });
  if (checked.success) return checked.data;
  throw new Failure('config-invalid', {
    message: `The fault plan is invalid: ${writtenSentences(checked.error.issues).join('; ')}`,
    where: { input: 'faults' },
    hint: 'docs/local-platform.md shows every field of a fault rule.',
  });
}
