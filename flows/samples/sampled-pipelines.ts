import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { FailedComponent } from '../../engine/index.ts';
import type { PipelineEnd } from '../diff/data-diff.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { SideEnd } from './run-side.ts';
import type { SampleNames } from './row-names.ts';
import type { SampledPipeline } from './sample-diff.ts';

type Ends = readonly (SideEnd | undefined)[];

/** The indices (from 0) of the pipelines that fail on one of the sides. A new pipeline only has to succeed now. */
export function failedRuns(before: Ends, now: Ends): ReadonlySet<number> {
  const isFailed = (end: SideEnd | undefined) =>
    end !== undefined && end.status !== 'success' && end.status !== 'skipped';
  return new Set(now.flatMap((end, index) => (isFailed(end) || isFailed(before[index]) ? [index] : [])));
}

interface EndsRequest {
  readonly planned: readonly PlannedTest[];
  readonly before: Ends;
  readonly now: Ends;
  /** The pipelines that use tables of a failed one: each with the failed one, by their numbers from 0. */
  readonly dependent: ReadonlyMap<number, number>;
  readonly names: SampleNames;
  /** Whether messages may have values of rows. */
  readonly showsValues: boolean;
}

/** What the diff says about each pipeline. */
export function sampledPipelines({
  planned,
  before,
  now,
  dependent,
  names,
  showsValues,
}: EndsRequest): readonly SampledPipeline[] {
  const endOf = (end: SideEnd): PipelineEnd => {
    if (end.status === 'success') return { status: 'success' };
    if (end.status === 'unknown') return { status: 'failure', message: end.reason };
    if (end.status === 'skipped') return { status: 'failure' };
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
    const origin = planned[dependent.get(index) ?? -1]?.document.path;
    if (current === undefined || origin !== undefined)
      return {
        ...common,
        status: 'not-compared',
        reason: `it uses tables of ${withoutSuffix(origin ?? '')}, which does not succeed on both sides`,
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
