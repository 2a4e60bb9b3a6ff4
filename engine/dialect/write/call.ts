import { GEOGRAPHY_HINT } from '../parse/type-name.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Call } from '../parse/tree.ts';
import { AGGREGATES } from './functions/aggregates.ts';
import { COLLECTIONS } from './functions/collections.ts';
import { CONDITIONALS } from './functions/conditionals.ts';
import { DATES } from './functions/dates.ts';
import { NUMBERS } from './functions/numbers.ts';
import { PATTERNS } from './functions/patterns.ts';
import type { FunctionRule } from './functions/rule.ts';
import { SEMI_STRUCTURED } from './functions/semi-structured.ts';
import { TEXTS } from './functions/texts.ts';
import { SESSION } from './functions/session.ts';
import { WINDOWS } from './functions/windows.ts';
import { XML } from './functions/xml.ts';
import { duckType, mayHaveFloat, type Typed, VARIANT_WITH_FLOAT } from './sql/typed.ts';
import { withoutFloat } from './casts/variant.ts';
import { checkWindow, windowText } from './query/window.ts';
import { isOne, refusal, sqlError, write, type Writing } from './sql/writing.ts';
import { convert } from './casts/convert.ts';
import { changesEachTime } from './query/columns.ts';
import { fullName } from './query/from.ts';

const RULES = new Map<string, FunctionRule>(
  [
    TEXTS,
    PATTERNS,
    NUMBERS,
    DATES,
    CONDITIONALS,
    SEMI_STRUCTURED,
    XML,
    AGGREGATES,
    COLLECTIONS,
    WINDOWS,
    SESSION,
  ].flatMap((table) => Object.entries(table)),
);

/** The names of all functions that the engine supports for a warehouse, for the documentation. */
export function functionNames(warehouse: Writing['session']['context']['warehouse']): readonly string[] {
  return [...RULES].filter(([, rule]) => !rule.only || rule.only === warehouse).map(([name]) => name);
}

const GEOGRAPHIC = /^(?:ST_|H3_|(?:TRY_)?TO_GEO(?:GRAPHY|METRY)$|HAVERSINE$)/;

export function writeCall(call: Call, writing: Writing): Typed {
  const rule = call.path === undefined ? RULES.get(call.name) : undefined;
  const { warehouse } = writing.session.context;
  if (rule === undefined || (rule.only && rule.only !== warehouse)) {
    const userCall = writeUserCall(call, writing);
    if (userCall !== undefined) return userCall;
    const meant = closestWord(call.name, functionNames(warehouse));
    const didMean = meant === undefined ? undefined : `did you mean ${meant}?`;
    const hint = GEOGRAPHIC.test(call.name) ? GEOGRAPHY_HINT : didMean;
    throw refusal(`the function ${call.name}`, call.at, writing, hint);
  }
  checkShape(call, rule, writing);
  if (rule.writeCall) return withWindow(rule.writeCall(call, writing), call, rule, writing);
  const values = call.values.map((value) => write(value, writing));
  if (rule.showsTypes) for (const value of values) withoutFloat(value, call.at, writing);
  const typedCall = { parsed: call, values, at: call.at, writing };
  const result = rule.write?.(typedCall);
  if (result === undefined) throw refusal(`these arguments of ${call.name}`, call.at, writing);
  const hasFloat = result.type.name === 'VARIANT' && values.some(({ type }) => mayHaveFloat(type));
  const typed = hasFloat ? { ...result, type: VARIANT_WITH_FLOAT } : result;
  return withWindow(typed, call, rule, writing);
}

