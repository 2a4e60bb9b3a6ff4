import path from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { isRecord } from '../../lib/core/values/is-record.ts';
import { plainSql } from './plain-sql.ts';

/** YAML without positions, comments, styles and the order of keys. */
export type Plain = null | string | readonly Plain[] | { readonly [key: string]: Plain };

export interface PlainComponent {
  readonly name: string;
  readonly type: string;
  readonly isSkipped: boolean;
  /** What runs or reads next: transitions and iteration targets, or sources; each with its kind. */
  readonly arrows: readonly { readonly kind: string; readonly name: string }[];
  readonly parameters: Plain;
  readonly after: Plain;
}

/** A pipeline read by the library `yaml`. */
export interface PlainPipeline {
  readonly path: string;
  readonly isTransformation: boolean;
  /** Undefined if the file cannot be read: then its whole text counts. */
  readonly components: ReadonlyMap<string, PlainComponent> | undefined;
  readonly variables: Plain;
  readonly text: string;
}

export function isPipeline(file: string): boolean {
  return /\.(?:orch|tran)\.yaml$/.test(file) && !file.split('/').some((part) => part.startsWith('.'));
}

export function readPlainPipeline(file: string, text: string): PlainPipeline {
  const document = parseDocument(text, { logLevel: 'silent', version: '1.1', merge: false });
  const whole = document.errors.length > 0 ? null : plainOf(document.contents, document);
  const pipeline = childIn(whole, 'pipeline');
  const [components, variables] = [childIn(pipeline, 'components'), childIn(pipeline, 'variables')];
  const [type, version] = [childIn(whole, 'type'), childIn(whole, 'version')];
  const isReadable =
    isRecord(pipeline) &&
    (components === null || isRecord(components)) &&
    (type === null || type === 'orchestration' || type === 'transformation') &&
    (version === null || version === '1.0');
  return {
    path: file,
    isTransformation: path.basename(file).endsWith('.tran.yaml'),
    components: isReadable
      ? new Map(entriesOf(components).map(([name, node]) => [name, componentOf(name, node)]))
      : undefined,
    variables,
    text,
  };
}

const arrowKinds = ['success', 'failure', 'unconditional', 'true', 'false'];

function componentOf(name: string, node: Plain): PlainComponent {
  const skipped = childIn(node, 'skipped');
  const transitions = childIn(node, 'transitions');
  const named = (kind: string, list: Plain) =>
    itemsOf(list).flatMap((item) => (typeof item === 'string' ? [{ kind, name: item }] : []));
  return {
    name,
    type: textIn(node, 'type'),
    isSkipped: typeof skipped === 'string' && skipped.toLowerCase() === 'true',
    arrows: [
      ...arrowKinds.flatMap((kind) => named(kind, childIn(transitions, kind))),
      ...named('iteration', childIn(node, 'iterationTarget')),
      ...named('source', childIn(node, 'sources')),
    ],
    parameters: childIn(node, 'parameters'),
    after: childIn(node, 'postProcessing'),
  };
}

/** Where a component has SQL of the warehouse. `isInRows`: in the first cell of each row. */
const sqlPlaces: ReadonlyMap<string, { readonly name: string; readonly isInRows?: boolean }> = new Map(
  Object.entries({
    sql: { name: 'query' },
    'query-to-scalar': { name: 'query' },
    'query-to-grid': { name: 'query' },
    'table-iterator': { name: 'query' },
    'sql-executor': { name: 'sqlScript' },
    'sql-script': { name: 'sqlScript' },
    calculator: { name: 'calculations', isInRows: true },
    join: { name: 'joinExpressions', isInRows: true },
  }),
);

/** The parameters with the tokens of SQL in place of its text. */
export function parametersByMeaning({ type, parameters }: PlainComponent): Plain {
  const place = sqlPlaces.get(type);
  if (place === undefined || !isRecord(parameters)) return parameters;
  const tokens = (value: Plain): Plain => (typeof value === 'string' ? [...plainSql(value)] : value);
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      if (key !== place.name) return [key, value];
      if (place.isInRows === true) return [key, itemsOf(value).map((row) => firstCell(row, tokens))];
      return [key, tokens(value)];
    }),
  );
}

function firstCell(row: Plain, change: (value: Plain) => Plain): Plain {
  if (!Array.isArray(row)) return change(row);
  const [first = null, ...others] = row as readonly Plain[];
  return [change(first), ...others];
}

/** The SQL of a component. */
export function sqlOf({ type, parameters }: PlainComponent): readonly string[] {
  const place = sqlPlaces.get(type);
  if (place === undefined) return [];
  const value = childIn(parameters, place.name);
  const cells = place.isInRows === true ? itemsOf(value).map((row) => itemsOf(row)[0] ?? null) : [value];
  return cells.filter((cell) => typeof cell === 'string');
}

/** All texts of a tree, without keys. */
export function textsIn(node: Plain): readonly string[] {
  if (node === null) return [];
  return typeof node === 'string' ? [node] : Object.values(node).flatMap(textsIn);
}

export function childIn(node: Plain, key: string): Plain {
  return isRecord(node) ? (node[key] ?? null) : null;
}

/** A text below a key; `''` for anything else. */
export function textIn(node: Plain, key: string): string {
  const child = childIn(node, key);
  return typeof child === 'string' ? child : '';
}

export function entriesOf(node: Plain): readonly (readonly [string, Plain])[] {
  return isRecord(node) ? Object.entries(node) : [];
}

function itemsOf(node: Plain): readonly Plain[] {
  if (node === null) return [];
  return Array.isArray(node) ? (node as readonly Plain[]) : [node];
}

const nulls: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

function plainOf(node: unknown, document: Document): Plain {
  if (isAlias(node)) return plainOf(node.resolve(document), document);
  if (isScalar(node)) {
    const text = node.source ?? '';
    return node.type === 'PLAIN' && nulls.has(text) ? null : text;
  }
  if (isSeq(node)) return node.items.map((item) => plainOf(item, document));
  if (!isMap(node)) return null;
  return Object.fromEntries(
    node.items.map(({ key, value }) => {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : String(key);
      return [name, plainOf(value, document)];
    }),
  );
}

/** A text that is equal for equal trees: the order of keys does not count. */
export function spelled(node: Plain): string {
  if (node === null || typeof node === 'string') return JSON.stringify(node);
  if (Array.isArray(node)) return `[${(node as readonly Plain[]).map(spelled).join(',')}]`;
  const entries = Object.entries(node).map(([key, value]) => `${JSON.stringify(key)}:${spelled(value)}`);
  return `{${entries.toSorted().join(',')}}`;
}
