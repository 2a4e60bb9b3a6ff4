import { meantClause } from '../../core/text/did-you-mean.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { childOf, isEmpty, type Span, type YamlNode } from '../../yaml/yaml-node.ts';
import { skippedIn, transitionKinds } from '../model/component.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
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
 * Keys of a pipeline file that would be ignored, although their author meant something: misspelled keys, keys at the wrong
 * level, and keys that no component has. Real files have no other unknown keys (unknowns §5). Also values of a wrong form,
 * which would be ignored in the same way.
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
  for (const [component, { key, value }] of components.entries) {
    if (value.kind !== 'map' && !isEmpty(value)) {
      const message = `The component "${component}" must be a map, such as { type: start }; this value would be ignored.`;
      yield breach({ name: component, key, message, component });
    }
    for (const wrong of unknownIn('key', value, componentKeys)) yield breach({ ...wrong, component });
    const transitions = childOf(value, 'transitions');
    for (const wrong of unknownIn('transition', transitions, transitionKinds))
      yield breach({ ...wrong, component });
    for (const wrong of wrongForms(value)) yield breach({ ...wrong, component });
    yield undefined;
  }
}

interface WrongKey {
  readonly name: string;
  readonly key: Span;
  readonly message: string;
  readonly component?: string;
}

function misspelled(node: YamlNode | undefined, knownNames: readonly string[]): readonly WrongKey[] {
  return keysBesides(knownNames, node).flatMap(([name, key]): readonly WrongKey[] => {
    const meant = meantClause(name, knownNames);
    return meant === '' ? [] : [{ name, key, message: `Unknown key \`${name}\`${meant}` }];
  });
}

function misplaced(root: YamlNode | undefined): readonly WrongKey[] {
  return keysBesides(fileKeys, root).flatMap(([name, key]): readonly WrongKey[] => {
    const message = `\`${name}\` must be below \`pipeline\`: indent it.`;
    return pipelineKeys.includes(name) ? [{ name, key, message }] : [];
  });
}

/** Values of a component that nothing reads, because they have another form. */
function* wrongForms(component: YamlNode): Generator<WrongKey, void, undefined> {
  for (const name of ['transitions', 'parameters', 'postProcessing']) {
    const node = childOf(component, name);
    if (node === undefined || node.kind === 'map' || isEmpty(node)) continue;
    const example = name === 'transitions' ? ', such as `success: [Next]`' : '';
    yield {
      name,
      key: node,
      message: `\`${name}\` of a component must be a map${example}; this value would be ignored.`,
    };
  }
  const skipped = childOf(component, 'skipped');
  if (skipped !== undefined && skippedIn(component) === undefined) {
    const value = skipped.kind === 'scalar' ? `"${visibleText(skipped.text)}"` : 'this value';
    const message = `\`skipped\` of a component must be \`true\` or \`false\`; ${value} would be ignored.`;
    yield { name: 'skipped', key: skipped, message };
  }
  const transitions = childOf(component, 'transitions');
  const lists = [
    ...['sources', 'iterationTarget'].map((name) => [name, childOf(component, name)] as const),
    ...transitionKinds.map((name) => [name, childOf(transitions, name)] as const),
  ];
  for (const [name, node] of lists) {
    for (const item of node?.kind === 'list' ? node.items : node === undefined ? [] : [node]) {
      if (item.kind === 'scalar') continue;
      const message = `\`${name}\` must have names of components, such as \`[Next]\`; this value would be ignored.`;
      yield { name, key: item, message };
    }
  }
}

function* unknownIn(
  what: 'key' | 'transition',
  node: YamlNode | undefined,
  knownNames: readonly string[],
): Generator<WrongKey, void, undefined> {
  for (const [name, key] of keysBesides(knownNames, node)) {
    const below = what === 'key' ? '; a parameter must be below `parameters`' : '';
    const hint = meantClause(name, knownNames) || `${below}; known ${what}s: ${knownNames.join(', ')}.`;
    yield { name, key, message: `Unknown ${what} \`${name}\` of a component${hint}` };
  }
}

function keysBesides(
  knownNames: readonly string[],
  node: YamlNode | undefined,
): readonly (readonly [name: string, key: Span])[] {
  return node?.kind === 'map'
    ? [...node.entries].flatMap(([name, { key }]) =>
        knownNames.includes(name) ? [] : [[name, key] as const],
      )
    : [];
}
