/**
 * A range of offsets in the text. It includes quotation marks and brackets. A block collection ends with its last
 * value, a block text with its last character.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The span of a key or value, which begins after its anchor and tag, and the anchors through which other places
 * share the value.
 */
export interface Shareable extends Span {
  /** The name of an anchor `&name` before the value: each alias `*name` after it has the same value. */
  readonly anchor?: string;
  /** The name of the alias `*name` that is written here in place of the value. The content of the value is elsewhere in the file. */
  readonly alias?: string;
}

export interface YamlScalar extends Shareable {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** As written, without quotes: `1.0` stays `1.0`. Empty for a bare `key:`. */
  readonly text: string;
}

export interface YamlList extends Shareable {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

export interface YamlMap extends Shareable {
  readonly kind: 'map';
  /** In the order of the file; a key is its text as written, whatever its type. */
  readonly entries: ReadonlyMap<string, YamlEntry>;
}

export interface YamlEntry {
  /** The range of the key. */
  readonly key: Shareable;
  readonly value: YamlNode;
}

/** A YAML text as a tree that keeps order, spelling and positions. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

/** Whether a change of a key or value could change other places of the file, or is not possible here. */
export function isShared(part: Shareable | undefined): boolean {
  return part?.anchor !== undefined || part?.alias !== undefined;
}

/** The value of a key in a map; undefined if the node is not a map or does not have the key. */
export function childOf(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** Whether the node is missing, a key without a value, or a written null. */
export function isEmpty(node: YamlNode | undefined): boolean {
  return node === undefined || (node.kind === 'scalar' && node.value === null);
}

/** Whether the node is a null that is written, as `null` or `~`, and not a key without a value. */
export function isWrittenNull(node: YamlNode | undefined): node is YamlScalar {
  return node?.kind === 'scalar' && node.value === null && node.text !== '';
}

/** The text of a scalar as written; undefined for null, lists and maps. */
export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? node.text : undefined;
}

/** The items of a list. A single value counts as a list of one item, an empty value as an empty list. */
export function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  if (node === undefined || isEmpty(node)) return [];
  return node.kind === 'list' ? node.items : [node];
}

/** The node as plain data: objects, arrays, strings, numbers, booleans, null. Aliases share one value. */
export function valueOf(node: YamlNode | undefined): unknown {
  return convert(node, new Map());
}

function convert(node: YamlNode | undefined, converted: Map<unknown, unknown>): unknown {
  if (node === undefined) return null;
  if (node.kind === 'scalar') return node.value;
  const content = node.kind === 'list' ? node.items : node.entries;
  const before = converted.get(content);
  if (before !== undefined) return before;
  const value =
    node.kind === 'list' ? node.items.map((item) => convert(item, converted)) : objectOf(node, converted);
  converted.set(content, value);
  return value;
}

function objectOf(node: YamlMap, converted: Map<unknown, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, entry] of node.entries) {
    const value = convert(entry.value, converted);
    // An assignment to `__proto__` would change the object's prototype instead of adding a key.
    if (key === '__proto__') {
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    } else object[key] = value;
  }
  return object;
}

/**
 * A text that is equal for two values only if type, order and spelling are: `1` and `1.0` differ, as do two numbers of
 * more digits than a number of JavaScript has. Styles and comments do not count.
 */
export function spellingOf(node: YamlNode | undefined): string {
  if (node === undefined) return '';
  if (node.kind === 'scalar')
    return node.value === null ? 'null' : `${typeof node.value} ${JSON.stringify(node.text)}`;
  if (node.kind === 'list') return `[${node.items.map(spellingOf).join(',')}]`;
  const entries = [...node.entries].map(([key, { value }]) => `${JSON.stringify(key)}:${spellingOf(value)}`);
  return `{${entries.join(',')}}`;
}

/** All scalars of a tree, except in the part `except`. Keys do not count. */
export function* scalarsOf(node: YamlNode | undefined, except?: YamlNode): Generator<YamlScalar> {
  if (node === undefined || node === except) return;
  if (node.kind === 'scalar') yield node;
  else if (node.kind === 'list') for (const item of node.items) yield* scalarsOf(item, except);
  else for (const { value } of node.entries.values()) yield* scalarsOf(value, except);
}
