import type { Edit } from '../../../lib/core/outcomes/finding.ts';
import { applyEdits } from '../../../lib/yaml/apply-edits.ts';
import { differsOnlyAt, isSameValue } from '../../../lib/yaml/compare-values.ts';
import { entryAt, readYaml, type YamlPath, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import { isShared, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { TestPlace } from '../files/test-file.ts';

/** A value in a test file that `--update` replaces. */
export interface Change {
  readonly path: YamlPath;
  /** What the value is, for messages: `the rows of table "orders"`. */
  readonly subject: string;
  /** The value as it must be read again. */
  readonly newValue: YamlNode;
  /** Whether a test that reads the new value compares it as equal to what was found. */
  readonly isExact: boolean;
  /** How it is written in place of a value of the file. */
  readonly write: (replaced: YamlNode, source: YamlSource) => string | Written;
}

/**
 * The text that replaces a value and what follows it up to the offset `end`; or the offset of a comment that would
 * be lost.
 */
export type Written = { readonly text: string; readonly end: number } | { readonly lost: number };

/** A value that was left unchanged, with the reason. */
export interface LeftChange extends TestPlace {
  readonly message: string;
}

/**
 * Changes values in a file, then reads the result: each changed value must be the new one, and everything else must
 * be as before. Changes for which this fails are left out, with the reason.
 */
export function updateFile(
  source: YamlSource,
  changes: readonly Change[],
): { readonly text: string; readonly left: readonly LeftChange[] } {
  const newValues = new Map(changes.map(({ path, newValue }) => [keyOf(path), newValue]));
  const hasNewValue = (path: YamlPath, value: YamlNode | undefined) => {
    const newValue = newValues.get(keyOf(path));
    return newValue !== undefined && isSameValue(newValue, value);
  };
  /** The file with some of the changes; undefined if reading it again shows that more or less would change. */
  const withChanges = (before: YamlSource, made: readonly Change[]): YamlSource | undefined => {
    const edits = made.flatMap((change) => editOf(change, before) ?? []);
    const after = readYaml(applyEdits(before.text, edits).text, { file: before.file });
    const isMade = made.every(({ path }) => hasNewValue(path, entryAt(after.root, path)?.value));
    const isSafe = after.problems.length === 0 && differsOnlyAt(before.root, after.root, hasNewValue);
    return isMade && isSafe ? after : undefined;
  };
  const placed = changes
    .map((change) => ({ change, node: entryAt(source.root, change.path)?.value }))
    .toSorted((a, b) => (a.node?.start ?? 0) - (b.node?.start ?? 0));
  const ordered = placed.map(({ change }) => change);
  const all = placed.some(({ node, change }) => isShared(node) || !change.isExact)
    ? undefined
    : withChanges(source, ordered);
  if (all !== undefined) return { text: all.text, left: [] };
  // One by one: a change of the value at an anchor may already change the value of its alias.
  let current = source;
  const left: LeftChange[] = [];
  for (const change of ordered) {
    if (change.isExact && hasNewValue(change.path, entryAt(current.root, change.path)?.value)) continue;
    const next = change.isExact ? withChanges(current, [change]) : undefined;
    if (next === undefined) left.push(leftChange(change, source));
    else current = next;
  }
  return { text: current.text, left };
}

function keyOf(path: YamlPath): string {
  return JSON.stringify(path.map(String));
}

function editOf({ path, write }: Change, source: YamlSource): Edit | undefined {
  const node = entryAt(source.root, path)?.value;
  if (node === undefined) return undefined;
  const written = write(node, source);
  if (typeof written === 'string') return { ...source.toRange(node), text: written };
  if ('lost' in written) return undefined;
  return { ...source.toRange({ start: node.start, end: written.end }), text: written.text };
}

/** Whether a value has an anchor or an alias inside. */
function hasShared(node: YamlNode | undefined): boolean {
  if (node === undefined || isShared(node)) return node !== undefined;
  if (node.kind === 'scalar') return false;
  if (node.kind === 'list') return node.items.some(hasShared);
  return [...node.entries.values()].some(({ key, value }) => isShared(key) || hasShared(value));
}

function leftChange({ path, subject, write }: Change, source: YamlSource): LeftChange {
  // For a value inside of an alias, report the alias: the value itself is in another part of the file.
  const steps = path.map((_, index) => path.slice(0, index + 1));
  const alias = steps.find((part) => entryAt(source.root, part)?.value.alias !== undefined);
  const { line, column } = source.keyRangeOf(alias ?? path) ?? { line: 1, column: 1 };
  const node = entryAt(source.root, path)?.value;
  const written = node && write(node, source);
  if (typeof written === 'object' && 'lost' in written) {
    const at = source.toRange({ start: written.lost, end: written.lost + 1 });
    const lost = `--update left ${subject} unchanged, because the comment in line ${at.line} would be lost. Move the comment above the rows, or correct the rows by hand.`;
    return { file: source.file, line: at.line, column: at.column, message: lost };
  }
  const isInShared = steps.some((part) => isShared(entryAt(source.root, part)?.value));
  const reason =
    isInShared || hasShared(entryAt(source.root, path)?.value)
      ? 'an anchor (&) or an alias (*) shares this part of the file with another one. Write it out here, then run --update again'
      : 'a test would read another value from the file than the one that was found. Correct the expectation by hand';
  const message = `--update left ${subject} unchanged, because ${reason}.`;
  return { file: source.file, line, column, message };
}
