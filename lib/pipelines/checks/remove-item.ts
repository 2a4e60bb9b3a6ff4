import type { Edit } from '../../core/finding.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import type { Span, YamlNode } from '../../yaml/yaml-node.ts';

/** The edit that removes an item, or why there is none, as a sentence. */
export type ItemRemoval =
  { readonly fix: Edit; readonly unfixable?: never } | { readonly unfixable: string; readonly fix?: never };

const besideComment: ItemRemoval = {
  unfixable: 'A comment beside the entry would be lost. Remove the entry by hand.',
};
const otherForm: ItemRemoval = {
  unfixable:
    'The entry is not a plain item of a list (an alias, an anchor, an escaped or a multi-line text). Remove it by hand.',
};

/**
 * The edit that takes one item out of a list: its line, or its place between commas. The last item of a block list
 * goes with the key above it. No edit where the form is another one, such as an alias, or where a comment would go too.
 */
export function removeItem(source: YamlSource, holder: YamlNode, item: YamlNode): ItemRemoval {
  if (holder.kind !== 'list' || item.start < holder.start || item.end > holder.end) return otherForm;
  const { text } = source;
  // An anchored list also stands wherever an alias names it.
  if (/&\S+\s*$/.test(text.slice(Math.max(0, holder.start - 200), holder.start))) return otherForm;
  const span =
    text[holder.start] === '[' ? flowSpan(text, holder.items, item) : blockSpan(text, holder.items, item);
  // Removed lines end with a line end, which `toRange` would leave out.
  return 'start' in span ? { fix: { ...endsOf(source, span), text: '' } } : span;
}

function flowSpan(text: string, items: readonly YamlNode[], item: YamlNode): Span | ItemRemoval {
  const index = items.indexOf(item);
  const [before, after] = [items[index - 1], items[index + 1]];
  const span =
    before === undefined
      ? { start: item.start, end: after?.start ?? item.end }
      : { start: before.end, end: item.end };
  const around = text.slice(span.start, item.start) + text.slice(item.end, span.end);
  return around.includes('#') ? besideComment : span;
}

function blockSpan(text: string, items: readonly YamlNode[], item: YamlNode): Span | ItemRemoval {
  const own = lineOf(text, item);
  const line = text.slice(own.start, own.end);
  if (!/^[ \t]*-[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"'#&*!|>][^#\n]*)\s*$/.test(line))
    return /^\s+#/.test(text.slice(item.end, own.end)) ? besideComment : otherForm;
  if (items.length > 1) return own;
  const above = lineOf(text, { start: own.start - 1, end: own.start - 1 });
  const key = text.slice(above.start, above.end);
  if (/^[ \t]*[\w"']+:[ \t]*\r?\n$/.test(key)) return { start: above.start, end: own.end };
  return key.includes('#') ? besideComment : otherForm;
}

/** From the begin of a line to behind its line end. */
function lineOf(text: string, { start, end }: Span): Span {
  const last = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: last < 0 ? text.length : last + 1 };
}

function endsOf(source: YamlSource, { start, end }: Span) {
  const from = source.toRange({ start, end: start });
  const to = source.toRange({ start: end, end });
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}
