import type { ExecutionState, ExecutionStep } from '../../../engine/index.ts';

const calls: ReadonlySet<string> = new Set([
  'run-orchestration',
  'run-transformation',
  'run-shared-pipeline',
]);

/** The steps of the tested pipeline itself, including iteration targets but not called pipelines. */
export function ownSteps(path: string, { steps }: ExecutionState): readonly ExecutionStep[] {
  const byNumber = new Map(steps.map((step) => [step.number, step]));
  const isOwn = (step: ExecutionStep): boolean => {
    if (step.pipeline !== path) return false;
    const parent = step.parent === null ? undefined : byNumber.get(step.parent);
    // A pipeline may call itself.
    return parent === undefined || (!calls.has(parent.type) && isOwn(parent));
  };
  return steps.filter(isOwn);
}

/** The components of the tested pipeline that ran, including those that failed. */
export function ranComponents(path: string, state: ExecutionState): ReadonlySet<string> {
  const ran = ownSteps(path, state).filter(({ status }) => status !== 'SKIPPED');
  return new Set(ran.map(({ component }) => component));
}
