import { meantClause } from '../../core/text/did-you-mean.ts';
import { numberOf } from '../../core/text/number-of.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import {
  childOf,
  isEmpty,
  isWrittenNull,
  itemsOf,
  scalarsOf,
  textOf,
  type YamlNode,
} from '../../yaml/yaml-node.ts';
import { columnNames } from '../model/variable.ts';
import { variableTypes } from '../model/variable-value.ts';
import { keysBesides, type WrongKey } from './wrong-key.ts';

const entryKeys = ['metadata', 'defaultValue'];
const metadataKeys = ['type', 'description', 'scope', 'visibility', 'columns'];

/** Words that have an effect, by their keys of `metadata`. Another word is read as if it was not there. */
const words: Readonly<Record<string, readonly string[]>> = {
  type: variableTypes,
  scope: ['SHARED', 'COPIED'],
  visibility: ['PUBLIC', 'PRIVATE'],
};

/**
 * Finds entries in `variables` of a pipeline that are ignored, so that the variable has another type, scope or
 * value.
 */
export function* wrongVariables(variables: YamlNode | undefined): Generator<WrongKey, void, undefined> {
  if (variables === undefined || isEmpty(variables)) return;
  if (variables.kind !== 'map') {
    if (itemsOf(variables).length === 0) return;
    const message = '`variables` must be a map of names, such as `day: { metadata: { type: TEXT } }`.';
    yield { name: 'variables', key: variables, message: `${message} This value would be ignored.` };
    return;
  }
  for (const [name, { value }] of variables.entries)
    for (const wrong of wrongVariable(name, value)) yield { ...wrong, name: `${name}.${wrong.name}` };
}

function* wrongVariable(variable: string, entry: YamlNode): Generator<WrongKey, void, undefined> {
  if (entry.kind !== 'map') {
    if (isEmpty(entry)) return;
    const message = `The variable "${variable}" must be a map of \`metadata\` and \`defaultValue\`; this value would be ignored.`;
    yield { name: 'metadata', key: entry, message };
    return;
  }
  for (const [name, key] of keysBesides(entryKeys, entry)) {
    const hint = metadataKeys.includes(name)
      ? `: it must be below \`metadata\`.`
      : meantClause(name, entryKeys) || `; known keys: ${entryKeys.join(', ')}.`;
    yield { name, key, message: `Unknown key \`${name}\` of the variable "${variable}"${hint}` };
  }
  const metadata = childOf(entry, 'metadata');
  if (metadata !== undefined && metadata.kind !== 'map' && !isEmpty(metadata)) {
    const message = `\`metadata\` of the variable "${variable}" must be a map; this value would be ignored.`;
    yield { name: 'metadata', key: metadata, message };
  }
  for (const [name, key] of keysBesides(metadataKeys, metadata)) {
    const hint = meantClause(name, metadataKeys) || `; known keys: ${metadataKeys.join(', ')}.`;
    yield {
      name,
      key,
      message: `Unknown key \`${name}\` in \`metadata\` of the variable "${variable}"${hint}`,
    };
  }
  const wrong = Object.entries(words).flatMap(([key, known]) => [
    ...wrongWord(variable, key, known, metadata),
  ]);
  yield* wrong;
  // A default depends on the type.
  if (wrong.every(({ name }) => name !== 'type'))
    yield* wrongDefault(variable, childOf(entry, 'defaultValue'), metadata);
}

function* wrongWord(
  variable: string,
  name: string,
  known: readonly string[],
  metadata: YamlNode | undefined,
): Generator<WrongKey, void, undefined> {
  const node = childOf(metadata, name);
  const word = textOf(node);
  if (node === undefined || word === undefined || known.includes(word)) return;
  const same = known.find((each) => each === word.toUpperCase());
  const hint = same === undefined ? meantClause(word, known) : `; write ${same}.`;
  // A platform may have other words (unknowns §5).
  if (hint === '') return;
  const message = `The \`${name}\` "${visibleText(word)}" of the variable "${variable}" has no effect${hint}`;
  yield { name, key: node, message };
}

function* wrongDefault(
  variable: string,
  value: YamlNode | undefined,
  metadata: YamlNode | undefined,
): Generator<WrongKey, void, undefined> {
  const [written] = [...scalarsOf(value)].filter(isWrittenNull);
  if (written !== undefined) {
    const message = `\`defaultValue\` of the variable "${variable}" has an unquoted ${written.text}, which may mean a text or nothing; write "${written.text}" for the text, or "" for an empty text.`;
    yield { name: 'defaultValue', key: written, message };
    return;
  }
  if (value === undefined || isEmpty(value)) return;
  const fault = (key: YamlNode, form: string): WrongKey => ({
    name: 'defaultValue',
    key,
    message: `\`defaultValue\` of the variable "${variable}" must be ${form}; this value would be ignored.`,
  });
  if (textOf(childOf(metadata, 'type')) !== 'GRID') {
    if (value.kind !== 'scalar') yield fault(value, 'one value');
    return;
  }
  if (value.kind === 'scalar' && value.text === '') return;
  const width = columnNames(childOf(metadata, 'columns')).length;
  if (value.kind !== 'list') {
    yield fault(value, 'a list of rows, such as [[a, b]]');
    return;
  }
  for (const row of value.items) {
    const cells = row.kind === 'list' ? row.items : [row];
    const wrong = cells.find((cell) => cell.kind !== 'scalar');
    if (wrong !== undefined) yield fault(wrong, 'a list of rows, such as [[a, b]]');
    else if (width > 0 && cells.length !== width) {
      const counts = `${numberOf(cells.length, 'cell')}, but the grid has ${numberOf(width, 'column')}`;
      const message = `A row of \`defaultValue\` of the variable "${variable}" has ${counts}.`;
      yield { name: 'defaultValue', key: row, message };
    }
  }
}
