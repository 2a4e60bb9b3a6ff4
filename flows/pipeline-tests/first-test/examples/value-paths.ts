import { itemsOfShape, partAt, type PathStep, type ValueShape } from './value-shape.ts';

/** The shapes of the columns that a text of SQL names. */
export interface NamedShapes {
  /** The shape of a column, or of an alias. */
  of(name: string): ValueShape;
  /** From now on, a name means a part of another value. */
  bind(name: string, shape: ValueShape): void;
}

const name = String.raw`(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)`;
const column = String.raw`(?:${name}\s*\.\s*)*${name}`;
const base = String.raw`(?:(?:TRY_)?PARSE_JSON\s*\(\s*${column}\s*\)|${column})`;
const index = String.raw`\[\s*(?:\d+|'[^']*')\s*\]`;
const steps = String.raw`(?::(?!:)\s*${name}|${index})(?:(?::(?!:)|\.)\s*${name}|${index})*`;
const cast = String.raw`(?:\s*::\s*([A-Za-z_]+)(?:\s*\([\d\s,]*\))?)?`;

const skipped = String.raw`'(?:[^']|'')*'|--[^\n]*|/\*[^]*?\*/`;
const flattenPattern = new RegExp(
  String.raw`${skipped}|\bFLATTEN\s*\(\s*(?:INPUT\s*=>\s*)?(${base})(${steps})?${cast}([^()]*)\)(?:\s*\))?(?:\s*(?:AS\s+)?(${name}))?`,
  'gi',
);
const pathPattern = new RegExp(String.raw`${skipped}|(${base})(${steps})${cast}|"(?:[^"]|"")*"|[\w$]+`, 'gi');
const aliasPattern = new RegExp(String.raw`${skipped}|(${base})(${steps})?${cast}\s+AS\s+(${name})`, 'gi');
const wholePattern = new RegExp(String.raw`^\s*(${base})(${steps})?${cast}\s*$`, 'i');

/**
 * Records which parts of semi-structured values a text of SQL reads.
 * @param output the column that gets the value of the whole text
 */
export function readValuePaths(sql: string, shapes: NamedShapes, output?: string): void {
  const items = readFlattens(sql, shapes);
  const find = (written: string) => valueOf(written, shapes, items);
  for (const [, from, path = '', type, alias] of sql.matchAll(aliasPattern))
    if (from !== undefined && alias !== undefined) give(plain(alias), partOf(find(from), path), type, shapes);
  const [, whole, inside = '', converted] = (output === undefined ? undefined : wholePattern.exec(sql)) ?? [];
  if (whole !== undefined && output !== undefined)
    give(output, partOf(find(whole), inside), converted, shapes);
  for (const match of sql.matchAll(pathPattern)) {
    const [all, read, path, to] = match;
    if (read === undefined || path === undefined) continue;
    const part = partOf(find(read), path);
    part.type ??= to ?? castAround(sql, match.index, match.index + all.length);
    part.literal ??= /^\s*(?:=|IN\s*\()\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?)\b)/i
      .exec(sql.slice(match.index + all.length))
      ?.slice(1)
      .find((text) => text !== undefined);
  }
}

const dotted = new RegExp(
  String.raw`${skipped}|(\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+)?(?<![\w$".])(${name}(?:\s*\.\s*${name})+)(?!\s*\.\s*[\w$"]|\s*\(|[\w$"])`,
  'gi',
);
const tablePattern = new RegExp(
  String.raw`${skipped}|(?:\b(?:FROM|JOIN)|,)\s*(${column})(?:\s+(?:AS\s+)?(${name}))?`,
  'gi',
);

/**
 * Converts paths in SQL of the second kind of warehouse to the notation of the first: `t.doc.a[0]` becomes
 * `doc:a[0]`.
 */
