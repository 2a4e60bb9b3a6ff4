import type { Edit } from '../../core/outcomes/finding.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import { isShared, type Span, type YamlNode } from '../../yaml/yaml-node.ts';

/** The edit that removes an item, or a sentence that says why it cannot be removed. */
export type ItemRemoval =
  { readonly fix: Edit; readonly unfixable?: never } | { readonly unfixable: string; readonly fix?: never };

const besideComment: ItemRemoval = {
  unfixable: 'A comment at the entry would be lost. Remove the entry by hand.',
};
const otherForm: ItemRemoval = {
  unfixable:
    'The entry is not a plain item of a list (but an alias, an anchor, or an escaped or multi-line text). Remove it by hand.',
};

/**
 * The edit that removes one item from a list: its line, or its part between commas. The last item of a block list is
 * removed with the key above it. No edit for another form, such as an alias, or if a comment would be removed too.
 */
export function removeItem(source: YamlSource, holder: YamlNode, index: number): ItemRemoval {
  const item = holder.kind === 'list' ? holder.items[index] : undefined;
  if (holder.kind !== 'list' || item === undefined || item.start < holder.start || item.end > holder.end)
    return otherForm;
  const { text } = source;
  if (isShared(holder) || isShared(item)) return otherForm;
  const span =
    text[holder.start] === '[' ? flowSpan(text, holder.items, index) : blockSpan(text, holder.items, item);
  // Removed lines include their line end, which `toRange` would omit.
  return 'start' in span ? { fix: { ...endsOf(source, span), text: '' } } : span;
}

function flowSpan(text: string, items: readonly YamlNode[], index: number): Span | ItemRemoval {
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]];
  if (item === undefined) return otherForm;
  const span =
    before === undefined
      ? { start: item.start, end: after?.start ?? item.end }
      : { start: before.end, end: item.end };
  const around = text.slice(span.start, item.start) + text.slice(item.end, span.end);
  return around.includes('#') ? besideComment : span;
}

function blockSpan(text: string, items: readonly YamlNode[], item: YamlNode): Span | ItemRemoval {
  const lineSpan = lineOf(text, item);
  const line = text.slice(lineSpan.start, lineSpan.end);
  if (!/^[ \t]*-[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"'#&*!|>][^#\n]*)\s*$/.test(line))
    return /^\s+#/.test(text.slice(item.end, lineSpan.end)) ? besideComment : otherForm;
  if (items.length > 1) return lineSpan;
  const above = lineOf(text, { start: lineSpan.start - 1, end: lineSpan.start - 1 });
  const key = text.slice(above.start, above.end);
  if (/^[ \t]*[\w"']+:[ \t]*\r?\n$/.test(key)) return { start: above.start, end: lineSpan.end };
  return key.includes('#') ? besideComment : otherForm;
}

/** From the start of a line to after its line end. */
function lineOf(text: string, { start, end }: Span): Span {
  const last = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: last < 0 ? text.length : last + 1 };
}

function endsOf(source: YamlSource, { start, end }: Span) {
  const from = source.toRange({ start, end: start });
  const to = source.toRange({ start: end, end });
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}
