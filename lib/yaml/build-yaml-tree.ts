import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { withoutEndBlanks } from './text-position.ts';
import type { YamlEntry, YamlNode, YamlScalar } from './yaml-node.ts';

/** Deeper than any real file; prevents a stack overflow in later recursions. */
const maxDepth = 100;

export const tooDeepMessage = `The values are nested more than ${maxDepth} levels deep`;
/** Maximum number of nodes that aliases may add. A few lines of nested aliases could expand to billions. */
const maxAliasedNodes = 10_000;

export interface TreeFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

const mergeKeyMessage =
  'A merge key "<<" is not part of YAML 1.2: write its keys here, or quote it if it is a name';

const halfCharacterMessage = (half: string): string =>
  `The escape ${half} is only half of a character: write the character itself, or both halves`;

interface Anchored {
  readonly node: YamlNode;
  /** Number of nodes, with aliases expanded. */
  readonly size: number;
  /** Whether it would be a merge key if it were used as a key. */
  readonly isMerge: boolean;
}

/**
 * Builds the tree of a parsed document and collects the problems that the parser does not check: duplicate keys,
 * aliases and merge keys.
 */
export function buildYamlTree(
  document: Document.Parsed,
  text: string,
): {
  root: YamlNode | undefined;
  faults: TreeFault[];
} {
  const builder = new TreeBuilder(text);
  const root = document.contents === null ? undefined : builder.build(document.contents, 0);
  return { root, faults: builder.faults };
}

class TreeBuilder {
  readonly faults: TreeFault[] = [];
  /** Anchors up to this point of the file: a later one of the same name replaces an earlier one. */
  readonly #anchors = new Map<string, Anchored | 'open'>();
  readonly #text: string;
  #size = 0;
  #aliased = 0;

  constructor(text: string) {
    this.#text = text;
  }

  build(node: unknown, depth: number, place = 0): YamlNode {
    if (!isNode(node)) return empty(place);
    const [start, end] = spanOf(node, place);
    if (depth > maxDepth) return this.#refuse(tooDeepMessage, start, end);
    if (isAlias(node)) return this.#alias(node.source, start, end);
    const { anchor } = node as { anchor?: string };
    const before = this.#size;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    this.#size += 1;
    const built = this.#content(node, depth, start, end);
    if (anchor === undefined) return built;
    const size = this.#size - before;
    this.#anchors.set(anchor, { node: built, size, isMerge: isPlainMerge(node) });
    return { ...built, anchor };
  }

  #content(node: Node, depth: number, start: number, end: number): YamlNode {
    if (isScalar(node)) {
      const last = node.type?.startsWith('BLOCK') ? withoutEndBlanks(this.#text, start, end) : end;
      const half = halfCharacter(node.value);
      if (half !== undefined) this.#fault(halfCharacterMessage(half), start, last);
      return scalar(node.value, node.source, start, last);
    }
    if (isSeq(node)) {
      const items = this.#items(node, depth, start);
      return { kind: 'list', items, start, end: node.flow === true ? end : (items.at(-1)?.end ?? start) };
    }
    if (isMap(node)) {
      const { entries, last } = this.#entries(node, depth, start);
      return { kind: 'map', entries, start, end: node.flow === true ? end : last };
    }
    return empty(start);
  }

  #items(node: YAMLSeq, depth: number, place: number): YamlNode[] {
    return node.items.map((item) => this.build(item, depth + 1, place));
  }

  #entries(node: YAMLMap, depth: number, place: number): { entries: Map<string, YamlEntry>; last: number } {
    const entries = new Map<string, YamlEntry>();
    let last = place;
    for (const pair of node.items) {
      const key = this.build(pair.key, depth + 1, place);
      const built = this.build(pair.value, depth + 1, key.end);
      // A bare `key:` has no value with a position; the key's position is used.
      const value = built.start === built.end ? { ...built, start: key.start, end: key.end } : built;
      last = value.end;
      if (this.#isMerge(pair.key)) this.#fault(mergeKeyMessage, key.start, key.end);
      if (key.kind !== 'scalar') this.#fault('A key must be a single value', key.start, key.end);
      else if (entries.has(key.text)) this.#fault(`The key "${key.text}" appears twice`, key.start, key.end);
      else entries.set(key.text, { key, value });
    }
    return { entries, last };
  }

  /** In YAML 1.1, the key `<<` adds the keys of another map. Review, engine and tests would see a key with this name. */
  #isMerge(key: unknown): boolean {
    if (!isAlias(key)) return isPlainMerge(key);
    const target = this.#anchors.get(key.source);
    return typeof target === 'object' && target.isMerge;
  }

  #alias(name: string, start: number, end: number): YamlNode {
    const target = this.#anchors.get(name);
    if (target === undefined)
      return this.#refuse(`The alias *${name} has no anchor &${name} before it`, start, end);
    if (target === 'open')
      return this.#refuse(`The alias *${name} is inside its own anchor &${name}`, start, end);
    this.#size += target.size;
    this.#aliased += target.size;
    if (this.#aliased > maxAliasedNodes)
      return this.#refuse('The aliases (*name) of this file expand to too many values', start, end);
    return { ...target.node, start, end, alias: name };
  }

  #refuse(message: string, start: number, end: number): YamlScalar {
    this.#fault(message, start, end);
    return empty(start);
  }

  #fault(message: string, start: number, end: number): void {
    // One alias bomb or deep nesting would otherwise produce thousands of equal problems.
    if (this.faults.length < 20) this.faults.push({ message, start, end });
  }
}

function spanOf(node: Node, place: number): readonly [number, number] {
  const { range } = node;
  return range === null || range === undefined ? [place, place] : [range[0], range[1]];
}

function isPlainMerge(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.source === '<<';
}

/** The first escape without its other half, such as `\ud83d`: UTF-8 has no bytes for it, so it would become U+FFFD. */
function halfCharacter(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.isWellFormed()) return undefined;
  const [half = ''] = /\p{Surrogate}/u.exec(value) ?? [];
  return `\\u${half.charCodeAt(0).toString(16)}`;
}

function empty(place: number): YamlScalar {
  return { kind: 'scalar', value: null, text: '', start: place, end: place };
}

function scalar(value: unknown, source: string | undefined, start: number, end: number): YamlScalar {
  const primitive =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  return {
    kind: 'scalar',
    value: primitive,
    text: source ?? (primitive === null ? '' : String(primitive)),
    start,
    end,
  };
}
