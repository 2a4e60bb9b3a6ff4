import type { FailedComponent } from '../../engine/index.ts';
import type { PipelineEnd } from '../diff/data-diff.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { SideEnd } from './run-side.ts';
import type { SampleNames } from './row-names.ts';
import type { SampledPipeline } from './sample-diff.ts';

type Ends = readonly (SideEnd | undefined)[];

/** How many pipelines succeed on both sides, one after the other; a new one only has to succeed now. */
export function comparedRuns(before: Ends, now: Ends): number {
  const first = now.findIndex((end, index) => end?.status !== 'success' || !isSuccess(before, index));
  return first < 0 ? now.length : first;
}

function isSuccess(before: Ends, index: number): boolean {
  return index < before.length && (before[index] === undefined || before[index].status === 'success');
}

interface EndsRequest {
  readonly planned: readonly PlannedTest[];
  readonly before: Ends;
  readonly now: Ends;
  readonly names: SampleNames;
  /** Whether messages may have values of rows. */
  readonly showsValues: boolean;
}

/** What is said of each pipeline. */
export function sampledPipelines({
  planned,
  before,
  now,
  names,
  showsValues,
}: EndsRequest): readonly SampledPipeline[] {
  const endOf = (end: SideEnd): PipelineEnd => {
    if (end.status === 'success') return { status: 'success' };
    if (end.status === 'unknown') return { status: 'failure', message: end.reason };
    const { failed } = end;
    return failed === undefined ? { status: 'failure' } : { status: 'failure', ...failure(failed) };
  };
  const failure = (failed: FailedComponent) => ({
    component: failed.component,
    message: names.reasonOf({ ...failed, showsValues }),
  });
  return planned.map(({ document: { path: pipeline } }, index): SampledPipeline => {
    const [old, current] = [before[index], now[index]];
    const replacedLoads = current !== undefined && 'replacedLoads' in current ? current.replacedLoads : [];
    const common = { pipeline, replacedLoads };
    if (current === undefined || index >= before.length)
      return {
        ...common,
        status: 'not-compared',
        reason: 'a pipeline before it does not succeed on both sides',
      };
    const after = endOf(current);
    if (current.status === 'unknown') return { ...common, status: 'not-compared', reason: current.reason };
    if (old === undefined)
      return { ...common, status: 'new', ...(after.status === 'success' ? {} : { end: { after } }) };
    if (old.status === 'unknown')
      return { ...common, status: 'not-compared', reason: `at the base: ${old.reason}` };
    const end = { before: endOf(old), after };
    if (old.status === 'success' && current.status === 'success') return { ...common, status: 'compared' };
    if (old.status !== current.status) return { ...common, status: 'compared', end };
    const where = after.component === undefined ? '' : ` in "${after.component}"`;
    const why = after.message === undefined ? '' : `: ${after.message}`;
    return {
      ...common,
      status: 'not-compared',
      reason: `the pipeline fails on both sides, now${where}${why}`,
    };
  });
}
