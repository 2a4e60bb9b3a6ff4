import type { Edit } from '../core/outcomes/finding.ts';
import { applyEdits } from './apply-edits.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';
import { LineIndex } from './text-position.ts';
import { type Span, spellingOf, type YamlNode } from './yaml-node.ts';

/** A key, a scalar or an alias, with everything that must stay the same if no edit touches it. */
interface Part extends Span {
  readonly depth: number;
  /** The offset of the key that it is below; -1 at the root. */
  readonly parent: number;
  readonly content: string;
}

/** An edit by offsets of the text before it, with the length of its new text. */
interface Replacement extends Span {
  readonly length: number;
}

/**
 * Applies edits, reads the file again, and returns whether it is valid and everything else keeps its value. For
 * example, an edit of a value with an anchor would also change its aliases.
 */
export function keepsOtherValues(before: YamlSource, edits: readonly Edit[]): boolean {
  const { text, made } = applyEdits(before.text, edits);
  const after = readYaml(text, { file: before.file });
  if (after.problems.length > 0 || made.length < edits.length) return false;
  const lines = new LineIndex(before.text);
  const replacements = edits
    .map((edit) => ({
      start: lines.offset(edit),
      end: lines.offset({ line: edit.endLine, column: edit.endColumn }),
      length: edit.text.length,
    }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const moved = (offset: number) =>
    replacements.reduce(
      (sum, { start, end, length }) => (end <= offset ? sum + length - (end - start) : sum),
      offset,
    );
  const written = writtenSpans(replacements);
  const kept = [...partsOf(before.root)]
    .filter((part) => !replacements.some((replacement) => touches(replacement, part)))
    .map((part) => ({ ...part, start: moved(part.start), parent: moved(part.parent) }));
  const newParts = [...partsOf(after.root)].filter((part) => !written.some((span) => touches(span, part)));
  return (
    kept.length === newParts.length &&
    kept.every(({ start, depth, parent, content }, index) => {
      const other = newParts[index];
      return (
        other?.start === start &&
        other.depth === depth &&
        other.parent === parent &&
        other.content === content
      );
    })
  );
}

/** Where the new texts are in the file with the edits. */
function writtenSpans(replacements: readonly Replacement[]): readonly Span[] {
  let shift = 0;
  return replacements.map(({ start, end, length }) => {
    const written = { start: start + shift, end: start + shift + length };
    shift += length - (end - start);
    return written;
  });
}

/** Whether an edit changes something inside of a part; an edit that ends where the part begins does not. */
function touches(edit: Span, part: Span): boolean {
  return edit.start < part.end && part.start < edit.end;
}

/** The parts in the order of the text. An alias is one part, because what is inside is written elsewhere. */
function* partsOf(node: YamlNode | undefined, depth = 0, parent = -1): Generator<Part> {
  if (node === undefined) return;
  const { start, end } = node;
  if (node.alias !== undefined || node.kind === 'scalar') {
    yield { start, end, depth, parent, content: spellingOf(node) };
  } else if (node.kind === 'list') {
    for (const item of node.items) yield* partsOf(item, depth + 1, parent);
  } else {
    for (const [name, { key, value }] of node.entries) {
      yield { start: key.start, end: key.end, depth, parent, content: `key ${name}` };
      // A bare `key:` has no value of its own, and an edit may add one.
      if (value.start !== key.start) yield* partsOf(value, depth + 1, key.start);
    }
  }
}
