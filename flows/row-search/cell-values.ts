import type { SqlType } from '../../engine/index.ts';
import { parseDecimal } from '../../lib/core/values/decimal.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { dayBeside } from '../pipeline-tests/first-test/examples/row-conditions.ts';
import { yamlQuoted, yamlText } from '../pipeline-tests/files/yaml-text.ts';
import { nodeOf } from './input-tables.ts';
import type { Constant } from './known-constants.ts';

/**
 * A value for a cell in YAML, and why it is tried. Lower ranks are tried first: 0 constants next to the column's
 * name in a pipeline, 1 null, 2 values just beside these constants, 3 other values, 4 texts that a conversion may
 * refuse.
 */
export interface CellValue {
  readonly text: string;
  readonly purpose: string;
  readonly rank: 0 | 1 | 2 | 3 | 4;
}

const wholeTypes: ReadonlySet<SqlType['name']> = new Set(['SMALLINT', 'INTEGER', 'BIGINT']);
const day = /^\d{4}-\d{2}-\d{2}/;

export function isNumeric({ name }: SqlType): boolean {
  return name === 'NUMBER' || name === 'FLOAT' || wholeTypes.has(name);
}

function isTime({ name }: SqlType): boolean {
  return name === 'DATE' || name === 'TIMESTAMP' || name === 'TIMESTAMP_TZ';
}

/** A text as a value of a type, in YAML; undefined if it is not a value of the type. */
export function writtenAs(raw: string, type: SqlType): string | undefined {
  if (isNumeric(type)) {
    const number = parseDecimal(raw);
    if (number === undefined || !/^-?\d+(?:\.\d+)?$/.test(raw)) return undefined;
    const scale = type.name === 'NUMBER' ? type.scale : type.name === 'FLOAT' ? 15 : 0;
    const digits = raw.replace(/^-/, '').split('.')[0]?.replace(/^0+/, '').length ?? 0;
    const maxDigits = type.name === 'NUMBER' ? type.precision - type.scale : type.name === 'SMALLINT' ? 4 : 9;
    return number.scale <= scale && digits <= Math.min(maxDigits, 15) ? raw : undefined;
  }
  switch (type.name) {
    case 'BOOLEAN':
      return /^(?:true|false)$/i.test(raw) ? raw.toLowerCase() : undefined;
    case 'DATE':
      return day.test(raw) ? yamlQuoted(raw.slice(0, 10)) : undefined;
    case 'TIMESTAMP':
    case 'TIMESTAMP_TZ':
      return /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?$/.test(raw)
        ? yamlQuoted(raw.length === 10 ? `${raw} 00:00:00` : raw.replace('T', ' '))
        : undefined;
    case 'TIME':
      return /^\d{2}:\d{2}:\d{2}$/.test(raw) ? yamlQuoted(raw) : undefined;
    case 'VARCHAR':
      return raw.length <= (type.length ?? Infinity) && !/[\n\r]/.test(raw) ? yamlText(raw) : undefined;
    case 'NUMBER':
    case 'FLOAT':
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
    case 'BINARY':
    case 'VARIANT':
    case 'NULL':
      return undefined;
  }
}

