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

/** Whether a statement writes a table: the table that a statement changes is the first that it names. */
export function writes({ sql = [] }: ExecutionStep, table: Table): boolean {
  return sql.some((statement) => {
    // The rows of a query may be kept in a temporary table first: the first name is a table that it reads.
    if (/^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP\b/i.test(statement)) return false;
    if (!/^\s*(?:INSERT|UPDATE|DELETE|MERGE|CREATE|TRUNCATE|ALTER)\b/i.test(statement)) return false;
    const [first] = /"(?:[^"]|"")+"\."(?:[^"]|"")+"/.exec(statement) ?? [];
    return first === table.sql;
  });
}