function checkShape(call: Call, rule: FunctionRule, writing: Writing): void {
  const { name, at } = call;
  if (call.named.size > 0) throw refusal(`named arguments of ${name}`, at, writing);
  checkCount(call, rule, writing);
  if (call.star && rule.takesStar === undefined) throw refusal(`${name}(*)`, at, writing);
  if (call.star && rule.takesStar === 'bare' && call.star.of.length + call.star.excluded.length > 0)
    throw refusal(`${name}(*) with a table or excluded columns`, at, writing);
  if (call.star && call.isDistinct) throw refusal(`${name}(DISTINCT *)`, at, writing);
  if (call.isDistinct && rule.kind !== 'aggregate') throw refusal(`DISTINCT in ${name}`, at, writing);
  if (call.withinGroup && !rule.hasOrder) throw refusal(`WITHIN GROUP after ${name}`, at, writing);
  if (call.ignoresNulls && !rule.mayIgnoreNulls) throw refusal(`IGNORE NULLS in ${name}`, at, writing);
  if (call.window && rule.kind === undefined) throw refusal(`OVER after ${name}`, at, writing);
  if (!call.window && rule.kind === 'window')
    throw sqlError(`${name} is a window function: add OVER (…)`, at, writing);
  if (!isOne(writing)) checkTables(call, rule, writing);
  if (call.window) checkWindow(call, call.window, rule, writing);
}

/**
 * `WAREHOUSE_TWO` computes some functions only in queries that read tables, and some only in queries that read none.
 */
function checkTables({ name, at }: Call, rule: FunctionRule, writing: Writing): void {
  const hasTable = writing.names.relations.length > 0;
  if (rule.withoutTable !== undefined && hasTable)
    throw refusal(
      `${name} in a query that reads a table`,
      at,
      writing,
      `the warehouse refuses it: use ${rule.withoutTable}`,
    );
  if (rule.needsTable && !hasTable)
    throw refusal(
      `${name} without a table`,
      at,
      writing,
      'the warehouse has this function only in queries that read a table',
    );
}

/** An error if the warehouse has no such form; a refusal if only the engine does not have it. */
function checkCount({ name, at, values }: Call, rule: FunctionRule, writing: Writing): void {
  const count = values.length;
  const isOutside = ([least, most]: FunctionRule['arguments']) => count < least || count > most;
  const possible = rule.warehouseArguments?.[writing.session.context.warehouse] ?? rule.arguments;
  if (isOutside(possible))
    throw sqlError(`${name} takes ${countText(...possible)}, not ${count}`, at, writing);
  if (isOutside(rule.arguments)) throw refusal(`${name} with ${numberOf(count, 'argument')}`, at, writing);
}

function countText(least: number, most = least): string {
  if (most === Infinity) return `at least ${numberOf(least, 'argument')}`;
  return `${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'argument' : 'arguments'}`;
}

/** Adds OVER to the aggregate or window function, which may be a part of a larger expression. */
function withWindow(result: Typed, call: Call, rule: FunctionRule, writing: Writing): Typed {
  if (rule.kind === undefined) return result;
  const over = call.window ? ` OVER (${windowText(call, rule, writing)})` : '';
  const placed = (sql: string) => sql.replaceAll('\u0001', () => over);
  return {
    ...result,
    sql: placed(result.sql),
    ...(result.raw !== undefined && { raw: placed(result.raw) }),
  };
}

/** A call of a function that SQL has created; undefined if no function has this name. */
function writeUserCall(call: Call, writing: Writing): Typed | undefined {
  const { at, name, values } = call;
  const path = call.path ?? [{ text: name, isQuoted: false, at }];
  if (path.length > 3) return undefined;
  const userFunction = writing.session.context.catalog.findFunction?.(fullName(path, writing));
  if (userFunction === undefined) return undefined;
  const isPlain = !call.isDistinct && !call.star && !call.window && !call.withinGroup;
  if (!isPlain || call.named.size > 0)
    throw refusal(
      `DISTINCT, *, OVER, WITHIN GROUP or named arguments in a call of the function ${name}, which was created with SQL`,
      at,
      writing,
    );
  const { parameters, returns, sql } = userFunction;
  if (values.length !== parameters.length)
    throw sqlError(`${name} takes ${countText(parameters.length)}, not ${values.length}`, at, writing);
  // The body may use an argument several times.
  if (changesEachTime(values))
    throw refusal(`a value that changes with each evaluation as an argument of ${name}`, at, writing);
  const converted = parameters.map((type, index) => {
    const value = values[index];
    if (value === undefined) throw new Error('no such argument');
    return `CAST(${convert(write(value, writing), type, at, writing).sql} AS ${duckType(type)})`;
  });
  return { sql: `${sql}(${converted.join(', ')})`, type: returns };
}
