import type { z } from 'zod';
import { projectAtBase } from '../../flows/diff/base-project.ts';
import { isInChange } from '../../flows/mutation/run/changed-components.ts';
import { changeableFiles } from '../../flows/mutation/run/mutants.ts';
import { mutate, type MutationReport } from '../../flows/mutation/run/mutate.ts';
import type { TestRequest } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { EqualChange } from '../../lib/config/project/mutation-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { openWorkCopy } from '../../lib/git/work-tree/work-copy.ts';
import type { Target } from '../../lib/github/workflow-run/event-target.ts';
import { readCheckedOutCommit } from '../kit/checkout/checked-out-commit.ts';
import { findBase } from '../kit/checkout/find-base.ts';
import { openProject } from '../kit/checkout/project.ts';
import type { Step } from '../kit/step/step.ts';
import type { testInputs } from './inputs.ts';

/** Which changes are the same in every run, so that a run again says the same. */
const seed = 1;

export interface PlantRequest extends Pick<
  TestRequest,
  'project' | 'files' | 'filter' | 'jobs' | 'packages'
> {
  readonly inputs: Pick<
    z.output<typeof testInputs>,
    'working-directory' | 'mutate' | 'mutate-max' | 'mutate-budget'
  >;
  readonly equal: readonly EqualChange[];
}

/** What the tests say about planted changes, or why none was planted. */
export type Planted =
  { readonly report: MutationReport } | { readonly note: string } | { readonly failure: Failure };

/**
 * Plants changes into the components that do something different from the base of the event. Undefined without the
 * input `mutate`, and for an event that is not about a change to be merged. A failure, such as a base that cannot
 * be read, is part of the result, so that the results of the tests are not lost.
 */
export async function plantChanges(
  target: Target,
  request: PlantRequest,
  step: Step,
): Promise<Planted | undefined> {
  const isMergeable = target.kind === 'pull-request' || target.kind === 'merge-group';
  if (!request.inputs.mutate || !isMergeable) return undefined;
  try {
    return await plant(target, request, step);
  } catch (error) {
    if (!(error instanceof Failure) || step.context.signal.aborted) throw error;
    return { failure: error };
  }
}

async function plant(
  target: Target,
  { inputs, equal, ...tests }: PlantRequest,
  step: Step,
): Promise<Planted> {
  const { context, environment } = step;
  const { signal } = context;
  const { project } = tests;
  const { repository, directory, path } = await openProject(step, inputs['working-directory']);
  const base = await findBase(target, {
    inputBase: undefined,
    checkedOut: await readCheckedOutCommit(target, repository, signal),
    repository,
    connection: undefined,
    fetch: { directory: path, environment, signal },
  });
  if ('reason' in base)
    return { note: 'No changes were planted, because the commit to compare with is not known.' };
  const atBase = await projectAtBase(project, {
    repository,
    workTree: await openWorkCopy(path, 'working-tree', { environment, signal }),
    directory,
    commit: base.commit,
    name: base.commit,
    isFork: false,
    signal,
  });
  const changed = changeableFiles(project).filter((file) => atBase.changed.has(file));
  if (changed.length === 0)
    return { note: 'No changes were planted, because the pull request changes no pipeline and no SQL.' };
  step.log(`Planting changes into the changed components of ${numberOf(changed.length, 'file')}.`);
  const report = await mutate(
    {
      ...tests,
      changed,
      isChosen: isInChange(atBase, project),
      seed,
      max: inputs['mutate-max'],
      budgetMs: inputs['mutate-budget'],
      equal,
    },
    context,
  );
  return { report };
}
