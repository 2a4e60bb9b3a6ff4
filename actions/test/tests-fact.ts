import { resolve } from 'node:path';
import { z } from 'zod';
import type { Fact } from '../../flows/evidence/sign-facts.ts';
import type { TestReport } from '../../flows/pipeline-tests/run/test-report.ts';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { type EvidenceInputs, signChecked } from '../kit/releases/evidence-inputs.ts';
import type { FactsAbout } from '../kit/releases/sign-evidence.ts';
import type { StepResult } from '../kit/step/action.ts';
import type { Step } from '../kit/step/step.ts';
import type { Planted } from './plant-changes.ts';

const count = z.int().nonnegative();

/** What is read of the report of `millrace test --mutate`. */
const mutationSchema = z.object({ noticed: count, notNoticed: count });

/** The share of planted changes that the tests noticed. */
export interface MutationScore {
  readonly noticed: number;
  readonly total: number;
}

/** Reads the report of `millrace test --mutate --format json`. Throws Failure 'usage'. */
async function readMutationScore(file: string, { facts }: Step): Promise<MutationScore> {
  try {
    const value: unknown = JSON.parse(await readTextFile(resolve(facts.workspace, file), file));
    const { noticed, notNoticed } = mutationSchema.parse(value);
    return { noticed, total: noticed + notNoticed };
  } catch (cause) {
    throw new Failure('usage', {
      message: `The file ${file} is not the report of \`millrace test --mutate\`.`,
      where: { input: 'mutation-report' },
      hint: 'Give the file that `millrace test --mutate --format json` printed, relative to the workspace.',
      cause,
    });
  }
}

/** The results of all tests of a project as a fact to sign, with the components that they reached. */
export function testsFact(
  { passed, failed, refused, coverage }: TestReport,
  outcome: 'passed' | 'failed',
  mutation: MutationScore | undefined,
): Fact {
  const sum = (which: 'reached' | 'all') =>
    (coverage?.pipelines ?? []).reduce((total, { components }) => total + components[which], 0);
  return {
    kind: 'tests',
    predicate: {
      outcome,
      tests: { passed, failed, refused },
      coverage: coverage === undefined ? undefined : { covered: sum('reached'), total: sum('all') },
      mutation: mutation === undefined ? undefined : { noticed: mutation.noticed, total: mutation.total },
    },
  };
}

interface TestsToSign {
  readonly report: TestReport;
  readonly result: StepResult;
  /** What the step itself planted. A report of an earlier step takes precedence: it may be about the whole project. */
  readonly planted: Planted | undefined;
}

/**
 * Signs the results of all tests of a commit, and returns the note about it. Throws Failure 'usage', and what
 * `signChecked` throws.
 */
export async function signTests(
  { report, result, planted }: TestsToSign,
  about: FactsAbout,
  inputs: EvidenceInputs & { readonly 'mutation-report'?: string | undefined },
  step: Step,
): Promise<StepResult> {
  const file = inputs['mutation-report'];
  const { noticed = 0, notNoticed = 0 } = planted !== undefined && 'report' in planted ? planted.report : {};
  const ofStep = noticed + notNoticed === 0 ? undefined : { noticed, total: noticed + notNoticed };
  const mutation = file === undefined ? ofStep : await readMutationScore(file, step);
  const outcome = result.report.outcome === 'passed' ? 'passed' : 'failed';
  const signed = await signChecked(testsFact(report, outcome, mutation), about, inputs, step);
  return { ...result, report: { ...result.report, notes: [...result.report.notes, ...signed] } };
}
