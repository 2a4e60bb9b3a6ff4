import type { Edit } from '../../model/finding.ts';
import type { YamlSource } from '../../source/read-yaml.ts';
import type { Span, YamlNode } from '../../source/yaml-node.ts';

/**
 * The edit that takes one item out of a list: its line, or its place between commas. The last item of a block list
 * goes with the key above it. Nothing where the form is another one, such as an alias or a comment in between.
 */
export function removeItem(source: YamlSource, holder: YamlNode, item: YamlNode): Edit | undefined {
  if (holder.kind !== 'list' || item.start < holder.start || item.end > holder.end) return undefined;
  const { text } = source;
  // An anchored list also stands wherever an alias names it.
  if (/&\S+\s*$/.test(text.slice(Math.max(0, holder.start - 200), holder.start))) return undefined;
  const span =
    text[holder.start] === '[' ? flowSpan(holder.items, item) : blockSpan(text, holder.items, item);
  // Removed lines end with a line end, which `toRange` would leave out.
  return span && { ...endsOf(source, span), text: '' };
}

function flowSpan(items: readonly YamlNode[], item: YamlNode): Span {
  const index = items.indexOf(item);
  const [before, after] = [items[index - 1], items[index + 1]];
  if (before !== undefined) return { start: before.end, end: item.end };
  return { start: item.start, end: after?.start ?? item.end };
}

function blockSpan(text: string, items: readonly YamlNode[], item: YamlNode): Span | undefined {
  const own = lineOf(text, item);
  if (!/^[ \t]*-[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"'#&*!|>][^#\n]*)\s*$/.test(text.slice(own.start, own.end)))
    return undefined;
  if (items.length > 1) return own;
  const above = lineOf(text, { start: own.start - 1, end: own.start - 1 });
  return /^[ \t]*[\w"']+:[ \t]*\r?\n$/.test(text.slice(above.start, above.end))
    ? { start: above.start, end: own.end }
    : undefined;
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
