import type { ExecutionStep, Table } from '../../../engine/index.ts';
import type { TestRun } from './test-run.ts';
import type { Difference } from './test-result.ts';

/** The component that wrote a table; `{}` if several did. */
export function writersOf(
  table: Table,
  { state, project }: Pick<TestRun, 'state' | 'project'>,
): Pick<Difference, 'component' | 'at'> {
  const writers = new Map<string, ExecutionStep>();
  for (const step of state.steps) {
    if (writes(step, table)) writers.set(JSON.stringify([step.pipeline, step.component]), step);
  }
  const [step, other] = writers.values();
  if (step === undefined || other !== undefined) return {};
  const { pipeline, component } = step;
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  if (range === undefined) return { component };
  return { component, at: { file: pipeline, line: range.line, column: range.column } };
}

/** Whether a step changed a table. */
export function writes({ changed = [] }: ExecutionStep, table: Table): boolean {
  return changed.includes(table.sql);
}
