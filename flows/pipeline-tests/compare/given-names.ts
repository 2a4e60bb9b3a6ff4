import { type FileProblem, storedName, type TableName, type WrittenTable } from '../../../engine/index.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { didYouMean, escapedName, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { namedTable } from '../outside/table-named.ts';
import type { TestRun } from './test-run.ts';

/** What `given` has to do with a failure: a problem of the test file, or the end of a message. */
interface GivenNames {
  readonly problem?: FileProblem;
  readonly hint?: string;
}

/**
 * Compares the name of a table or column that the pipeline did not find with the names in `given`, to find a
 * misspelling.
 */
export function givenNames(run: TestRun): GivenNames {
  const { state, planned } = run;
  // A test that expects a failure may expect this one.
  if (state.failed === undefined || !planned.test.expected.outcome.isSuccess) return {};
  const { message, pipeline } = state.failed;
  const [, variable] = /the variable "([^"]+)" is not defined/.exec(message) ?? [];
  if (variable !== undefined) return { hint: variableHint(variable, pipeline, run) };
  const [, existing] = /; there is (?:"[^"]*"\.)*"([^"]+)"$/.exec(message) ?? [];
  const [, database, schema, table] =
    /table "([^"]+)"\."([^"]+)"\."([^"]+)" (?:was )?not found/.exec(message) ?? [];
  if (database !== undefined && schema !== undefined && table !== undefined) {
    const names = tableNames({ database, schema, table }, run);
    return names.problem === undefined && existing !== undefined
      ? { hint: quoteHint(table, existing, run) }
      : names;
  }
  const [, column] = /column "([^"]+)" (?:was )?not found/.exec(message) ?? [];
  return column === undefined ? {} : columnNames(column, run);
}

/**
 * The end of a message about columns of `given` with similar names that no row has together, so that one may be
 * misspelled.
 */
export function similarColumns({ planned }: TestRun): string {
  for (const { name, columns, content } of planned.test.given) {
    const declared = new Set(columns.map((column) => column.name));
    const others = content.columns.filter((column) => !declared.has(column));
    for (const [index, first] of others.entries()) {
      const apart = others
        .slice(index + 1)
        .filter((other) => !content.rows.some(({ cells }) => cells.has(first) && cells.has(other)));
      const second = closestWord(first, apart);
      if (second !== undefined)
        return `; \`given\` has "${first}" in some rows of "${name.text}", and "${second}" in others`;
    }
  }
  return '';
}

function tableNames(missing: TableName, run: TestRun): GivenNames {
  const { planned, project } = run;
  const { given } = planned.test;
  const keyOf = ({ database, schema, table }: TableName) => JSON.stringify([database, schema, table]);
  const sameLetters = given.find(
    ({ name }) => keyOf(namedTable(name.text, project)).toLowerCase() === keyOf(missing).toLowerCase(),
  );
  if (sameLetters !== undefined) {
    const { place, text } = sameLetters.name;
    const message = `the pipeline reads the table "${missing.table}"${readAt(run)}, but this one is "${text}": upper and lower case differ${quoteHint(missing.table, text, run)}`;
    return { problem: { ...place, message } };
  }
  const names = given.map(({ name }) => namedTable(name.text, project).table);
  const meant = given[names.indexOf(closestWord(missing.table, names) ?? '')];
  if (meant === undefined) return { hint: '; `given` does not have it: add it' };
  const { text, place } = meant.name;
  const { table } = namedTable(text, project);
  return { hint: `; \`given\` has ${alikeName(table, missing.table, text)} (${place.line}:${place.column})` };
}

function columnNames(missing: string, run: TestRun): GivenNames {
  const { planned, project } = run;
  const columns = planned.test.given.flatMap((table) => columnsOf(table));
  const stored = columns.map(({ name }) => storedName(name, project.kind));
  const sameLetters = columns[stored.findIndex((name) => name.toLowerCase() === missing.toLowerCase())];
  if (sameLetters !== undefined && storedName(sameLetters.name, project.kind) !== missing) {
    const { name, table, place } = sameLetters;
    const message = `the pipeline reads the column "${missing}"${readAt(run)}, but the table "${table}" has "${name}": upper and lower case differ${quoteHint(missing, name, run)}`;
    return { problem: { ...place, message } };
  }
  if (sameLetters !== undefined) return {};
  const meant = columns[stored.indexOf(closestWord(missing, stored) ?? '')];
  if (meant === undefined) return {};
  const { name, table, place } = meant;
  return {
    hint: `; "${table}" in \`given\` has ${alikeName(name, missing, name)} (${place.line}:${place.column})`,
  };
}

/** A name as the test has it. If it looks the same as the missing name, also how the two differ. */
function alikeName(name: string, missing: string, written: string): string {
  return onlyLooksLike(name, missing)
    ? `"${escapedName(written)}", which only looks like "${escapedName(missing)}"`
    : `"${written}"`;
}

/** The place at which the pipeline reads the name: most messages begin with it. */
function readAt({ state: { failed } }: TestRun): string {
  const [, place] = /^(\S.*?:\d+:\d+): /.exec(failed?.message ?? '') ?? [];
  return place === undefined ? '' : ` (${place})`;
}

/** SQL of kind 1 reads a name without quotes in upper case. */
function quoteHint(
  missing: string,
  existing: string,
  { project: { kind } }: Pick<TestRun, 'project'>,
): string {
  return kind === 'WAREHOUSE_ONE' && missing === existing.toUpperCase()
    ? `. SQL reads a name without quotes in upper case: write "${existing}" with quotes there`
    : '';
}

function variableHint(name: string, pipeline: string, { project }: TestRun): string {
  const declared = [...(project.pipeline(pipeline)?.variables.keys() ?? [])];
  const meant = closestWord(name, declared);
  return meant === undefined
    ? `; declare it in \`variables\` of ${pipeline}, or give it a value in \`variables\` of the test`
    : `; ${didYouMean(name, meant)}`;
}

function columnsOf({ name: table, columns, content }: WrittenTable) {
  const declared = columns.map(({ name, place }) => ({ name, place, table: table.text }));
  const others = content.columns.map((name) => {
    const row = content.rows.find(({ cells }) => cells.has(name));
    return { name, place: row?.placeOf(name) ?? table.place, table: table.text };
  });
  return [...declared, ...others];
}