export function withColons(sql: string): string {
  const tables = new Set(
    [...sql.matchAll(tablePattern)].flatMap(([, table = '', alias = '']) =>
      [table.split('.').at(-1) ?? '', alias].map((text) => plain(text.trim()).toLowerCase()),
    ),
  );
  return sql.replaceAll(dotted, (all, word: string | undefined, names: string | undefined) => {
    if (names === undefined || word !== undefined) return all;
    const parts = [...names.matchAll(new RegExp(name, 'g'))].map(([part]) => part);
    const rest = tables.has(plain(parts[0] ?? '').toLowerCase()) ? parts.slice(1) : parts;
    const [first = '', ...keys] = rest;
    return keys.length === 0 ? all : `${first}:${keys.map((key) => plain(key).toLowerCase()).join('.')}`;
  });
}

/** The items of each FLATTEN by its alias; the items of the last one also by ''. */
function readFlattens(sql: string, shapes: NamedShapes): ReadonlyMap<string, ValueShape> {
  const items = new Map<string, ValueShape>();
  for (const [, from, path = '', , options = '', alias] of sql.matchAll(flattenPattern)) {
    if (from === undefined) continue;
    const [, optionPath] = /\bPATH\s*=>\s*'([^']+)'/i.exec(options) ?? [];
    const list = partOf(
      valueOf(from, shapes, items),
      optionPath === undefined ? path : `${path}:${optionPath}`,
    );
    list.isObject ||= /\bMODE\s*=>\s*'OBJECT'/i.test(options);
    const item = itemsOfShape(list);
    if (alias !== undefined) items.set(plain(alias).toLowerCase(), item);
    items.set('', item);
  }
  return items;
}

/** The value that is read: the item of a FLATTEN, or a column. */
function valueOf(written: string, shapes: NamedShapes, items: ReadonlyMap<string, ValueShape>): ValueShape {
  const parsed = /^(?:TRY_)?PARSE_JSON\s*\(\s*([^]*?)\s*\)$/i.exec(written)?.[1];
  const parts = [...(parsed ?? written).matchAll(new RegExp(name, 'g'))].map(([part]) => plain(part));
  const last = parts.at(-1) ?? '';
  const item = last.toLowerCase() === 'value' ? items.get((parts.at(-2) ?? '').toLowerCase()) : undefined;
  const shape = item ?? shapes.of(last);
  if (parsed !== undefined) shape.isText = true;
  return shape;
}

/** A column gets a value: as it is, or converted to a type. */
function give(output: string, part: ValueShape, type: string | undefined, shapes: NamedShapes): void {
  part.names.add(output);
  if (type === undefined || /^(?:VARIANT|OBJECT|ARRAY)$/i.test(type)) shapes.bind(output, part);
  else part.type ??= type;
}

function partOf(shape: ValueShape, path: string): ValueShape {
  return partAt(shape, stepsOf(path));
}

/** Splits a path such as `:a."b c"[0]['d']` into its steps. */
export function stepsOf(path: string): readonly PathStep[] {
  const pattern = /\[\s*(?:(\d+)|'([^']*)')\s*\]|("(?:[^"]|"")+"|[A-Za-z_][\w$]*)/g;
  return [...path.matchAll(pattern)].map(([, at, key, word = '']) =>
    at === undefined ? (key ?? plain(word)) : Number(at),
  );
}

/** The type of `CAST(… AS type)` or of a function such as TO_NUMBER around a value. */
function castAround(sql: string, begin: number, end: number): string | undefined {
  const before = sql.slice(0, begin);
  const [, converted] =
    /\b(?:TRY_)?TO_(NUMBER|DECIMAL|DATE|TIMESTAMP|BOOLEAN|DOUBLE)\w*\s*\(\s*$/i.exec(before) ?? [];
  if (converted !== undefined) return converted;
  if (!/\bCAST\s*\(\s*$/i.test(before)) return undefined;
  return /^\s+AS\s+([A-Za-z_]+)/i.exec(sql.slice(end))?.[1];
}

/** A name without its quotation marks. */
function plain(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}
