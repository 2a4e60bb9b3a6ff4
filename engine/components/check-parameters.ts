import { meantQuestion } from '../../lib/core/text/did-you-mean.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { childOf, isEmpty, itemsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { placeOfNode, readText, readYesNo, refuseWrittenNull } from '../parameters/parameter-reader.ts';
import type { Binding, ComponentType, Parameter } from './component-type.ts';

const lists: ReadonlySet<Parameter['form']> = new Set(['names', 'rows', 'typed rows', 'conditions', 'tree']);

/** The maximum number of cells in a row of these forms, unless the parameter sets another maximum. */
const maxCells: Partial<Record<Parameter['form'], number>> = { 'typed rows': 4, conditions: 4 };

/**
 * Throws Refusal for a parameter that the component type does not have, and for a value that the description of the
 * parameter does not allow.
 */
export function checkParameters(
  binding: Pick<Binding, 'parameters' | 'reader'>,
  { parameters: typeParameters }: Pick<ComponentType, 'parameters'>,
): void {
  const { parameters, reader } = binding;
  if (parameters.kind !== 'map') {
    throw new ParameterError('expected a map of parameters', placeOfNode(parameters, reader));
  }
  for (const [name, { value }] of parameters.entries) {
    const parameter = Object.hasOwn(typeParameters, name) ? typeParameters[name] : undefined;
    // Instead of a list, null can only mean that there is none.
    if (parameter !== undefined && parameter.isIgnored !== true && !lists.has(parameter.form))
      refuseWrittenNull(value, reader);
    if (name === 'componentName' || isUnset(value)) continue;
    if (parameter === undefined)
      throw new Refusal(`the parameter ${name}`, placeOfNode(value, reader), knownHint(name, typeParameters));
    if (parameter.isIgnored !== true) checkValue(name, value, parameter, binding);
  }
}

function knownHint(name: string, typeParameters: ComponentType['parameters']): string {
  const names = Object.keys(typeParameters);
  const list = names.length === 0 ? 'this type has no parameters' : `its parameters are ${names.join(', ')}`;
  return meantQuestion(name, names) ?? list;
}

function checkValue(
  name: string,
  value: YamlNode,
  parameter: Parameter,
  { reader }: Pick<Binding, 'reader'>,
): void {
  if (lists.has(parameter.form)) {
    checkRows(name, value, parameter.cells ?? maxCells[parameter.form], reader);
    return;
  }
  if (value.kind !== 'scalar') {
    throw new ParameterError(`the parameter ${name} must be a ${parameter.form}`, placeOfNode(value, reader));
  }
  if (parameter.form === 'yes-no') readYesNo(value, reader, false);
  const { choices } = parameter;
  if (choices === undefined) return;
  const written = readText(value, reader);
  if (written === undefined) return;
  const word = written.text.trim().toLowerCase();
  if (choices.some((choice) => choice.toLowerCase() === word)) return;
  throw new Refusal(`${name}: ${written.text}`, written.placeOf(0), `use ${choices.join(' or ')}`);
}

/**
 * Refuses cells of a row beyond those that are read, because they would be ignored. Empty cells at the end of a row
 * have no meaning and are allowed.
 */
function checkRows(name: string, value: YamlNode, most: number | undefined, reader: Binding['reader']): void {
  if (most === undefined) return;
  const columns = childOf(childOf(value, 'fromGrid'), 'columns');
  for (const row of columns === undefined ? itemsOf(value) : [columns]) {
    const extra = row.kind === 'list' ? row.items.slice(most).find((cell) => !isUnset(cell)) : undefined;
    if (row.kind !== 'list' || extra === undefined) continue;
    throw new ParameterError(
      `a row of ${name} can have at most ${numberOf(most, 'value')}, but this row has ${row.items.length}`,
      placeOfNode(extra, reader),
    );
  }
}

function isUnset(value: YamlNode): boolean {
  return isEmpty(value) || (value.kind === 'scalar' && value.text === '');
}
