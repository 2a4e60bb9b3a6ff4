import type { YamlSource } from '../../lib/yaml/read-yaml.ts';
import { isWrittenNull, type Span, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { type Place, Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../expressions/evaluate.ts';
import type { PipelineVariables } from './expression-scope.ts';
import { ParameterError } from './parameter-error.ts';
import { resolveText } from './resolve-text.ts';
import { scalarText } from './scalar-text.ts';

/**
 * What is needed to read the parameters of a component: the variables of its pipeline, and the text of its file for
 * positions.
 */
export interface ParameterReader {
  /** The file that contains the parameters. */
  readonly source: YamlSource;
  readonly variables: PipelineVariables;
  readonly scope: Scope;
}

/** The line and column of a YAML node in its file. */
export function placeOfNode(node: YamlNode, { source }: ParameterReader): Place {
  const { line, column } = source.toRange(node);
  return { file: source.file, line, column };
}

/** The name of the parameter to which a YAML node belongs, for messages: the innermost key around the node. */
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

/** Throws Refusal for an unquoted null: the platform may read it as a text, as an empty text, or as not set. */
export function refuseWrittenNull(node: YamlNode, reader: ParameterReader): void {
  if (!isWrittenNull(node)) return;
  const what = `an unquoted ${node.text} for ${parameterOf(node, reader)}`;
  throw new Refusal(
    what,
    placeOfNode(node, reader),
    `write "${node.text}" for the text, or "" for an empty text`,
  );
}

/**
 * Reads the text of a YAML node, and replaces its variables. Undefined if the text is not set: the key is missing, or
 * has no value or an empty text. Throws Refusal for an unquoted null.
 */
export function readText(node: YamlNode | undefined, reader: ParameterReader): SourceText | undefined {
  if (node === undefined) return undefined;
  refuseWrittenNull(node, reader);
  if (node.kind !== 'scalar') {
    const message = `expected a text for ${parameterOf(node, reader)}, found a ${node.kind}`;
    throw new ParameterError(message, placeOfNode(node, reader));
  }
  return node.text === '' ? undefined : resolveText(scalarText(node, reader.source), reader.scope);
}

/**
 * Reads `Yes` or `No`, which may also be written as `True` or `False`. Upper and lower case do not matter. Returns
 * `fallback` if the value is not set.
 */
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
