import type { Edit } from '../../../lib/core/outcomes/finding.ts';
import { type PipelineDocument, readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { applyEdits } from '../../../lib/yaml/apply-edits.ts';
import { quoted } from '../../../lib/yaml/edit-scalar.ts';
import { LineIndex } from '../../../lib/yaml/text-position.ts';
import { childOf, valueOf, type YamlMap, type YamlNode } from '../../../lib/yaml/yaml-node.ts';

const otherForm =
  'Millrace cannot add the transition to the form in which the component is written. Add it by hand.';

/**
 * The edits that connect a branch, on success, to an `end-success` component: the first one of the pipeline, or a
 * new one with the name `newEnd`. Returns a sentence if no safe edit is possible.
 */
export function endBranch(
  document: PipelineDocument,
  name: string,
  newEnd: string | undefined,
): readonly Edit[] | string {
  const component = document.components.get(name);
  const components = childOf(childOf(document.source.root, 'pipeline'), 'components');
  const node = childOf(components, name);
  if (component === undefined || components?.kind !== 'map') return otherForm;
  if (component.transitions.length > 0)
    return 'The branch continues, but never reaches an end component. Connect it by hand.';
  if (component.type === 'if') return 'An `if` continues on true and on false. Add both transitions by hand.';
  if (node?.kind !== 'map' || node.entries.size === 0 || node.entries.has('transitions')) return otherForm;
  const existingEnd = [...document.components.values()].find(({ type }) => type === 'end-success')?.name;
  const end = existingEnd ?? newEnd;
  if (end === undefined)
    return 'No usual name for an end component matches the pattern of the rules file. Add an end component by hand.';
  const form = formOf(document, components, node);
  const link = isFlow(document, node) ? flowLink(document, node, end) : form && blockLink(form, node, end);
  const added = existingEnd === undefined ? form && blockEnd(form, components, node, end) : [];
  if (link === undefined || added === undefined) return otherForm;
  const edits = [link, ...added];
  return isSameWith(document, edits, { name, end, isNew: existingEnd === undefined }) ? edits : otherForm;
}

/** How the file writes components. */
interface Form {
  readonly text: string;
  readonly lines: LineIndex;
  readonly lineEnd: string;
  readonly quote: string | undefined;
  /** The blanks before the name of a component, and the blanks of one level more. */
  readonly indent: string;
  readonly unit: string;
}

/** Undefined if the components are not written one below the other. */
function formOf({ source: { text } }: PipelineDocument, components: YamlMap, node: YamlMap) {
  const indent = indentOf(text, components);
  if (indent === undefined) return undefined;
  const inner = text[node.start] === '{' ? undefined : indentOf(text, node);
  const unit = inner?.startsWith(indent) === true ? inner.slice(indent.length) : '  ';
  const type = node.entries.get('type')?.value;
  const quote = /^["']/.exec(text.slice(type?.start, type?.end))?.[0];
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return { text, lines: new LineIndex(text), lineEnd, quote, indent, unit };
}

/** The blanks before the keys of a map; undefined if another text is before one of them. */
function indentOf(text: string, map: YamlMap): string | undefined {
  const before = [...map.entries.values()].map(({ key }) =>
    text.slice(text.lastIndexOf('\n', key.start - 1) + 1, key.start),
  );
  const [first] = before;
  return before.every((indent) => indent === first && /^ *$/.test(indent)) ? first : undefined;
}

function isFlow({ source: { text } }: PipelineDocument, node: YamlMap): boolean {
  return text[node.start] === '{';
}

/** Inside the braces. */
function flowLink({ source }: PipelineDocument, node: YamlMap, end: string): Edit | undefined {
  const inner = source.text.slice(node.start + 1, node.end - 1);
  if (/[#\n]/.test(inner) || source.text[node.end - 1] !== '}') return undefined;
  const written = inner.trimEnd();
  const at = node.start + 1 + written.length;
  const comma = written.endsWith(',') ? ' ' : ', ';
  const text = `${comma}transitions: { success: [${quoted(end, '"')}] }`;
  return { ...source.toRange({ start: at, end: at }), text };
}

/** As lines after the last one of the component. */
function blockLink(form: Form, node: YamlMap, end: string): Edit | undefined {
  const { indent, unit, quote } = form;
  const inner = indent + unit;
  if (indentOf(form.text, node) !== inner) return undefined;
  return insertAfter(form, node, [
    `${inner}transitions:`,
    `${inner}${unit}success:`,
    `${inner}${unit}${unit}- ${quoted(end, quote)}`,
  ]);
}

function blockEnd(form: Form, components: YamlMap, node: YamlMap, end: string): readonly Edit[] {
  const { indent, unit, quote } = form;
  const inner = indent + unit;
  const repeatsName = childOf(childOf(node, 'parameters'), 'componentName') !== undefined;
  const parameters = [`${inner}parameters:`, `${inner}${unit}componentName: ${quoted(end, quote)}`];
  return [
    insertAfter(form, components, [
      `${indent}${quoted(end, undefined)}:`,
      `${inner}type: ${quote === undefined ? 'end-success' : quoted('end-success', quote)}`,
      ...(repeatsName ? parameters : []),
    ]),
  ];
}

/** After the line on which a node ends, and its comment. */
function insertAfter({ text, lines, lineEnd }: Form, node: YamlNode, added: readonly string[]): Edit {
  const isLineEnd = text[node.end - 1] === '\n';
  const next = isLineEnd ? node.end : text.indexOf('\n', node.end) + 1;
  const isLast = next === 0;
  const { line, column } = lines.at(isLast ? text.length : next);
  const inserted = added.join(lineEnd);
  return {
    line,
    column,
    endLine: line,
    endColumn: column,
    text: isLast ? lineEnd + inserted : inserted + lineEnd,
  };
}

/** Whether the file with the edits differs by the transition and the end component only. */
function isSameWith(
  { path, source }: PipelineDocument,
  edits: readonly Edit[],
  { name, end, isNew }: { readonly name: string; readonly end: string; readonly isNew: boolean },
): boolean {
  const after = readPipeline(path, applyEdits(source.text, edits).text);
  const added = after.components.get(name)?.transitions;
  const isLinked = added?.length === 1 && added[0]?.on === 'success' && added[0].to === end;
  if (after.problems.length > 0 || !isLinked || after.components.get(end)?.type !== 'end-success')
    return false;
  return (
    JSON.stringify(without(after.source.root, name, isNew ? end : undefined)) === JSON.stringify(source.value)
  );
}

/** The data without the transitions of a component, and without another component. */
function without(root: YamlNode | undefined, name: string, removed: string | undefined): unknown {
  const change = (node: YamlNode | undefined, [key, ...path]: readonly string[]): unknown => {
    if (node?.kind !== 'map' || key === undefined) return valueOf(node);
    const entries = [...node.entries].filter(([entryKey]) => path.length > 0 || entryKey !== key);
    const values = entries.map(([entryKey, { value }]) => {
      if (entryKey !== key) return [entryKey, valueOf(value)] as const;
      return [entryKey, change(value, path)] as const;
    });
    return Object.fromEntries(values);
  };
  const data = change(root, ['pipeline', 'components', name, 'transitions']);
  if (removed === undefined) return data;
  const { pipeline } = data as { pipeline: { components: Record<string, unknown> } };
  delete pipeline.components[removed];
  return data;
}
