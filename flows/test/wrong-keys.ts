import type { FileProblem } from '../../engine/index.ts';
import { closestWord } from '../../lib/core/closest-word.ts';
import { transitionKinds } from '../../lib/pipelines/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { childOf, type Span, type YamlNode } from '../../lib/yaml/yaml-node.ts';

const fileKeys = ['type', 'version', 'pipeline', 'design'];
const pipelineKeys = ['metadata', 'components', 'variables'];
const componentKeys = [
  'type',
  'parameters',
  'transitions',
  'sources',
  'iterationTarget',
  'skipped',
  'postProcessing',
];

/**
 * Keys of a pipeline file that would be ignored, although they were meant to do something: misspelled ones, those at the
 * wrong level, and those that no component has. Real files have no others (unknowns §5).
 */
export function wrongKeys({ source }: PipelineDocument): readonly FileProblem[] {
  const pipeline = childOf(source.root, 'pipeline');
  const components = childOf(pipeline, 'components');
  const wrong = [
    ...misspelled(source.root, fileKeys),
    ...unknownKeys(source.root, fileKeys).flatMap(([name, key]): WrongKey[] =>
      pipelineKeys.includes(name) ? [[key, `\`${name}\` must be below \`pipeline\`: indent it`]] : [],
    ),
    ...misspelled(pipeline, pipelineKeys),
    ...(components?.kind === 'map' ? [...components.entries.values()] : []).flatMap(({ value }) => [
      ...unknown('key', value, componentKeys),
      ...unknown('transition', childOf(value, 'transitions'), transitionKinds),
    ]),
  ];
  return wrong.map(([key, message]) => {
    const { line, column } = source.toRange(key);
    return { file: source.file, line, column, message };
  });
}

type WrongKey = readonly [key: Span, message: string];

function misspelled(node: YamlNode | undefined, known: readonly string[]): readonly WrongKey[] {
  return unknownKeys(node, known).flatMap(([name, key]): WrongKey[] => {
    const meant = closestWord(name, known);
    return meant === undefined ? [] : [[key, `unknown key \`${name}\`; did you mean \`${meant}\`?`]];
  });
}

function unknown(
  what: 'key' | 'transition',
  node: YamlNode | undefined,
  known: readonly string[],
): readonly WrongKey[] {
  return unknownKeys(node, known).map(([name, key]) => {
    const meant = closestWord(name, known);
    const below = what === 'key' ? '; a parameter must be below `parameters`' : '';
    const hint =
      meant === undefined ? `${below}; known ${what}s: ${known.join(', ')}` : `; did you mean \`${meant}\`?`;
    return [key, `unknown ${what} \`${name}\` of a component${hint}`];
  });
}

function unknownKeys(
  node: YamlNode | undefined,
  known: readonly string[],
): readonly (readonly [name: string, key: Span])[] {
  return node?.kind === 'map'
    ? [...node.entries].flatMap(([name, { key }]) => (known.includes(name) ? [] : [[name, key] as const]))
    : [];
}
