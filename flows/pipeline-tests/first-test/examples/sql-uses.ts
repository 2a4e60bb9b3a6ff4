import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';

/** The SQL texts of a component that may name a column. */
export function sqlNaming(column: string, component: Component): readonly string[] {
  const written = ['query', 'sqlScript'].flatMap((key) => component.text(key) ?? []);
  const cells = ['calculations', 'joinExpressions', 'joinExpression', 'whenMatched'].flatMap((key) =>
    gridOf(component.parameter(key)).flatMap(([text = '']) => text),
  );
  const word = column.toUpperCase();
  return [...written, ...cells].filter((text) => text.toUpperCase().includes(word));
}

/** A regular expression that finds a column's name in SQL, with the spaces after it. */
export function columnInSql(column: string): string {
  const name = RegExp.escape(column);
  return `(?:\\b\\w+\\.)?(?:"${name}"|\\b${name}\\b)\\s*`;
}

/** The format in which SQL parses a column's texts as dates or times; undefined if it does not. */
export function formatInSql(column: string, component: Component): string | undefined {
  const texts = sqlNaming(column, component);
  if (texts.length === 0) return undefined;
  const call = String.raw`\b(?:TRY_)?TO_(?:DATE|TIMESTAMP\w*)\(\s*`;
  const pattern = new RegExp(`${call}${columnInSql(column)},\\s*'([^']+)'`, 'i');
  return texts.map((text) => pattern.exec(text)?.[1]).find((format) => format !== undefined);
}

/** The texts with which SQL compares a column. */
export function comparedTexts(column: string, component: Component): readonly string[] {
  const texts = sqlNaming(column, component);
  if (texts.length === 0) return [];
  const pattern = new RegExp(`${columnInSql(column)}(?:=|IN\\s*\\()\\s*'([^']+)'`, 'gi');
  return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, value = '']) => value));
}

const elements: Readonly<Record<string, (row: 0 | 1) => string>> = {
  YYYY: () => '2026',
  YY: () => '26',
  MMMM: () => 'January',
  MON: () => 'Jan',
  MM: () => '01',
  DD: (row) => `0${row + 1}`,
  DY: (row) => ['Thu', 'Fri'][row] ?? '',
  HH24: (row) => `0${row + 6}`,
  HH12: (row) => `0${row + 6}`,
  HH: (row) => `0${row + 6}`,
  MI: () => '00',
  SS: () => '00',
  FF: () => '000',
  AM: () => 'AM',
  PM: () => 'AM',
};

/** The day of an example row, as a text in a date format of the warehouse. */
export function dayInFormat(format: string, row: 0 | 1): string {
  const pattern = /"([^"]*)"|YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|MI|SS|FF\d?|AM|PM/gi;
  return format.replaceAll(
    pattern,
    (element: string, literal: string | undefined) =>
      literal ?? elements[element.toUpperCase().replace(/^FF\d$/, 'FF')]?.(row) ?? element,
  );
}
