import type { TestProject } from '../../flows/test/test-project.ts';
import type { PipelineTest } from '../../flows/test/write-first-test.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { reasonLines } from './init-reasons.ts';

interface Options {
  /** Pipelines that have a test already. */
  readonly tested: readonly { readonly pipeline: string; readonly file: string }[];
  readonly dryRun: boolean;
  readonly project: TestProject;
}

/** What --init did in a folder: how many pipelines run in the tests, and why others have none. */
export function summaryLines(found: readonly PipelineTest[], { tested, dryRun, project }: Options) {
  const pipelines = found.map((one) => {
    const { pipeline, file, first } = one;
    const isWritten = first !== undefined && first.text !== '';
    return {
      pipeline,
      file: isWritten ? file : undefined,
      outcome: isWritten ? (first.expectsFailure ? 'end-failure' : 'success') : 'none',
      mocked: first?.mocked ?? [],
      reasons: isWritten ? [] : reasonLines(one, project),
    } as const;
  });
  const counts = (['transformation', 'orchestration'] as const).map((kind) => {
    const own = pipelines.filter(({ pipeline }) => kindOf(pipeline) === kind);
    const count = (outcome: string) => own.filter((one) => one.outcome === outcome).length;
    return { kind, pipelines: own.length, succeed: count('success'), endInFailure: count('end-failure') };
  });
  const verb = dryRun ? 'would write' : 'wrote';
  const lines = [
    ...tested.map(({ pipeline, file }) => `${pipeline}: has the test file ${file} already`),
    ...pipelines.flatMap(({ pipeline, file, outcome, reasons }) =>
      file === undefined
        ? [`${pipeline}: no test`, ...reasons.map((reason) => `  ${reason}`)]
        : [`${pipeline}: ${verb} ${file}${outcome === 'success' ? '' : ', which expects its end-failure'}`],
    ),
    ...counts.flatMap(({ kind, pipelines: all, succeed, endInFailure }) =>
      all === 0 ? [] : [countLine(kind, all, succeed, endInFailure)],
    ),
  ];
  return { report: { dryRun, tested, pipelines, counts }, lines };
}

function countLine(kind: string, all: number, succeed: number, endInFailure: number): string {
  const ends =
    endInFailure === 1 ? 'ends in an end-failure of its own' : 'end in an end-failure of their own';
  const others = endInFailure === 0 ? '' : `; ${endInFailure} ${ends}`;
  return `${kind}s that succeed in their first test: ${succeed} of ${all} (${Math.floor((succeed / all) * 100)} %)${others}`;
}
