import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { PipelineTest } from '../../flows/pipeline-tests/first-test/write-first-test.ts';
import { describeCallRoot } from '../../lib/pipelines/model/call-root.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { failureLine, reasonLines } from './init-reasons.ts';

interface Options {
  /** Pipelines that have a test already. */
  readonly tested: readonly { readonly pipeline: string; readonly file: string }[];
  /** Pipelines that are left out because a name in their path begins with a dot. */
  readonly hidden: readonly string[];
  readonly dryRun: boolean;
  readonly project: TestProject;
}

/**
 * How the first test of a pipeline ends: the pipeline succeeds; it succeeds with mocks for components that cannot
 * run; it ends in its end-failure component; or there is no test.
 */
export type PipelineOutcome = 'success' | 'success-with-replaced' | 'end-failure' | 'none';

/**
 * The lines that say what `--init` did in a folder: how many pipelines succeed in their first test, and why others
 * have no test.
 */
export function summaryLines(tests: readonly PipelineTest[], { tested, hidden, dryRun, project }: Options) {
  const pipelines = tests.map((test) => {
    const outcome = outcomeOf(test);
    const { pipeline, file, first } = test;
    const replaced = (first?.replaced ?? []).map((failure) => failureLine(failure, project));
    const reasons = outcome === 'none' ? reasonLines(test, project) : replaced;
    return {
      pipeline,
      file: outcome === 'none' ? undefined : file,
      outcome,
      mocked: first?.mocked ?? [],
      empty: first?.empty ?? [],
      reasons,
    };
  });
  const counts = (['transformation', 'orchestration'] as const).map((kind) => {
    const ofKind = pipelines.filter(({ pipeline }) => kindOf(pipeline) === kind);
    const count = (outcome: PipelineOutcome) =>
      ofKind.filter((pipeline) => pipeline.outcome === outcome).length;
    return {
      kind,
      pipelines: ofKind.length,
      succeed: count('success'),
      succeedWithReplaced: count('success-with-replaced'),
      endInFailure: count('end-failure'),
    };
  });
  const verb = dryRun ? 'would write' : 'wrote';
  const lines = [
    ...tested.map(({ pipeline, file }) => `${pipeline}: has the test file ${file} already`),
    ...pipelines.flatMap(({ pipeline, file, outcome, empty, reasons }) => [
      `${pipeline}: ${file === undefined ? 'no test' : `${verb} ${file}`}${emptyNote(empty)}${notes[outcome]}`,
      ...reasons.map((reason) => `  ${reason}`),
    ]),
    ...hidden.map(
      (pipeline) =>
        `${pipeline}: left out, because a name in its path begins with a dot, and files.include in millrace.yaml does not match it`,
    ),
    ...rootLines(project),
    ...counts.flatMap((count) => (count.pipelines === 0 ? [] : countLines(count))),
  ];
  return { report: { dryRun, tested, hidden, pipelines, counts }, lines };
}

const notes: Readonly<Record<PipelineOutcome, string>> = {
  success: '',
  'success-with-replaced': ', which mocks what cannot run:',
  'end-failure': ', which expects its end-failure',
  none: '',
};

function emptyNote(empty: readonly string[]): string {
  return empty.length === 0 ? '' : `, which expects no rows in ${empty.join(', ')}`;
}

/** Tells how the first test of a pipeline ends. */
export function outcomeOf({ first }: PipelineTest): PipelineOutcome {
  if (first === undefined || first.text === '') return 'none';
  if (first.expectsFailure) return 'end-failure';
  return first.replaced.length > 0 ? 'success-with-replaced' : 'success';
}

/** The line that names the folder from which calls are resolved, if it is not the project itself. */
export function rootLines({ roots }: TestProject): readonly string[] {
  const root = roots.taken();
  return root === undefined ? [] : [describeCallRoot(root)];
}

function countLines(count: {
  readonly kind: string;
  readonly pipelines: number;
  readonly succeed: number;
  readonly succeedWithReplaced: number;
  readonly endInFailure: number;
}): readonly string[] {
  const { kind, pipelines, succeed, succeedWithReplaced, endInFailure } = count;
  const share = Math.floor((succeed / pipelines) * 100);
  return [
    `${kind}s that succeed in their first test: ${succeed} of ${pipelines} (${share} %)`,
    ...(succeedWithReplaced === 0
      ? []
      : [`  that succeed with mocks for what cannot run: ${succeedWithReplaced} more`]),
    ...(endInFailure === 0 ? [] : [`  that end in their own end-failure component: ${endInFailure}`]),
  ];
}
