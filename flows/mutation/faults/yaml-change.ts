import { writtenSpans } from '../../../engine/index.ts';
import { isSameValue } from '../../../lib/yaml/compare-values.ts';
import { quoted, scalarEditor } from '../../../lib/yaml/edit-scalar.ts';
import { entryAt, readYaml, type YamlPath, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import { childOf, isShared, type YamlNode, type YamlScalar } from '../../../lib/yaml/yaml-node.ts';
import { type TextEdit, withEdits } from './fault.ts';

/** A change of one value of a YAML file. */
export type YamlChange =
  /** Another text. */
  | { readonly path: YamlPath; readonly text: string }
  /** Other parts of a text; the offsets count from the start of the text. */
  | { readonly path: YamlPath; readonly parts: readonly TextEdit[] }
  /** An item of a list left out. */
  | { readonly path: YamlPath; readonly without: number }
  /** A text as a list of texts. */
  | { readonly path: YamlPath; readonly list: readonly string[] }
  /** Another key of a map, for the last step of the path. It must be the last change. */
  | { readonly path: YamlPath; readonly key: string };

/**
 * The edits of a file after which it is read with exactly these changes; undefined if that is not possible, for
 * example because an anchor shares the value.
 */
export function editsOf(source: YamlSource, changes: readonly YamlChange[]): readonly TextEdit[] | undefined {
  const editLists: (readonly TextEdit[])[] = [];
  for (const change of changes) {
    const own = editsOfOne(source, change);
    if (own === undefined) return undefined;
    editLists.push(own);
  }
  const edits = editLists.flat();
  // To read a large file again for each of its changes would take longer than the tests.
  const isSure = changes.every((change, index) => isReadAlone(source, change, editLists[index] ?? []));
  return isSure || isReadAsChanged(source, changes, edits) ? edits : undefined;
}

/** Whether a change is certain without the rest of the file: a text in quotation marks, one word, or a row without an anchor. */
function isReadAlone(source: YamlSource, change: YamlChange, edits: readonly TextEdit[]): boolean {
  const node = entryAt(source.root, change.path)?.value;
  if (node === undefined || 'key' in change || 'list' in change) return false;
  if (change.path.some((_, index) => isShared(entryAt(source.root, change.path.slice(0, index))?.value)))
    return false;
  if ('without' in change) return node.kind === 'list' && !hasShared(node);
  if (node.kind !== 'scalar') return false;
  const written = source.text.slice(node.start, node.end);
  const isPlainWord = 'text' in change && /^[\w./ -]*$/.test(written);
  if (!isPlainWord && !/^["']/.test(written)) return false;
  const moved = edits.map(({ start, end, text }) => ({
    start: start - node.start,
    end: end - node.start,
    text,
  }));
  const { root, problems } = readYaml(`v: ${withEdits(written, moved)}`, { file: source.file });
  const value = childOf(root, 'v');
  return problems.length === 0 && value?.kind === 'scalar' && value.text === textAfter(node, change);
}

function hasShared(node: YamlNode): boolean {
  if (isShared(node)) return true;
  if (node.kind === 'list') return node.items.some(hasShared);
  return (
    node.kind === 'map' &&
    [...node.entries.values()].some(({ key, value }) => isShared(key) || hasShared(value))
  );
}

/** Reads the whole file again. */
function isReadAsChanged(
  source: YamlSource,
  changes: readonly YamlChange[],
  edits: readonly TextEdit[],
): boolean {
  const expected = changes.reduce(
    (root, change) =>
      root &&
      ('key' in change
        ? replaceAt(root, change.path.slice(0, -1), (node) => renamed(node, change))
        : replaceAt(root, change.path, (node) => changed(node, change, source))),
    source.root,
  );
  const after = readYaml(withEdits(source.text, edits), { file: source.file });
  return after.problems.length === 0 && isSameValue(expected, after.root);
}

function editsOfOne(source: YamlSource, change: YamlChange): readonly TextEdit[] | undefined {
  const entry = entryAt(source.root, change.path);
  const node = entry?.value;
  if (node === undefined || isShared(node) || isShared(entry?.key)) return undefined;
  if ('key' in change) return entry && [{ start: entry.key.start, end: entry.key.end, text: change.key }];
  if ('list' in change) {
    const text = `[${change.list.map((item) => quoted(item, '"')).join(', ')}]`;
    return [{ start: node.start, end: node.end, text }];
  }
  if ('without' in change) return withoutItem(source, node, change.without);
  if (node.kind !== 'scalar') return undefined;
  if ('text' in change) {
    const { start, end } = node;
    // A number stays a number.
    if (isPlainNumber(node) && isNumber(change.text)) return [{ start, end, text: change.text }];
    const text = scalarEditor(source, node)(change.text)?.text;
    return text === undefined ? undefined : [{ start, end, text }];
  }
  const spanOf = spansIn(node, source);
  const quote = /^["']/.exec(source.text.slice(node.start, node.end))?.[0];
  const edits: TextEdit[] = [];
  for (const part of change.parts) {
    const span = spanOf(part.start, part.end);
    if (span === undefined) return undefined;
    // Without the quotation marks that the text is in.
    const text = quote === undefined ? part.text : quoted(part.text, quote).slice(1, -1);
    edits.push({ ...span, text: part.text === '' ? '' : text });
  }
  return edits;
}

const knownSpans = new WeakMap<YamlScalar, ReturnType<typeof writtenSpans>>();

/** The places in the file of the parts of a text. They are computed once for all changes of the text. */
export function spansIn(node: YamlScalar, source: YamlSource): ReturnType<typeof writtenSpans> {
  const spanOf = knownSpans.get(node) ?? writtenSpans(node, source);
  knownSpans.set(node, spanOf);
  return spanOf;
}

function isPlainNumber(node: YamlScalar): boolean {
  return typeof node.value === 'number' && isNumber(node.text);
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
}

function withoutItem({ text }: YamlSource, list: YamlNode, index: number): readonly TextEdit[] | undefined {
  if (list.kind !== 'list') return undefined;
  const [item, before, next] = [list.items[index], list.items[index - 1], list.items[index + 1]];
  if (item === undefined || isShared(item)) return undefined;
  if (text[list.start] === '[') {
    if (next !== undefined) return [{ start: item.start, end: next.start, text: '' }];
    return [{ start: before?.end ?? item.start, end: item.end, text: '' }];
  }
  // In a block, the item has its lines, from its dash on.
  const lineStart = text.lastIndexOf('\n', item.start) + 1;
  if (!/^ *- *$/.test(text.slice(lineStart, item.start))) return undefined;
  const end = item.end > lineStart ? text.indexOf('\n', Math.max(item.end - 1, item.start)) : -1;
  return [{ start: lineStart, end: end < 0 ? text.length : end + 1, text: '' }];
}

function renamed(node: YamlNode, { path, key }: { readonly path: YamlPath; readonly key: string }): YamlNode {
  if (node.kind !== 'map') return node;
  const old = String(path.at(-1));
  return {
    ...node,
    entries: new Map([...node.entries].map(([name, entry]) => [name === old ? key : name, entry])),
  };
}

function changed(
  node: YamlNode,
  change: Exclude<YamlChange, { readonly key: string }>,
  { text: file }: YamlSource,
): YamlNode {
  if ('list' in change) {
    const { start, end } = node;
    const items = change.list.map((text) => ({ kind: 'scalar', value: text, text, start, end }) as const);
    return { kind: 'list', items, start, end };
  }
  if ('without' in change) {
    if (node.kind !== 'list') return node;
    const items = node.items.filter((_, index) => index !== change.without);
    // A block list without items is a bare key.
    if (items.length > 0 || file[node.start] === '[') return { ...node, items };
    return { kind: 'scalar', value: null, text: '', start: node.start, end: node.end };
  }
  if (node.kind !== 'scalar') return node;
  const text = textAfter(node, change);
  return { ...node, text, value: isPlainNumber(node) && isNumber(text) ? Number(text) : text };
}

function textAfter(
  { text }: YamlScalar,
  change: Extract<YamlChange, { readonly text: string } | { readonly parts: unknown }>,
): string {
  return 'text' in change ? change.text : withEdits(text, change.parts);
}

function replaceAt(root: YamlNode, path: YamlPath, replace: (node: YamlNode) => YamlNode): YamlNode {
  const [step, ...rest] = path;
  if (step === undefined) return replace(root);
  if (root.kind === 'list')
    return {
      ...root,
      items: root.items.map((item, index) =>
        index === Number(step) ? replaceAt(item, rest, replace) : item,
      ),
    };
  if (root.kind === 'scalar') return root;
  return {
    ...root,
    entries: new Map(
      [...root.entries].map(([key, entry]) => [
        key,
        key === String(step) ? { ...entry, value: replaceAt(entry.value, rest, replace) } : entry,
      ]),
    ),
  };
}
