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
import { openProject, type Project, readConfigAt } from '../kit/checkout/project.ts';
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
  /** The marks of the tested commit. The marks of the base apply instead. */
  readonly equal: readonly EqualChange[];
}

/** What the tests say about planted changes, or why none was planted. */
export type Planted =
  | { readonly report: MutationReport; readonly note?: string }
  | { readonly note: string }
  | { readonly failure: Failure };

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
  const opened = await openProject(step, inputs['working-directory']);
  const { repository, directory, path } = opened;
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
  const marks = await marksAt(base.commit, opened, equal);
  const report = await mutate(
    {
      ...tests,
      changed,
      isChosen: isInChange(atBase, project),
      seed,
      max: inputs['mutate-max'],
      budgetMs: inputs['mutate-budget'],
      equal: marks.equal,
    },
    context,
  );
  // Only a mark that the tested commit still has can be removed.
  const unusedMarks = report.unusedMarks.filter((mark) => equal.some((own) => isSameMark(own, mark)));
  return { report: { ...report, unusedMarks }, ...(marks.note !== undefined && { note: marks.note }) };
}

/**
 * The marks of the base: a change cannot mark a planted change of its own as equal. Without a valid `millrace.yaml` at the base, the marks of
 * the tested commit apply, as for a review.
 */
async function marksAt(
  commit: string,
  project: Project,
  own: readonly EqualChange[],
): Promise<{ readonly equal: readonly EqualChange[]; readonly note?: string }> {
  try {
    const config = await readConfigAt(project, commit);
    if (config === undefined) return { equal: own };
    const { equal } = config.mutation;
    const added = own.filter((mark) => !equal.some((known) => isSameMark(known, mark))).length;
    if (added === 0) return { equal };
    const verb = added === 1 ? 'does' : 'do';
    const note = `${numberOf(added, 'mark')} of mutation.equal in millrace.yaml ${verb} not count yet: the base lacks ${added === 1 ? 'it' : 'them'}.`;
    return { equal, note };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    const note = `The millrace.yaml of the base is invalid, so mutation.equal of this change applies. ${error.message}`;
    return { equal: own, note };
  }
}

function isSameMark(a: EqualChange, b: EqualChange): boolean {
  return a.file === b.file && a.change === b.change;
}
