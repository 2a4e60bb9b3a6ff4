import { withoutBlanks } from '../core/written-number.ts';
import { Refusal } from '../core/refusal.ts';
import { joinTexts, type SourceText } from '../core/source-text.ts';
import type { Column } from '../core/relation.ts';
import type { DialectContext, NamedRelation } from '../core/dialect.ts';
import { textLiteral } from '../dialect/text-literal.ts';
import { translateExpression } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { Comparator, Condition } from '../parameters/read-conditions.ts';
import { fixedText } from '../parameters/read-rows.ts';
import { findColumn, storedName } from './find-column.ts';

/** Where the columns that conditions refer to are looked up. */
export interface ConditionScope {
  readonly relation: NamedRelation;
  /** A description of what contains the columns, for messages, such as `the input "orders"`. */
  readonly of: string;
  readonly dialect: DialectContext;
  /** Reports something that the user should know. */
  notice(message: string): void;
}

const operators: Readonly<Partial<Record<Comparator, string>>> = {
  'equal to': '=',
  'less than': '<',
  'less than or equal to': '<=',
  'greater than': '>',
  'greater than or equal to': '>=',
  like: 'LIKE',
};

/** Translates the conditions of a component to DuckDB's SQL. Undefined if there are none. */
export function conditionsSql(
  conditions: readonly Condition[],
  combination: 'and' | 'or',
  scope: ConditionScope,
): string | undefined {
  return combinedSql(
    conditions.map((condition) => conditionSql(condition, scope)),
    combination,
  );
}

/** Joins several conditions in DuckDB's SQL with AND or OR. Undefined if there are none. */
export function combinedSql(all: readonly string[], combination: 'and' | 'or'): string | undefined {
  if (all.length === 0) return undefined;
  return `(${all.join(combination === 'and' ? ' AND ' : ' OR ')})`;
}

/**
 * Translates a condition to DuckDB's SQL in parentheses. The result of a comparison with NULL is unknown, not false.
 */
export function conditionSql(condition: Condition, scope: ConditionScope): string {
  const { dialect, relation, of } = scope;
  const column = findColumn(relation.columns, condition.column, dialect, of);
  const test = testOf(condition, column, scope);
  const place = condition.column.placeOf(0);
  const parts = condition.isNegated ? [fixedText('NOT (', place), test, fixedText(')', place)] : [test];
  return `(${translateExpression(joinTexts(parts), new Map([['', relation]]), dialect).sql})`;
}

/** The condition for the comparator `Is`, in the warehouse's SQL. A `Not` is added later. */
function testOf(condition: Condition, column: Column, scope: ConditionScope): SourceText {
  const { comparator, value } = condition;
  const place = condition.column.placeOf(0);
  const name = quoteName(column.name);
  const operator = operators[comparator];
  if (operator === undefined || value === undefined) return fixedText(emptyTest(comparator, column), place);
  const isText = column.type.name === 'VARCHAR' || comparator === 'like';
  const compared = isText ? textValue(value, column, scope) : otherValue(value, column, scope);
  return joinTexts([fixedText(`${name} ${operator} (`, place), compared, fixedText('\n)', place)]);
}

function emptyTest(comparator: Comparator, { name, type }: Column): string {
  const quoted = quoteName(name);
  if (comparator === 'null') return `${quoted} IS NULL`;
  const canBeBlank = type.name === 'VARCHAR' || type.name === 'VARIANT';
  if (comparator === 'blank') {
    return canBeBlank ? `${quoted} = ''` : `CASE WHEN ${quoted} IS NOT NULL THEN FALSE END`;
  }
  return canBeBlank ? `(${quoted} IS NULL OR ${quoted} = '')` : `${quoted} IS NULL`;
}

/** A value that is compared with a text: a text literal if it is in quotes, otherwise the characters as they are. */
function textValue(value: SourceText, column: Column, scope: ConditionScope): SourceText {
  const { dialect, relation } = scope;
  if (isQuoted(value.text, dialect)) return value;
  const word = storedName(withoutBlanks(value.text), dialect.warehouse);
  if (word !== column.name && relation.columns.some(({ name }) => name === word)) {
    scope.notice(
      `the column "${column.name}" is compared with the text "${word}", but the input also has a column with the name "${word}"; that column is not used`,
    );
  }
  const literal = textLiteral(value.text, dialect.warehouse);
  if (literal !== undefined) return fixedText(literal, value.placeOf(0));
  throw new Refusal(`the text ${JSON.stringify(value.text)} in a condition`, value.placeOf(0));
}

function isQuoted(text: string, { warehouse }: DialectContext): boolean {
  const pattern =
    warehouse === 'WAREHOUSE_ONE'
      ? /^[ \t\r\n]*'(?:[^'\\]|''|\\[\s\S])*'[ \t\r\n]*$/
      : /^[ \t\r\n]*'(?:[^']|'')*'[ \t\r\n]*$/;
  return pattern.test(text);
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z| ?[+-]\d{2}:?\d{2})?)?$/;

/** A value that is compared with a value of a type other than text: a literal, a column, or an expression. */
function otherValue(
  value: SourceText,
  { name: compared, type }: Column,
  { relation, dialect }: ConditionScope,
): SourceText {
  const written = withoutBlanks(value.text);
  const place = value.placeOf(0);
  if (written === '') {
    const message = `the condition on the column "${compared}" has no value to compare with; to test for NULL, use the comparator Null`;
    throw new ParameterError(message, place);
  }
  // A date without quotes would be a subtraction.
  if (isoDate.test(written)) return fixedText(`'${written}'`, place);
  if (type.name === 'BOOLEAN' && /^(?:true|false)$/i.test(written)) return fixedText(written, place);
  const column = relation.columns.find(({ name }) => name === storedName(written, dialect.warehouse));
  if (column !== undefined) return fixedText(quoteName(column.name), place);
  // Translate the expression by itself first: it must not close the parentheses that are put around it.
  translateExpression(value, new Map([['', relation]]), dialect);
  return value;
}
