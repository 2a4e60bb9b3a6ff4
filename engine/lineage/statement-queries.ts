import { UnknownPlan } from './relation.ts';
import { splitAtCommas, type TopLevelWord, topLevelWords } from './top-level-words.ts';

/** A query in a statement that writes the query's rows to a table. */
export interface WrittenQuery {
  readonly sql: string;
  /**
   * The target columns for the columns of the query, in the same order: a list, the columns with the same names, or
   * all columns of the target. Empty if the query only determines which rows are removed.
   */
  readonly columns: readonly string[] | 'of the query' | 'of the target';
}

/**
 * The rows that a statement of DuckDB's SQL writes, and the queries that produce them. The statement must be one that
 * the engine wrote.
 */
export type StatementQueries =
  | { readonly kind: 'table'; readonly target: string; readonly queries: readonly WrittenQuery[] }
  | { readonly kind: 'view'; readonly target: string; readonly queries: readonly WrittenQuery[] }
  | { readonly kind: 'temporary'; readonly name: string; readonly query: string }
  | { readonly kind: 'rename'; readonly target: string; readonly from: string; readonly to: string }
  | { readonly kind: 'drop'; readonly target: string };

const NAME = '(?<target>"(?:[^"]|"")+"\\."(?:[^"]|"")+")';
const LIST = '(?<list>\\((?:"(?:[^"]|"")+"(?:, )?)+\\))';
const COLUMN = '"(?:[^"]|"")+"';

type Groups = Readonly<Record<string, string | undefined>>;

/** The forms of statements, with the rest that follows them. */
const forms: readonly (readonly [RegExp, (rest: string, groups: Groups) => StatementQueries | undefined])[] =
  [
    [
      /^CREATE OR REPLACE TEMP TABLE (?<name>\w+) AS /,
      (query, { name = '' }) => ({ kind: 'temporary', name, query }),
    ],
    [
      new RegExp(`^CREATE OR REPLACE (?<what>TABLE|VIEW) ${NAME}(?: ${LIST})? AS `),
      (sql, { what, target = '', list }) => ({
        kind: what === 'VIEW' ? 'view' : 'table',
        target,
        queries: [{ sql, columns: list === undefined ? 'of the query' : namesIn(list) }],
      }),
    ],
    [
      new RegExp(`^INSERT INTO ${NAME} (?:${LIST} )?`),
      (rest, { target = '', list }) => {
        const columns = list === undefined ? 'of the target' : namesIn(list);
        return {
          kind: 'table',
          target,
          queries: rest === 'DEFAULT VALUES' ? [] : [{ sql: rowsOf(rest), columns }],
        };
      },
    ],
    [new RegExp(`^UPDATE ${NAME}`), (rest, { target = '' }) => updateQueries(target, rest)],
    [new RegExp(`^DELETE FROM ${NAME}`), (rest, { target = '' }) => deleteQueries(target, rest)],
    [new RegExp(`^MERGE INTO ${NAME}`), (rest, { target = '' }) => mergeQueries(target, rest)],
    [
      new RegExp(`^ALTER TABLE ${NAME} RENAME COLUMN (?<from>${COLUMN}) TO (?<to>${COLUMN})$`),
      (_, { target = '', from = '', to = '' }) => ({
        kind: 'rename',
        target,
        from: plain(from),
        to: plain(to),
      }),
    ],
    [
      new RegExp(`^DROP (?:TABLE|VIEW) (?:IF EXISTS )?${NAME}`),
      (_, { target = '' }) => ({ kind: 'drop', target }),
    ],
    [new RegExp(`^CREATE OR REPLACE TABLE ${NAME} \\(`), (_, { target = '' }) => ({ kind: 'drop', target })],
  ];

/**
 * The queries in a statement whose rows the statement writes, or that define a view. Undefined for any other
 * statement.
 */
export function statementQueries(sql: string): StatementQueries | undefined {
  for (const [form, read] of forms) {
    const match = form.exec(sql);
    if (match !== null) return read(sql.slice(match[0].length), match.groups ?? {});
  }
  return undefined;
}

/** VALUES is a query if no value is DEFAULT, which comes from no column. */
function rowsOf(rest: string): string {
  if (!rest.startsWith('VALUES ')) return rest;
  return rest.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\bDEFAULT\b/g, (token) =>
    token === 'DEFAULT' ? 'NULL' : token,
  );
}

