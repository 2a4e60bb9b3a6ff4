import { visibleText } from '../../../lib/core/text/visible-text.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { describeType, warehouseType } from '../catalog/column-types.ts';

type Rule = readonly [pattern: RegExp, reason: (groups: Groups, kind: WarehouseKind) => string];
type Groups = Readonly<Record<string, string>>;

const from = String.raw`(?: when casting from source column (?<column>.+))?$`;

/**
 * DuckDB's messages about values, types and names, rewritten in the terms of the warehouse's SQL. DuckDB's names of
 * types, its advice and the names that the engine gives to relations would mean nothing to the user.
 */
const rules: readonly Rule[] = [
  [
    new RegExp(String.raw`^Could not convert string (["'])(?<text>.*)\1 to (?<type>[\w(),]+)${from}`, 's'),
    ({ text = '', type = '', column }, kind) => `${notOfType(text, type, kind)}${ofColumn(column)}`,
  ],
  // Says what the user wrote, in several lines if the text has them.
  [/^(?<whole>Millrace does not support .*)$/s, ({ whole = '' }) => whole],
  [
    /^invalid (?<what>date|timestamp|time) field format: "(?<text>.*)", expected format is \((?<format>.*)\)$/s,
    ({ what = '', text = '' }) => `the text '${text}' is not a ${what}: expected ${formats[what] ?? what}`,
  ],
  [
    /^(?<what>date|timestamp|time)(?: field value)? out of range: "(?<text>.*)"/s,
    ({ what = '', text = '' }) => `the text '${text}' is not a ${what}: a part of it is out of range`,
  ],
  [
    /^Could not parse string "(?<text>.*)" according to format specifier "/s,
    ({ text = '' }) => `the text '${text}' does not have the given format`,
  ],
  [
    new RegExp(
      String.raw`^Casting value "(?<value>.*)" to type (?<type>[\w(),]+) failed: value is out of range!?${from}`,
    ),
    outOfRange,
  ],
  [
    new RegExp(String.raw`^Failed to cast decimal value (?<value>\S+) to type (?<type>[\w(),]+)${from}`),
    outOfRange,
  ],
  [
    new RegExp(
      String.raw`^Type \w+(?:\([\d,]+\))? with value (?<value>.+) can't be cast because the value is out of range for the destination type (?<type>[\w(),]+)${from}`,
    ),
    outOfRange,
  ],
  [
    new RegExp(String.raw`^Could not cast value (?<value>\S+) to (?<type>DECIMAL\(\d+,\d+\))${from}`),
    outOfRange,
  ],
  [
    /^Overflow in (?<operation>\w+) of (?<type>\w+)/,
    ({ operation = '', type = '' }, kind) =>
      `overflow: the result of the ${operation.replace(/^subtract$/, 'subtraction')} ${type === 'DECIMAL' ? 'has more than 38 digits' : rangeOf(type, kind)}`,
  ],
  [/^Overflow in HUGEINT addition/, () => 'overflow: the result of SUM has more than 38 digits'],
  [/^SUM is out of range/, () => 'overflow: the sum is out of range'],
  [/^Date and time not in timestamp range/, () => 'the date is out of range'],
  [
    /^column "?(?<column>.+?)"? must appear in the GROUP BY clause/,
    ({ column = '' }) => `the column "${column}" must be listed in GROUP BY or be in an aggregate function`,
  ],
  [
    /^(?<clause>[A-Z ]+) clause cannot contain (?<what>aggregates|window functions)!?/,
    ({ clause = '', what = '' }) =>
      `${clause} cannot contain ${what === 'aggregates' ? 'aggregate functions' : what}`,
  ],
  [/^Table with name (?<table>.+?) does not exist!/, ({ table = '' }) => `table "${table}" not found`],
  [
    /^Column with name (?<column>.+) already exists!/,
    ({ column = '' }) => `column "${column}" exists already`,
  ],
  [
    /^Schema with name "?(?<schema>.+?)"? already exists!/,
    ({ schema = '' }) => `the schema ${schema} exists already`,
  ],
  [
    /^(?<what>Schema|Sequence) with name "?(?<name>.+?)"? does not exist!/,
    ({ what = '', name = '' }) => `${what.toLowerCase()} "${name}" not found`,
  ],
  [
    /^NOT NULL constraint failed: (?<table>.+)\.(?<column>[^.]+)$/,
    ({ table = '', column = '' }) =>
      `NULL is not allowed: the column "${column}" of the table "${table}" is NOT NULL`,
  ],
  [
    /^Malformed JSON: (?<fault>an object contains the same key twice)$/,
    ({ fault = '' }) => `the text is not valid JSON: ${fault}`,
  ],
  [
    /^Malformed JSON(?: at byte \d+ of input)?: .*?(?:, (?<text>".*") is not valid JSON|$)/s,
    ({ text }) => (text === undefined ? 'the text is not valid JSON' : `the text ${text} is not valid JSON`),
  ],
  [
    /^Insufficient padding in (?<name>[LR]PAD)/,
    ({ name = '' }) => `Millrace does not support ${name} with an empty text to pad with`,
  ],
  [
    /^missing (?<missing>\S+): (?<pattern>.*)$/s,
    ({ missing = '', pattern = '' }) => `the regular expression ${pattern} has no closing ${missing}`,
  ],
];