/** The text of a scalar cell without quotes; undefined for null, a list or a map. */
export function rawOf(cell: string): string | undefined {
  const node = nodeOf(cell);
  if (node.kind !== 'scalar' || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.text;
}

/** A value just beside another one: the number plus a step in its last digit, the next day, a longer text. */
export function beside(raw: string, type: SqlType, step: 1 | -1): string | undefined {
  if (isNumeric(type)) {
    const number = parseDecimal(raw);
    if (number === undefined) return undefined;
    // A border of 10 in a column with two decimal places is between 9.99 and 10.01.
    const scale = type.name === 'NUMBER' ? Math.min(type.scale, Math.max(number.scale, 2)) : number.scale;
    const units = number.units * 10n ** BigInt(Math.max(0, scale - number.scale)) + BigInt(step);
    return decimalText(units, Math.max(scale, number.scale));
  }
  if (isTime(type) && day.test(raw)) return `${dayBeside(raw.slice(0, 10), step)}${raw.slice(10)}`;
  if (type.name !== 'VARCHAR') return undefined;
  if (/^-?\d{1,9}$/.test(raw)) return String(Number(raw) + step);
  if (day.test(raw)) return `${dayBeside(raw.slice(0, 10), step)}${raw.slice(10)}`;
  return step === 1 ? `${raw}X` : undefined;
}

function decimalText(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const split = digits.length - scale;
  const decimals = digits.slice(split).replace(/0+$/, '');
  return `${sign}${digits.slice(0, split)}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * The values to try in a column instead of the one in a row: first constants and the values beside them, then null,
 * then values of the type.
 */
export function otherValues(
  cell: string,
  type: SqlType,
  constants: readonly Constant[],
): readonly CellValue[] {
  const texts = constants.map(({ value }) => value);
  if (type.name === 'VARIANT') return otherDocuments(cell, texts);
  const values = new Map<string, CellValue>();
  const add = (raw: string | undefined, purpose: string, rank: CellValue['rank']) => {
    const text = raw === undefined ? undefined : writtenAs(raw, type);
    if (text !== undefined && text !== cell && !values.has(text)) values.set(text, { text, purpose, rank });
  };
  for (const { value, isNear } of constants) add(value, `exactly ${value}`, isNear ? 0 : 3);
  if (cell !== 'null') values.set('null', { text: 'null', purpose: 'null', rank: 1 });
  for (const { value, isNear } of constants) {
    add(beside(value, type, 1), `just above ${value}`, isNear ? 2 : 3);
    add(beside(value, type, -1), `just below ${value}`, isNear ? 2 : 3);
  }
  const raw = rawOf(cell) ?? texts.find((text) => writtenAs(text, type) !== undefined);
  if (cell === 'null') add(raw ?? '1', 'not null', 1);
  const isNumberText = type.name === 'VARCHAR' && /^-?\d|^$/.test(raw ?? '');
  for (const [other, purpose] of plainValues(raw, type))
    add(other, purpose, isNumberText && !/^-?\d/.test(other) ? 4 : 3);
  return [...values.values()].toSorted((a, b) => a.rank - b.rank);
}

function plainValues(raw: string | undefined, type: SqlType): readonly (readonly [string, string])[] {
  if (isNumeric(type)) {
    const hasFraction = type.name === 'FLOAT' || (type.name === 'NUMBER' && type.scale > 0);
    return [
      ['0', 'zero'],
      ['-1', 'a negative number'],
      ...(hasFraction ? [['0.5', 'a fraction'] as const, ['2.25', 'a fraction'] as const] : []),
      ['7', 'another number'],
      ['1000', 'a large number'],
    ];
  }
  switch (type.name) {
    case 'BOOLEAN':
      return [
        ['true', 'true'],
        ['false', 'false'],
      ];
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIMESTAMP_TZ': {
      const known = raw ?? '2026-01-01';
      const time = known.slice(10);
      return [
        [`${dayBeside(known.slice(0, 10), 1)}${time}`, 'the next day'],
        [`${dayBeside(known.slice(0, 10), -1)}${time}`, 'the day before'],
        [`2024-02-29${time}`, 'another year'],
        [`2030-11-15${time}`, 'much later'],
        ...(type.name === 'DATE' ? [] : [[`${known.slice(0, 10)} 23:59:59`, 'the end of the day'] as const]),
      ];
    }
    case 'TIME':
      return [
        ['00:00:00', 'midnight'],
        ['23:59:59', 'the end of the day'],
      ];
    case 'VARCHAR': {
      const known = raw ?? 'a';
      const numbers = /^-?\d+(?:\.\d+)?$/.test(known)
        ? ([
            ['0', 'zero'],
            ['-1', 'a negative number'],
            ['7', 'another number'],
          ] as const)
        : [];
      return [
        ['', 'an empty text'],
        [known.toUpperCase() === known ? known.toLowerCase() : known.toUpperCase(), 'other case'],
        ...numbers,
        [` ${known} `, 'blanks around it'],
        ['other', 'another text'],
      ];
    }
    case 'NUMBER':
    case 'FLOAT':
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
    case 'BINARY':
    case 'VARIANT':
    case 'NULL':
      return [];
  }
}

/** Semi-structured values with one part changed. */
function otherDocuments(cell: string, constants: readonly string[]): readonly CellValue[] {
  const values = new Map<string, string>();
  const root = nodeOf(cell);
  const visit = (node: YamlNode, path: string, put: (text: string) => string) => {
    const add = (text: string, purpose: string) => values.set(put(text), `${path}: ${purpose}`);
    if (node.kind === 'map') {
      const entries = [...node.entries].map(([key, { value }]) => [key, flowText(value)] as const);
      for (const [index, [key, { value }]] of [...node.entries].entries()) {
        const withPart = (text: string | undefined) =>
          put(
            mapText(
              entries.flatMap(([name, own], at) =>
                at !== index ? [[name, own]] : text === undefined ? [] : [[name, text]],
              ),
            ),
          );
        values.set(withPart(undefined), `without ${path === '' ? '' : `${path}.`}${key}`);
        visit(value, path === '' ? key : `${path}.${key}`, withPart);
      }
    } else if (node.kind === 'list') {
      add('[]', 'an empty list');
      const items = node.items.map(flowText);
      const [first] = node.items;
      if (first !== undefined) {
        add(`[${[...items, flowText(first)].join(', ')}]`, 'an item twice');
        visit(first, path, (text) => put(`[${[text, ...items.slice(1)].join(', ')}]`));
      }
    } else if (path !== '') {
      const isNumber = typeof node.value === 'number';
      add('null', 'null');
      for (const constant of constants) {
        const isPlain = isNumber && /^-?\d+(?:\.\d+)?$/.test(constant);
        if (isPlain || typeof node.value === 'string')
          add(isPlain ? constant : yamlQuoted(constant), `exactly ${constant}`);
      }
      add(isNumber ? '7' : "'other'", 'another value');
    }
  };
  visit(root, '', (text) => text);
  values.set('null', 'null');
  values.delete(flowText(root));
  return Array.from(
    values,
    ([text, purpose]) => ({ text, purpose, rank: purpose === 'null' ? 1 : 3 }) as const,
  ).slice(0, maxDocuments);
}

/** Documents have many parts. */
const maxDocuments = 60;

/** A value in YAML on one line. */
export function flowText(node: YamlNode): string {
  if (node.kind === 'list') return `[${node.items.map(flowText).join(', ')}]`;
  if (node.kind === 'map')
    return mapText([...node.entries].map(([key, { value }]) => [key, flowText(value)] as const));
  if (typeof node.value === 'string') return yamlText(node.value);
  return node.value === null ? 'null' : node.text;
}

function mapText(entries: readonly (readonly string[])[]): string {
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key = '', text = '']) => `${yamlText(key)}: ${text}`).join(', ')} }`;
}
