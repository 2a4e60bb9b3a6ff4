import { meantClause } from '../../core/did-you-mean.ts';
import { childOf, type Span, type YamlNode } from '../../yaml/yaml-node.ts';
import { transitionKinds } from '../component.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach, CheckSteps } from './breach.ts';

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
export function* unknownKeys({ path, source }: PipelineDocument): CheckSteps {
  const breach = ({ name, key, message, component }: WrongKey): CheckBreach => ({
    check: 'unknown-key',
    file: path,
    ...(component === undefined ? {} : { component }),
    subject: name,
    message,
    range: source.toRange(key),
  });
  const pipeline = childOf(source.root, 'pipeline');
  for (const wrong of [
    ...misspelled(source.root, fileKeys),
    ...misplaced(source.root),
    ...misspelled(pipeline, pipelineKeys),
  ])
    yield breach(wrong);
  const components = childOf(pipeline, 'components');
  if (components?.kind !== 'map') return;
  for (const [component, { value }] of components.entries) {
    for (const wrong of unknownIn('key', value, componentKeys)) yield breach({ ...wrong, component });
    const transitions = childOf(value, 'transitions');
    for (const wrong of unknownIn('transition', transitions, transitionKinds))
      yield breach({ ...wrong, component });
    yield undefined;
  }
}

interface WrongKey {
  readonly name: string;
  readonly key: Span;
  readonly message: string;
  readonly component?: string;
}

function misspelled(node: YamlNode | undefined, known: readonly string[]): readonly WrongKey[] {
  return keysBesides(known, node).flatMap(([name, key]): readonly WrongKey[] => {
    const meant = meantClause(name, known);
    return meant === '' ? [] : [{ name, key, message: `Unknown key \`${name}\`${meant}` }];
  });
}

function misplaced(root: YamlNode | undefined): readonly WrongKey[] {
  return keysBesides(fileKeys, root).flatMap(([name, key]): readonly WrongKey[] => {
    const message = `\`${name}\` must be below \`pipeline\`: indent it.`;
    return pipelineKeys.includes(name) ? [{ name, key, message }] : [];
  });
}

function* unknownIn(
  what: 'key' | 'transition',
  node: YamlNode | undefined,
  known: readonly string[],
): Generator<WrongKey, void, undefined> {
  for (const [name, key] of keysBesides(known, node)) {
    const below = what === 'key' ? '; a parameter must be below `parameters`' : '';
    const hint = meantClause(name, known) || `${below}; known ${what}s: ${known.join(', ')}.`;
    yield { name, key, message: `Unknown ${what} \`${name}\` of a component${hint}` };
  }
}

function keysBesides(
  known: readonly string[],
  node: YamlNode | undefined,
): readonly (readonly [name: string, key: Span])[] {
  return node?.kind === 'map'
    ? [...node.entries].flatMap(([name, { key }]) => (known.includes(name) ? [] : [[name, key] as const]))
    : [];
}
