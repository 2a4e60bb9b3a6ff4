import { hash } from 'node:crypto';
import { runOrder, sqlMeaning, type WarehouseKind } from '../../../engine/index.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { Variable } from '../../../lib/pipelines/model/variable.ts';
import { isEmpty, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { writeMarks } from '../../snapshot/marks.ts';
import type { SnapshotPipeline } from '../../snapshot/snapshot.ts';
import { sqlTexts } from '../texts/sql-texts.ts';

/** Digests of what the parts of a pipeline do. */
export interface PipelineMeaning extends Pick<SnapshotPipeline, 'digest' | 'components' | 'variables'> {
  /** By component: a digest of its parameters alone. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Of all variables that it declares. */
  readonly declarations: string;
}

/**
 * Computes digests of what a pipeline does. They ignore the canvas, comments, quotes, the order of keys and the
 * form of texts; in SQL also blanks and the case of keywords. The order of components only counts where a run
 * follows it.
 */
export function pipelineMeaning(document: PipelineDocument, kind: WarehouseKind): PipelineMeaning {
  const order = runOrder(document);
  const rank = new Map(order.map((name, index) => [name, index]));
  const parameters = new Map<string, string>();
  const digests: string[] = [];
  const components = [...document.components.values()].map((component) => {
    const { name, type, range, sources, skipped, iterationTarget, transitions } = component;
    const { digest, marks } = parameterMeaning(component, document, kind);
    parameters.set(name, digest);
    const flow = JSON.stringify([type, sources, skipped, iterationTarget, transitions]);
    const whole = sha256(`${digest} ${flow}`);
    digests.push(`${JSON.stringify(name)} ${whole}`);
    const place = rank.get(name);
    return {
      name,
      type,
      line: range.line,
      digest: whole.slice(0, 16),
      ...(place === undefined ? {} : { rank: place }),
      marks,
    };
  });
  const variables = [...document.variables.values()].map((variable) => ({
    name: variable.name,
    line: variable.range.line,
    digest: sha256(declarationOf(variable)),
  }));
  const declarations = sha256(
    variables
      .map(({ name, digest }) => `${JSON.stringify(name)} ${digest}`)
      .toSorted(compareTexts)
      .join('\n'),
  );
  return {
    digest: sha256([...digests.toSorted(compareTexts), declarations, JSON.stringify(order)].join('\n')).slice(
      0,
      32,
    ),
    components,
    variables: variables.map(({ digest, ...variable }) => ({ ...variable, digest: digest.slice(0, 16) })),
    parameters,
    declarations,
  };
}

/** The SHA-256 of a text as hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text);
}

function declarationOf({ type, scope, visibility, columns, columnTypes, defaultValue }: Variable): string {
  return JSON.stringify([type, scope, visibility, columns, columnTypes, defaultValue]);
}

function parameterMeaning(
  component: Component,
  { source }: PipelineDocument,
  kind: WarehouseKind,
): { readonly digest: string; readonly marks: string } {
  const sql = sqlTexts(component);
  const parts: string[] = [];
  const lines = { scalars: new Map<number, string>(), sizes: new Map<number, string>() };
  const add = (node: YamlNode, part: string) => {
    parts.push(part);
    const { line } = source.toRange(node);
    const marked = node.kind === 'scalar' ? lines.scalars : lines.sizes;
    marked.set(line, `${marked.get(line) ?? ''}${part}\n`);
  };
  const visit = (node: YamlNode, path: string): void => {
    if (node.kind === 'scalar') add(node, `${path} ${scalarMeaning(node, sql, kind)}`);
    else if (node.kind === 'list') {
      add(node, `${path} [${node.items.length}]`);
      for (const [index, item] of node.items.entries()) visit(item, `${path}/${index}`);
    } else {
      add(node, `${path} {${node.entries.size}}`);
      for (const [key, { value }] of node.entries) visit(value, `${path}/${JSON.stringify(key)}`);
    }
  };
  for (const key of ['parameters', 'postProcessing'] as const) {
    const node = component.node(key);
    if (node !== undefined) visit(node, key);
  }
  return {
    digest: sha256(parts.toSorted(compareTexts).join('\n')),
    marks: `${writeMarks(lines.scalars)}|${writeMarks(lines.sizes)}`,
  };
}

/** An empty value and the text `null` differ, `1` and `"1"` do not: the platform reads texts. */
function scalarMeaning(
  node: Extract<YamlNode, { kind: 'scalar' }>,
  sql: ReadonlySet<YamlNode>,
  kind: WarehouseKind,
): string {
  if (node.value === null) return 'null';
  return JSON.stringify(sql.has(node) && !isEmpty(node) ? sqlMeaning(node.text, kind) : node.text);
}
