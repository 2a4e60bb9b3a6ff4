import { childOf, itemsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { parameterOf, placeOfNode, readText, readYesNo } from '../parameters/parameter-reader.ts';
import { fixedText } from '../parameters/read-rows.ts';
import { readType } from '../parameters/read-typed-rows.ts';
import { type Binding, type ComponentType, onlyInput, type RowsOutput } from './component-type.ts';
import { findInputColumn } from './find-column.ts';
import { type Flattening, openFlattening } from './flattening.ts';
import { includeInputColumns, includesInput } from './include-input.ts';
import { placeOf } from './read-cells.ts';
import { type Cell, replaceCells, selectCells } from './select-list.ts';

export const extractNestedData: ComponentType = {
  type: 'extract-nested-data-sf',
  group: 'nested',
  summary: 'Turns the values inside semi-structured columns into columns, and the items of arrays into rows.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    columns: {
      form: 'tree',
      meaning:
        'the elements to extract; each has `name` (its key), `datatype`, `size`, `decimalPlaces`, `columnName`, `aliasName`, `isArray`, `include` and `childElements`; the child `element` or `<name>-element` of an array describes an item of the array',
    },
    outerJoin: { form: 'yes-no', meaning: 'whether a row whose array has no items is kept, with NULLs' },
    castingMethod: {
      form: 'choice',
      meaning: 'what happens to a value that cannot be converted to its type',
      choices: ['Fail on invalid data', 'Replace all unparseable values with null'],
    },
    caseColumnAliasNames: { form: 'choice', meaning: 'only `No`', choices: ['No', 'False'] },
    inputAlias: { form: 'text', meaning: 'the name of the input in SQL', isIgnored: true },
    arrayPrefix: { form: 'text', meaning: 'the names of the arrays in SQL', isIgnored: true },
  },
  bind: bindTree,
};

/** The facts that are the same for all elements. */
interface Extraction {
  readonly binding: Binding;
  readonly flattening: Flattening;
  readonly isOuter: boolean;
  readonly isTry: boolean;
}

function bindTree(binding: Binding): RowsOutput {
  const { parameters, reader } = binding;
  const flattening = openFlattening(binding);
  const method = readText(childOf(parameters, 'castingMethod'), reader)?.text.trim().toLowerCase();
  const extraction: Extraction = {
    binding,
    flattening,
    isOuter: readYesNo(childOf(parameters, 'outerJoin'), reader, false),
    isTry: method?.startsWith('replace') === true,
  };
  const extracted = itemsOf(childOf(parameters, 'columns')).flatMap((element) => {
    const column = findInputColumn(
      fieldOf(element, 'columnName', binding),
      onlyInput(binding),
      binding.dialect,
    );
    return extract(element, { value: flattening.column(column), steps: [] }, extraction);
  });
  const place = placeOf(binding, 'columns');
  if (extracted.length === 0)
    throw new ParameterError('no element is included: set `include` to Yes for at least one element', place);
  const before = includesInput(binding) ? flattening.inputCells : [];
  return selectCells(replaceCells(before, extracted), flattening.from(), place);
}

/** The position of an element: a column or an item of an array, and the keys from there to the element. */
interface Position {
  readonly value: string;
  readonly steps: readonly string[];
}

const fields = new Set([
  'name',
  'datatype',
  'size',
  'decimalPlaces',
  'columnName',
  'aliasName',
  'isArray',
  'include',
  'childElements',
]);

/** The included elements in depth-first order. */
function extract(
  element: YamlNode,
  parent: Position,
  extraction: Extraction,
  array?: string,
): readonly Cell[] {
  const { binding, flattening, isOuter, isTry } = extraction;
  refuseUnknown(element, binding);
  const name = fieldOf(element, 'name', binding);
  const isItem = array !== undefined && [`${array}-element`, 'element'].includes(name.text);
  const position = isItem ? parent : { ...parent, steps: [...parent.steps, name.text] };
  const value = fixedText(valueText(position), name.placeOf(0));
  const isArray = flagOf(element, 'isArray', binding);
  const isIncluded = flagOf(element, 'include', binding);
  const type = isIncluded ? typeOf(element, binding) : undefined;
  const elementCells =
    type === undefined
      ? []
      : [flattening.cell(fieldOf(element, 'aliasName', binding).text, value, type, isTry)];
  const inner = isArray
    ? { value: flattening.flatten(value, { isOuter, mode: 'BOTH' }), steps: [] }
    : position;
  const children = itemsOf(childOf(element, 'childElements'));
  return [
    ...elementCells,
    ...children.flatMap((child) => extract(child, inner, extraction, isArray ? name.text : undefined)),
  ];
}

/** A path in the warehouse's SQL: `value:"a"."b"`. */
function valueText({ value, steps }: Position): string {
  return value + steps.map((step, index) => `${index === 0 ? ':' : '.'}${quoteName(step)}`).join('');
}

function typeOf(element: YamlNode, binding: Binding): ReturnType<typeof readType> {
  const cell = (key: string) => readText(childOf(element, key), binding.reader);
  const cells = {
    type: fieldOf(element, 'datatype', binding),
    size: cell('size'),
    precision: cell('decimalPlaces'),
  };
  return readType(cells, binding.dialect.warehouse);
}

function fieldOf(element: YamlNode, key: string, { reader }: Binding): SourceText {
  const written = readText(childOf(element, key), reader);
  if (written !== undefined) return written;
  throw new ParameterError(
    `an element of ${parameterOf(element, reader)} has no \`${key}\``,
    placeOfNode(element, reader),
  );
}

function flagOf(element: YamlNode, key: string, { reader }: Binding): boolean {
  return readYesNo(childOf(element, key), reader, false);
}

function refuseUnknown(element: YamlNode, { reader }: Binding): void {
  if (element.kind !== 'map') {
    throw new ParameterError(
      `expected an element with name, datatype, … in ${parameterOf(element, reader)}, found a ${element.kind}`,
      placeOfNode(element, reader),
    );
  }
  for (const [key, { value }] of element.entries) {
    if (!fields.has(key)) throw new Refusal(`\`${key}\` of an element`, placeOfNode(value, reader));
  }
}