const formats: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM:SS',
  timestamp: 'YYYY-MM-DD HH:MM:SS',
};

/**
 * The reason of an error, taken from a message of DuckDB: its first line, without advice that names DuckDB's settings
 * or functions.
 */
export function reasonOf(message: string, kind: WarehouseKind): string {
  for (const [pattern, reason] of rules) {
    const match = pattern.exec(message);
    if (match !== null) return reason(visibleGroups(match.groups), kind);
  }
  const [first = ''] = message.split('\n');
  return withoutOwnNames(first.replace(/\.? You might want to add .*$/, ''));
}

/** Shows characters that cannot be seen in a text, such as a no-break space. The lines of the text stay. */
function visibleGroups(groups: Readonly<Record<string, string | undefined>> = {}): Groups {
  const shown: Record<string, string> = {};
  for (const [name, text] of Object.entries(groups))
    if (text !== undefined)
      shown[name] = name === 'whole' ? text : text.split('\n').map(visibleText).join('\n');
  return shown;
}

/**
 * Whether a message of DuckDB is about what the user wrote, and so is an error of the warehouse too. `WAREHOUSE_ONE`
 * has no whole types of DuckDB: a number beyond one of them is beyond the engine's own SQL.
 */
export function isKnown(message: string, kind: WarehouseKind): boolean {
  const isOwn =
    kind === 'WAREHOUSE_ONE' && /^(?:Overflow in \w+ of|Casting value|Type) .*\bU?INT\d+\b/.test(message);
  return !isOwn && rules.some(([pattern]) => pattern.test(message));
}

function outOfRange({ value = '', type = '', column }: Groups, kind: WarehouseKind): string {
  return `the number ${value} ${rangeOf(type, kind)}${ofColumn(column)}`;
}

function rangeOf(type: string, kind: WarehouseKind): string {
  const isOwn = kind === 'WAREHOUSE_ONE' && /^U?INT\d+$/.test(type);
  return isOwn ? 'is too large' : `is out of range of ${typeName(type, kind)}`;
}

function notOfType(text: string, type: string, kind: WarehouseKind): string {
  const isNumber = /^[ \t\r\n\f\v]*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?[ \t\r\n\f\v]*$/i.test(text);
  const name = typeName(type, kind);
  const isNumeric = /^(?:NUMBER|DECIMAL|SMALLINT|INTEGER|BIGINT|FLOAT)/.test(name);
  const isWhole = /^(?:SMALLINT|INTEGER|BIGINT)/.test(name);
  if (isWhole && isNumber && /[.e]/i.test(text)) return `the text '${text}' is not a whole number`;
  if (isNumeric && isNumber) return `the text '${text}' is out of range of ${name}`;
  const what = isNumeric ? 'number' : name.toLowerCase();
  return `the text '${text}' is not a ${what}`;
}

/** DuckDB's name of a type, or the one that its errors use, in the words of the warehouse. */
function typeName(type: string, kind: WarehouseKind): string {
  const whole: Readonly<Record<string, string>> = {
    INT8: 'TINYINT',
    INT16: 'SMALLINT',
    INT32: 'INTEGER',
    INT64: 'BIGINT',
    INT128: 'HUGEINT',
    BOOL: 'BOOLEAN',
  };
  return describeType(warehouseType(whole[type] ?? type, kind), kind);
}

const ownName = /^"?(?:[a-z]\d+_|flatten\d+_?|component_\d+|millrace[_ ].*|input_\d+|query)"?$/;

/** A column of the user; the engine's own names are not shown. */
function ofColumn(column: string | undefined): string {
  if (column === undefined) return '';
  const name = (column.split('.').at(-1) ?? column).replaceAll('"', '');
  return ownName.test(name) ? '' : `: the column "${name}"`;
}

/** Names that the engine gave to relations. */
function withoutOwnNames(text: string): string {
  return text
    .replaceAll(/"?\b(?:component_\d+|target_1|source_1|input_\d+|[ctuvqe]\d+_)"?\./g, '')
    .replaceAll(/"?\bmillrace_source"?/g, 'the input');
}
