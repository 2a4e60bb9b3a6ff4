import { meantClause } from '../../core/text/did-you-mean.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { childOf, isEmpty, itemsOf, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { knownTypes } from '../model/component-types.ts';
import type { PipelineKind } from '../model/pipeline-kind.ts';
import { skippedIn, transitionKinds } from '../model/component.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckBreach, CheckSteps } from './breach.ts';
import { wrongVariables } from './wrong-variables.ts';
import { keysBesides, type WrongKey } from './wrong-key.ts';

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

const postProcessingKeys = ['updateScalarVariables', 'updateOutputMessage', 'updateGridVariables'];

/**
 * Finds keys of a pipeline file that are ignored although their author meant something: misspelled keys, keys at
 * the wrong level, and keys that no component has. Real files have no other unknown keys (unknowns §5). Also finds
 * values of a wrong form, which are ignored too.
 */
export function* unknownKeys({ path, source, kind }: PipelineDocument): CheckSteps {
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
  for (const wrong of wrongVariables(childOf(pipeline, 'variables'))) yield breach(wrong);
  const components = childOf(pipeline, 'components');
  if (components?.kind !== 'map') return;
  for (const [component, { key, value }] of components.entries) {
    if (value.kind !== 'map' && !isEmpty(value)) {
      const message = `The component "${component}" must be a map, such as { type: start }; this value would be ignored.`;
      yield breach({ name: component, key, message, component });
    }
    for (const wrong of unknownIn('key', value, componentKeys)) yield breach({ ...wrong, component });
    for (const wrong of unknownIn(
      'key of postProcessing',
      childOf(value, 'postProcessing'),
      postProcessingKeys,
    ))
      yield breach({ ...wrong, component });
    const transitions = childOf(value, 'transitions');
    for (const wrong of unknownIn('transition', transitions, transitionKinds))
      yield breach({ ...wrong, component });
    for (const wrong of [...wrongForms(value), ...unusedKeys(value, kind)])
      yield breach({ ...wrong, component });
    yield undefined;
  }
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

const iterated = /-iterator$|^retry$/;

/** Keys that a component of this type or kind of pipeline does not have: nothing reads them. */
function* unusedKeys(component: YamlNode, kind: PipelineKind): Generator<WrongKey, void, undefined> {
  const type = textOf(childOf(component, 'type')) ?? '';
  const transitions = childOf(component, 'transitions');
  const targets = childOf(component, 'iterationTarget');
  const unused = (name: string, node: YamlNode | undefined, message: string) =>
    node === undefined || node.kind === 'map' || itemsOf(node).length === 0
      ? []
      : [{ name, key: node, message }];
  const isKnown = knownTypes[kind].includes(type);
  if (isKnown && type !== 'if')
    for (const name of ['true', 'false'])
      yield* unused(
        name,
        childOf(transitions, name),
        `Only an \`if\` has the transition \`${name}\`: it is never taken here.`,
      );
  if (kind === 'transformation') return;
  if (isKnown && !iterated.test(type))
    yield* unused(
      'iterationTarget',
      targets,
      'Only iterators and `retry` have an `iterationTarget`: nothing is repeated here.',
    );
  const [, second] = itemsOf(targets);
  if (second === undefined) return;
  const message = '`iterationTarget` must be one component: only the first one would be repeated.';
  yield { name: 'iterationTarget', key: second, message };
}

function* unknownIn(
  what: 'key' | 'transition' | 'key of postProcessing',
  node: YamlNode | undefined,
  knownNames: readonly string[],
): Generator<WrongKey, void, undefined> {
  for (const [name, key] of keysBesides(knownNames, node)) {
    const below = what === 'key' ? '; a parameter must be below `parameters`' : '';
    const hint =
      meantClause(name, knownNames) ||
      `${below}; known ${what.replace(/^\w+/, '$&s')}: ${knownNames.join(', ')}.`;
    yield { name, key, message: `Unknown ${what} \`${name}\` of a component${hint}` };
  }
}
