import type { TableName, WarehouseKind } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { meantSentence } from '../../../lib/core/text/did-you-mean.ts';
import type { ColumnGraph } from './column-graph.ts';

/** A table, or one column of a table. */
export interface TableOrColumn {
  readonly table: TableName;
  readonly column?: string;
}

interface NamePart {
  readonly text: string;
  readonly isQuoted: boolean;
}

const PARTS = /^(?:"(?:[^"]|"")+"|[^".]+)(?:\.(?:"(?:[^"]|"")+"|[^".]+))*$/;
const PART = /"((?:[^"]|"")+)"|([^".]+)/g;

/** At most this many names are in a message. */
const maxNames = 5;

/**
 * Finds the table or column that `TABLE`, `TABLE.COLUMN`, `SCHEMA.TABLE.COLUMN` or `DATABASE.SCHEMA.TABLE.COLUMN`
 * names. Parts may be quoted; the case of unquoted parts does not matter. Throws Failure 'usage' for a text that is
 * not a name or that several names match, and 'not-found'.
 */
export function findColumn(columns: ColumnGraph, text: string): TableOrColumn {
  const { kind } = columns.graph.project;
  const parts = partsOf(text);
  const ofTable = tablesNamed(columns.tables, parts).map((table): TableOrColumn => ({ table }));
  const last = parts.at(-1);
  const before = parts.length > 1 ? tablesNamed(columns.tables, parts.slice(0, -1)) : [];
  const ofColumn = before.flatMap((table) =>
    bestOf(columns.columnsOf(table), (name) => (last === undefined ? 0 : match(last, name))).map(
      (column): TableOrColumn => ({ table, column }),
    ),
  );
  const found = [...ofTable, ...ofColumn];
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  const where = { input: 'TABLE[.COLUMN]' };
  if (first !== undefined) {
    const names = found.map((each) => nameText(each, kind));
    throw new Failure('usage', {
      message: `${inQuotes(text)} can be ${listed(names)}.`,
      where,
      hint: `Write more of the name, for example ${names[0] ?? ''}.`,
    });
  }
  const [table, more] = before;
  if (table !== undefined && more === undefined && last !== undefined) {
    const names = columns.columnsOf(table);
    const known =
      names.length === 0
        ? 'Millrace does not know the columns of this table'
        : `Its known columns: ${listed(names)}`;
    throw new Failure('not-found', {
      message: `The table ${nameText({ table }, kind)} has no known column "${last.text}".${meantSentence(last.text, names)} ${known}.`,
      where,
      hint: 'Check the name. A file of schemas of a test can declare the columns of tables from outside of the project.',
    });
  }
  const meant = closestWord(parts.map((part) => part.text).join('.'), candidates(columns, parts, kind));
  // A name with quotes is as SQL writes it.
  const shown = meant === undefined || meant.includes('"') ? meant : inQuotes(meant);
  throw new Failure('not-found', {
    message: `No pipeline reads or writes a table ${inQuotes(text)}.${shown === undefined ? '' : ` Did you mean ${shown}?`}`,
    where,
    hint: 'Give the name of a table or of a column that a pipeline of the project reads or writes, such as CUSTOMERS.COUNTRY.',
  });
}

/** A table or column as SQL writes it, with quotes where they are needed. */
export function nameText({ table, column }: TableOrColumn, kind: WarehouseKind): string {
  const parts = [table.database, table.schema, table.table, ...(column === undefined ? [] : [column])];
  return parts.map((part) => partText(part, kind)).join('.');
}

export function partText(part: string, kind: WarehouseKind): string {
  const plain = kind === 'WAREHOUSE_ONE' ? /^[A-Z_][A-Z0-9_$]*$/ : /^[a-z_][a-z0-9_$]*$/;
  return plain.test(part) ? part : `"${part.replaceAll('"', '""')}"`;
}

function partsOf(text: string): readonly NamePart[] {
  const parts = PARTS.test(text)
    ? Array.from(text.matchAll(PART), ([, quoted, plain = '']) => ({
        text: quoted?.replaceAll('""', '"') ?? plain,
        isQuoted: quoted !== undefined,
      }))
    : [];
  if (parts.length > 0 && parts.length <= 4) return parts;
  throw new Failure('usage', {
    message: `${inQuotes(text)} is not the name of a table or of a column.`,
    where: { input: 'TABLE[.COLUMN]' },
    hint: 'Write TABLE, TABLE.COLUMN or DATABASE.SCHEMA.TABLE.COLUMN, and a name with other characters in double quotes.',
  });
}

/** The tables whose last names are these. */
function tablesNamed(tables: readonly TableName[], parts: readonly NamePart[]): readonly TableName[] {
  if (parts.length > 3) return [];
  return bestOf(tables, ({ database, schema, table }) => {
    const names = [database, schema, table].slice(3 - parts.length);
    return Math.min(...parts.map((part, index) => match(part, names[index] ?? '')));
  });
}

/** 2: the same name; 1: the same but for the case, without quotes; 0: another one. */
function match({ text, isQuoted }: NamePart, name: string): 0 | 1 | 2 {
  if (text === name) return 2;
  return !isQuoted && text.toLowerCase() === name.toLowerCase() ? 1 : 0;
}

/** Those that match best; none if none matches. */
function bestOf<Item>(items: readonly Item[], score: (item: Item) => number): readonly Item[] {
  const scores = items.map(score);
  const best = Math.max(0, ...scores);
  return best === 0 ? [] : items.filter((_, index) => scores[index] === best);
}

/** Names with as many parts as the given one. */
function candidates(columns: ColumnGraph, { length }: readonly NamePart[], kind: WarehouseKind) {
  const tail = (names: readonly string[]) =>
    names.length < length
      ? []
      : [
          names
            .slice(-length)
            .map((name) => partText(name, kind))
            .join('.'),
        ];
  return columns.tables.flatMap((table) => {
    const names = [table.database, table.schema, table.table];
    return [
      ...tail(names),
      ...(length > 1 ? columns.columnsOf(table).flatMap((name) => tail([...names, name])) : []),
    ];
  });
}

/** A name in a message; a name that is quoted already stays as it is. */
function inQuotes(text: string): string {
  return text.includes('"') ? text : `"${text}"`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}
