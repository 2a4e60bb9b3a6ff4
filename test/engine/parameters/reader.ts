import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { childOf, type YamlNode, type YamlScalar } from '../../../lib/yaml/yaml-node.ts';
import { RecordValue } from '../../../engine/expressions/datum.ts';
import { expressionScope, type PipelineVariable } from '../../../engine/parameters/expression-scope.ts';
import type { ParameterReader } from '../../../engine/parameters/parameter-reader.ts';

const variables: Readonly<Record<string, PipelineVariable>> = {
  name: { type: 'TEXT', columns: [], value: 'orders' },
  other: { type: 'TEXT', columns: [], value: '${name}' },
  count: { type: 'NUMBER', columns: [], value: '007' },
  unset: { type: 'NUMBER', columns: [], value: '' },
  lines: { type: 'TEXT', columns: [], value: 'one\ntwo' },
  mapping: {
    type: 'GRID',
    columns: ['source', 'Target'],
    value: [
      ['ID', 'KEY'],
      ['NAME', '${name}'],
    ],
  },
  none: { type: 'GRID', columns: ['source'], value: [] },
};

/** A parameter of a YAML text, `p` unless said otherwise, with what reads it. */
export function parameterOf(
  text: string,
  key = 'p',
): { readonly node: YamlNode; readonly reader: ParameterReader } {
  const source = readYaml(text, { file: 'a.yaml' });
  if (source.problems.length > 0) throw new Error(source.problems[0]?.message);
  const cells = { cell: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) };
  const sysvar = new RecordValue([['project', new RecordValue([['id', 'p1']])]]);
  const scope = expressionScope(cells, { now: 0, sysvar });
  const node = key === '' ? source.root : childOf(source.root, key);
  if (node === undefined) throw new Error(`no ${key}`);
  return { node, reader: { source, variables: cells, scope } };
}

export function scalarOf(text: string): { readonly node: YamlScalar; readonly reader: ParameterReader } {
  const { node, reader } = parameterOf(text);
  if (node.kind !== 'scalar') throw new Error('not a scalar');
  return { node, reader };
}
