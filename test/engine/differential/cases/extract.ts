import * as fc from 'fast-check';
import { type CaseKind, readAll, yesNo } from '../differential-case.ts';
import { literal } from '../random-tables.ts';
import { text, type TypeName, types, type ValueType } from './value-types.ts';

/** A part of a document: a key with a value, an object or an array. */
interface Element {
  readonly name: string;
  readonly type?: TypeName;
  readonly isArray?: true;
  readonly children?: readonly Element[];
}

const item = (array: string, element: Omit<Element, 'name'>): Element => ({
  ...element,
  name: `${array}-element`,
});

const scalars: readonly Element[] = [
  { name: 'name', type: 'VARCHAR' },
  { name: 'price', type: 'NUMBER' },
  { name: 'price', type: 'WHOLE' },
  { name: 'day', type: 'DATE' },
  { name: 'ok', type: 'BOOLEAN' },
  { name: 'a key', type: 'VARIANT' },
  {
    name: 'a key',
    children: [
      { name: 'b.c', type: 'VARCHAR' },
      { name: 'w', type: 'NUMBER' },
    ],
  },
  { name: 'none', type: 'VARCHAR' },
];

const arrays: readonly Element[] = [
  { name: 'tags', isArray: true, children: [item('tags', { type: 'VARCHAR' })] },
  { name: 'tags', type: 'VARIANT', isArray: true, children: [{ name: 'element', type: 'VARIANT' }] },
  {
    name: 'lines',
    isArray: true,
    children: [
      item('lines', {
        children: [
          { name: 'sku', type: 'VARCHAR' },
          { name: 'qty', type: 'NUMBER' },
          { name: 'parts', isArray: true, children: [item('parts', { type: 'VARCHAR' })] },
        ],
      }),
    ],
  },
];

/** The tree as a file has it, with the aliases `V0`, `V1`, … in the order of the output. */
function treeOf(elements: readonly Element[], next: () => number): readonly unknown[] {
  return elements.map(({ name, type, isArray, children }) => {
    const [datatype, size, decimalPlaces] = types[type ?? 'VARIANT'].cells;
    return {
      name,
      datatype,
      size,
      decimalPlaces,
      columnName: 'DOC',
      aliasName: type === undefined ? name : `V${next()}`,
      isArray: String(isArray === true),
      include: String(type !== undefined),
      childElements: children === undefined ? null : treeOf(children, next),
    };
  });
}

interface Extracted {
  readonly cells: readonly string[];
  readonly joins: readonly string[];
}

/** The same tree in PostgreSQL: its values, and a lateral join for each array. */
function oracleOf(
  elements: readonly Element[],
  parent: string,
  isArrayItem: boolean,
  options: { readonly isOuter: boolean; readonly isTry: boolean; readonly next: () => number },
): Extracted {
  const parts = elements.map(({ name, type, isArray, children = [] }): Extracted => {
    const json = isArrayItem ? parent : `(${parent} -> ${literal(name)})`;
    const valueType: ValueType | undefined = type === undefined ? undefined : types[type];
    const isGood = `${text(json)} ~ ${literal(valueType?.pattern ?? '')}`;
    const cell = valueType?.sql(json) ?? '';
    const tried =
      options.isTry && valueType?.pattern !== undefined ? `CASE WHEN ${isGood} THEN ${cell} END` : cell;
    const elementCells = valueType === undefined ? [] : [tried];
    if (isArray !== true) {
      const inner = oracleOf(children, json, false, options);
      return { cells: [...elementCells, ...inner.cells], joins: inner.joins };
    }
    const alias = `f${options.next()}`;
    const join = `${options.isOuter ? 'LEFT ' : ''}JOIN LATERAL items(${json}) AS ${alias}(v) ON true`;
    const inner = oracleOf(children, `${alias}.v`, true, options);
    return { cells: [...elementCells, ...inner.cells], joins: [join, ...inner.joins] };
  });
  return { cells: parts.flatMap(({ cells }) => cells), joins: parts.flatMap(({ joins }) => joins) };
}

function counter(): () => number {
  let count = 0;
  return () => (count += 1);
}

export const extractNestedData: CaseKind = {
  title: 'extract-nested-data-sf',
  types: ['extract-nested-data-sf'],
  tables: { docs: 'docs' },
  cases: fc
    .record({
      elements: fc
        .tuple(
          fc.uniqueArray(fc.constantFrom(...scalars), { maxLength: 3, selector: ({ name }) => name }),
          fc.uniqueArray(fc.constantFrom(...arrays), { maxLength: 2, selector: ({ name }) => name }),
        )
        .map((both) => both.flat())
        .filter(({ length }) => length > 0),
      includes: fc.boolean(),
      isOuter: fc.boolean(),
      isTry: fc.boolean(),
    })
    .map(({ elements, includes, isOuter, isTry }) => {
      const { cells, joins } = oracleOf(elements, 'i."DOC"', false, { isOuter, isTry, next: counter() });
      return {
        components: {
          ...readAll('docs', 'docs'),
          E: {
            type: 'extract-nested-data-sf',
            sources: ['docs'],
            parameters: {
              includeInputColumns: yesNo(includes),
              outerJoin: isOuter ? 'True' : 'No',
              inputAlias: 'i',
              arrayPrefix: 'f',
              castingMethod: isTry ? 'Replace all unparseable values with null' : 'Fail on invalid data',
              caseColumnAliasNames: 'No',
              columns: treeOf(elements, counter()),
            },
          },
        },
        query: `SELECT ${[...(includes ? ['i.*'] : []), ...cells].join(', ')} FROM docs i ${joins.join(' ')}`,
        mayFail: true,
      };
    }),
};
