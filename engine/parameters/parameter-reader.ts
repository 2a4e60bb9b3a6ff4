import type { YamlSource } from '../../lib/yaml/read-yaml.ts';
import { isEmpty, type Span, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../expressions/evaluate.ts';
import type { PipelineVariables } from './expression-scope.ts';
import { ParameterError } from './parameter-error.ts';
import { resolveText } from './resolve-text.ts';
import { scalarText } from './scalar-text.ts';

/** What the reading of a component's parameters needs. */
export interface ParameterReader {
  /** The file that the parameters are in. */
  readonly source: YamlSource;
  readonly variables: PipelineVariables;
  readonly scope: Scope;
}

/** Where a value is in the file. */
export function placeOfNode(node: YamlNode, { source }: ParameterReader): Place {
  const { line, column } = source.toRange(node);
  return { file: source.file, line, column };
}

/** The parameter that has a value, for messages: the innermost key of the file around it. */
export function parameterOf({ start, end }: Span, { source }: ParameterReader): string {
  const hasValue = (node: YamlNode) => node.start <= start && end <= node.end;
  let parameter = 'this parameter';
  let node = source.root;
  while (node !== undefined && node.kind !== 'scalar') {
    if (node.kind === 'list') {
      node = node.items.find(hasValue);
      continue;
    }
    const entry = [...node.entries].find(([, { value }]) => hasValue(value));
    parameter = entry?.[0] ?? parameter;
    node = entry?.[1].value;
  }
  return parameter;
}

/** A text with its variables replaced; undefined if nothing is set: no key, null, or an empty text. */
export function readText(node: YamlNode | undefined, reader: ParameterReader): SourceText | undefined {
  if (node === undefined || isEmpty(node)) return undefined;
  if (node.kind !== 'scalar') {
    const message = `expected a text for ${parameterOf(node, reader)}, found a ${node.kind}`;
    throw new ParameterError(message, placeOfNode(node, reader));
  }
  return node.text === '' ? undefined : resolveText(scalarText(node, reader.source), reader.scope);
}

/** `Yes` or `No`, also written `True` or `False`, in any case; `fallback` if nothing is set. */
export function readYesNo(node: YamlNode | undefined, reader: ParameterReader, fallback: boolean): boolean {
  const written = readText(node, reader);
  if (node === undefined || written === undefined) return fallback;
  const word = written.text.trim().toLowerCase();
  if (word === 'yes' || word === 'true') return true;
  if (word === 'no' || word === 'false') return false;
  throw new ParameterError(
    `expected Yes or No for ${parameterOf(node, reader)}, found "${written.text}"`,
    written.placeOf(0),
  );
}