function updateQueries(target: string, rest: string): StatementQueries {
  const { before, clauses } = clausesOf(rest, ['SET', 'FROM', 'WHERE']);
  const assignments = splitAtCommas(clauses.get('SET') ?? '').map(assignment);
  const from = clauses.get('FROM');
  const rows = `${target}${before}${from === undefined ? '' : `, ${from}`}`;
  const where = clauses.get('WHERE');
  return {
    kind: 'table',
    target,
    queries: [
      {
        sql: `SELECT ${assignments.map(({ value }) => value).join(', ')} FROM ${rows}${where === undefined ? '' : ` WHERE ${where}`}`,
        columns: assignments.map(({ column }) => column),
      },
    ],
  };
}

function deleteQueries(target: string, rest: string): StatementQueries | undefined {
  const { before, clauses } = clausesOf(rest, ['USING', 'WHERE']);
  const where = clauses.get('WHERE');
  if (where === undefined) return undefined;
  const using = clauses.get('USING');
  const rows = `${target}${before}${using === undefined ? '' : `, ${using}`}`;
  return { kind: 'table', target, queries: [{ sql: `SELECT 1 FROM ${rows} WHERE ${where}`, columns: [] }] };
}

/** One query for each WHEN: of the pairs of rows that match, or of the rows of the source. */
function mergeQueries(target: string, rest: string): StatementQueries {
  const { before, clauses } = clausesOf(rest, ['USING', 'ON']);
  const source = clauses.get('USING') ?? '';
  const condition = clauses.get('ON') ?? '';
  const starts = topLevelWords(condition).filter(({ word }) => word === 'WHEN');
  const on = condition.slice(0, starts[0]?.start).trim();
  const queries = starts.map(({ start }, index): WrittenQuery => {
    const branch = condition.slice(start, starts[index + 1]?.start ?? condition.length).trim();
    return branchQuery(branch, { source, target: `${target}${before}`, on });
  });
  return { kind: 'table', target, queries };
}

function branchQuery(
  branch: string,
  { source, target, on }: { readonly source: string; readonly target: string; readonly on: string },
): WrittenQuery {
  const words = topLevelWords(branch);
  const then = words.find(({ word }) => word === 'THEN');
  const matched = words.find(({ word }) => word === 'MATCHED');
  if (then === undefined || matched === undefined) throw new UnknownPlan('a MERGE without THEN');
  const isMatched = words[1] === matched;
  const and = /^\s*AND\s/.exec(branch.slice(matched.end, then.start));
  const condition = and === null ? 'TRUE' : branch.slice(matched.end + and[0].length, then.start).trim();
  const action = branch.slice(then.end).trim();
  const rows = `${source} ${isMatched ? '' : 'LEFT '}JOIN ${target} ON ${on} WHERE ${condition}`;
  if (action === 'DELETE') return { sql: `SELECT 1 FROM ${rows}`, columns: [] };
  if (action.startsWith('UPDATE SET ')) {
    const assignments = splitAtCommas(action.slice('UPDATE SET '.length)).map(assignment);
    return {
      sql: `SELECT ${assignments.map(({ value }) => value).join(', ')} FROM ${rows}`,
      columns: assignments.map(({ column }) => column),
    };
  }
  const [, list = '', values = ''] = new RegExp(`^INSERT ${LIST} VALUES \\((.*)\\)$`, 's').exec(action) ?? [];
  return { sql: `SELECT ${values} FROM ${rows}`, columns: namesIn(list) };
}

/** The texts between some words, each of which begins a clause; the first of each word counts, in the order of `words`. */
function clausesOf(
  text: string,
  words: readonly string[],
): { readonly before: string; readonly clauses: ReadonlyMap<string, string> } {
  const found: TopLevelWord[] = [];
  const all = topLevelWords(text);
  for (const [index, each] of all.entries()) {
    // In `IS DISTINCT FROM`, the word begins no clause.
    if (all[index - 1]?.word === 'DISTINCT' && each.word === 'FROM') continue;
    const last = found.at(-1);
    const next = last === undefined ? 0 : words.indexOf(last.word) + 1;
    if (words.indexOf(each.word) >= next) found.push(each);
  }
  const clauses = found.map(({ word, end }, index): [string, string] => [
    word,
    text.slice(end, found[index + 1]?.start ?? text.length).trim(),
  ]);
  return { before: text.slice(0, found[0]?.start ?? text.length).trimEnd(), clauses: new Map(clauses) };
}

function assignment(text: string): { readonly column: string; readonly value: string } {
  const [start = '', column = ''] = new RegExp(`^(${COLUMN}) = `).exec(text) ?? [];
  return { column: plain(column), value: text.slice(start.length) };
}

function namesIn(list: string): readonly string[] {
  return Array.from(list.matchAll(new RegExp(COLUMN, 'g')), ([name]) => plain(name));
}

function plain(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"');
}
