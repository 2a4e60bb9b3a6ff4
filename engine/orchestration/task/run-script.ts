import { atPlace, SqlError } from '../../core/refusal.ts';
import type { SourceText } from '../../core/source-text.ts';
import type { TranslatedStatement } from '../../core/dialect.ts';
import { translateScript } from '../../dialect/translate.ts';
import type { Task, TaskResult } from './task.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';

/**
 * Runs the statements of an SQL script in their order. Each statement is committed separately, so the statements
 * before an error keep their effect. The rows of queries are computed, so that errors are found, and then discarded.
 */
export async function runScript(source: SourceText, task: Task): Promise<TaskResult> {
  let count = 0;
  let rows = 0;
  const ineffective: string[] = [];
  const statements = translateScript(source, task.dialect);
  // Each statement is translated in its turn, with nothing between: a statement before it, or of another branch, may
  // have changed its tables.
  let statement: TranslatedStatement | undefined;
  const runNext = () =>
    task.warehouse.transaction(async () => {
      statement = undefined;
      const next = statements.next();
      if (next.done === true) return false;
      statement = next.value;
      count += 1;
      if (statement.kind === 'no-effect') ineffective.push(statement.what);
      rows += await runStatement(statement, task);
      return true;
    });
  try {
    while (await runNext());
  } catch (error) {
    if (statement === undefined) throw error;
    const ran = statement.kind === 'query' ? statement.query.sql : undefined;
    throw atPlace(error, source.placeOf(statement.offset), { sql: statement.text, ran });
  }
  if (count === 0) throw new SqlError('the component has no SQL to run', { place: source.placeOf(0) });
  const changed = `${numberOf(rows, 'row')} changed`;
  const noEffect = [...new Set(ineffective)].map((what) => ` ${what} has no effect in Millrace.`);
  return {
    message: `${numberOf(count, 'statement')} ran, ${changed}.${noEffect.join('')}`,
    rowsWritten: rows,
  };
}

/** Runs one statement. Returns the number of rows that it changed. */
export async function runStatement(statement: TranslatedStatement, task: Task): Promise<number> {
  if (statement.kind === 'query') return computeRows(statement.query.sql, task);
  return statement.kind === 'change' ? change(statement, task) : 0;
}

async function computeRows(sql: string, { warehouse, runs }: Task): Promise<number> {
  runs(sql);
  // The hash reads every column: a count alone would not compute them.
  await warehouse.query(`SELECT bit_xor(hash(q)) FROM (${sql}) AS q`, { maxRows: 1 });
  return 0;
}

async function change(
  { sql, definesTables }: Extract<TranslatedStatement, { kind: 'change' }>,
  { warehouse, runs }: Task,
): Promise<number> {
  let rows = 0;
  for (const each of sql) {
    runs(each);
    rows += await warehouse.run(each);
  }
  // In the transaction: other rounds must not see the old catalog after the commit.
  if (definesTables) await warehouse.refresh();
  return rows;
}
