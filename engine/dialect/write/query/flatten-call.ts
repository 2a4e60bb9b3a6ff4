import { upperAscii } from '../../../core/ascii-case.ts';
import type { NamedRelation } from '../../../core/dialect.ts';
import type { Expression, FromItem } from '../../parse/tree.ts';
import { expectText } from '../casts/convert.ts';
import { toVariant } from '../casts/variant.ts';
import { decimal, quoteText, TEXT, type Typed } from '../sql/typed.ts';
import { columnText, refusal, sqlError, type Visible, write, type Writing } from '../sql/writing.ts';
import { FLATTEN_COLUMNS, FLATTEN_MODES, type FlattenMode, flattenSql } from './flatten.ts';

/** A table function, and what its columns are where they are named. */
interface FlattenRelation {
  readonly relation: NamedRelation;
  readonly shown: (relation: Visible) => Visible;
}

const NESTED = 'join a separate FLATTEN for each level';

type Flatten = Extract<FromItem, { kind: 'flatten' }>;

/** Translates FLATTEN or SPLIT_TO_TABLE. `writing` contains the names of the tables before it in FROM. */
export function flattenRelation(item: Flatten, writing: Writing): FlattenRelation {
  const { alias, call } = item;
  if (alias && alias.columns.length > 0)
    throw refusal(
      `names of columns after ${call.name}`,
      alias.name.at,
      writing,
      'use the names that its columns have',
    );
  return call.name === 'SPLIT_TO_TABLE' ? splitRelation(item, writing) : ofFlatten(item, writing);
}

/** The parts of a text, numbered from 1; none for NULL, as for FLATTEN of SPLIT. */
function splitRelation({ call, at }: Flatten, writing: Writing): FlattenRelation {
  const [value, separator, ...others] = call.values;
  if (value === undefined || separator === undefined || others.length + call.named.size > 0)
    throw sqlError(
      `SPLIT_TO_TABLE needs 2 arguments, but has ${call.values.length + call.named.size}`,
      at,
      writing,
    );
  if (separator.kind !== 'text' || separator.value === '')
    throw refusal('SPLIT_TO_TABLE with a separator that is empty or not a literal', separator.at, writing);
  const [text, by] = [value, separator].map((each) => expectText(write(each, writing), each.at, writing).sql);
  const [parts, one] = [writing.session.fresh('v'), writing.session.fresh('e')];
  const numbered = `SELECT unnest(${parts}.x) AS x, unnest(range(1, len(${parts}.x) + 1)) AS n FROM (SELECT string_split(${text}, ${by}) AS x) AS ${parts}`;
  const sql = `LATERAL (SELECT CAST(${one}.n AS DECIMAL(38, 0)) AS "INDEX", ${one}.x AS "VALUE" FROM (${numbered}) AS ${one})`;
  const columns = [
    { name: 'INDEX', type: decimal(38, 0) },
    { name: 'VALUE', type: TEXT },
  ];
  return {
    relation: { sql, columns },
    shown: (relation) => ({ ...relation, refused: { by: call.name, columns: ['SEQ'] } }),
  };
}

function ofFlatten({ call, at }: Flatten, writing: Writing): FlattenRelation {
  const argumentNames = ['INPUT', 'OUTER', 'PATH', 'MODE', 'RECURSIVE'];
  for (const key of call.named.keys())
    if (!argumentNames.includes(key)) throw refusal(`FLATTEN(… ${key} => …)`, at, writing);
  const recursive = call.named.get('RECURSIVE');
  if (recursive && (recursive.kind !== 'boolean' || recursive.value))
    throw refusal('FLATTEN(… RECURSIVE => TRUE)', recursive.at, writing, NESTED);
  const outer = call.named.get('OUTER');
  if (outer && outer.kind !== 'boolean')
    throw refusal('FLATTEN with an OUTER argument that is not a literal', at, writing);
  const input = call.named.get('INPUT') ?? call.values[0];
  if (!input || call.values.length > 1)
    throw sqlError('FLATTEN needs exactly one INPUT => value', at, writing);
  const value = write(input, writing);
  if (value.type.name !== 'VARIANT')
    throw refusal(`FLATTEN of a value of type ${value.type.name}${columnText(input, writing)}`, at, writing);
  const path = call.named.get('PATH');
  const flattened = atPath(toVariant(value, at, writing).sql, path, writing);
  const isOuter = outer?.value === true;
  const options = { isOuter, mode: modeOf(call.named.get('MODE'), writing) };
  const sql = flattenSql(flattened, options, writing.session.fresh);
  const flattenColumns = isOuter ? FLATTEN_COLUMNS : [...FLATTEN_COLUMNS, { name: 'THIS', type: value.type }];
  const columns = flattenColumns.map((column) =>
    column.type.name === 'VARIANT' ? { ...column, type: value.type } : column,
  );
  // No page says what they are in the row of a value without items.
  const refused = { by: call.name, columns: isOuter ? ['SEQ', 'PATH', 'THIS'] : ['SEQ'] };
  const prefix = path?.kind === 'text' ? path.value : '';
  return {
    relation: { sql, columns },
    shown: (relation) => ({ ...relation, refused, columns: withPath(relation.columns, prefix, isOuter) }),
  };
}

/** Adds PATH, which is written only where it is named: a key that is not a name is refused there. */
function withPath(
  columns: ReadonlyMap<string, Typed>,
  prefix: string,
  isOuter: boolean,
): ReadonlyMap<string, Typed> {
  const [key, index] = [columns.get('KEY'), columns.get('INDEX')];
  if (isOuter || key === undefined || index === undefined) return columns;
  const message = quoteText(
    'Millrace does not support the column PATH of FLATTEN if a key is not a plain name',
  );
  const name = `CASE WHEN regexp_full_match(${key.sql}, '[A-Za-z_][A-Za-z0-9_]*') THEN ${quoteText(prefix === '' ? '' : `${prefix}.`)} || ${key.sql} ELSE error(${message}) END`;
  const place = `${quoteText(`${prefix}[`)} || CAST(CAST(${index.sql} AS BIGINT) AS VARCHAR) || ']'`;
  return new Map(columns).set('PATH', {
    sql: `(CASE WHEN ${key.sql} IS NULL THEN ${place} ELSE ${name} END)`,
    type: TEXT,
  });
}

/** A member of an object, or of an object in it: `a.b`. */
function atPath(value: string, path: Expression | undefined, writing: Writing): string {
  if (path === undefined) return value;
  if (path.kind !== 'text' || !/^\w+(?:\.\w+)*$/.test(path.value))
    throw refusal(
      'FLATTEN with a PATH argument that is not a text of names separated by dots',
      path.at,
      writing,
    );
  return path.value.split('.').reduce((inner, name) => `(${inner} -> '$."${name}"')`, value);
}

function modeOf(mode: Expression | undefined, writing: Writing): FlattenMode {
  if (mode === undefined) return 'BOTH';
  const written = mode.kind === 'text' ? upperAscii(mode.value) : '';
  const flattenMode = FLATTEN_MODES.find((each) => each === written);
  const modeHint = `use ${FLATTEN_MODES.map((each) => `'${each}'`).join(' or ')}`;
  if (flattenMode === undefined) throw refusal('FLATTEN with this MODE argument', mode.at, writing, modeHint);
  return flattenMode;
}
