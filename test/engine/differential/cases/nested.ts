import * as fc from 'fast-check';
import {
  type CaseKind,
  type ColumnName,
  plainColumns,
  quote,
  read,
  readAll,
  yesNo,
} from '../differential-case.ts';
import { literal } from '../random-tables.ts';
import { extractNestedData } from './extract.ts';
import { text, type TypeName, types } from './value-types.ts';

const documentMappings: readonly (readonly [property: string, type: TypeName, json: string])[] = [
  ['name', 'VARCHAR', `i."DOC" -> 'name'`],
  ['price', 'WHOLE', `i."DOC" -> 'price'`],
  ['ok', 'BOOLEAN', `i."DOC" -> 'ok'`],
  ['"a key"', 'VARIANT', `i."DOC" -> 'a key'`],
  ['"a key"."b.c"', 'VARCHAR', `i."DOC" -> 'a key' -> 'b.c'`],
  [
    'lines[0].sku',
    'VARCHAR',
    `CASE WHEN jsonb_typeof(i."DOC" -> 'lines') = 'array' THEN i."DOC" -> 'lines' -> 0 -> 'sku' END`,
  ],
  ['', 'VARIANT', 'i."DOC"'],
];

const itemMappings: readonly (readonly [property: string, type: TypeName, key: string])[] = [
  ['', 'VARIANT', ''],
  ['sku', 'VARCHAR', 'sku'],
  ['qty', 'WHOLE', 'qty'],
  ['parts', 'VARIANT', 'parts'],
];

const modes = { Both: undefined, Array: 'array', Object: 'object' } as const;

const flattenVariant: CaseKind = {
  title: 'flatten-variant',
  types: ['flatten-variant'],
  tables: { docs: 'docs' },
  cases: fc
    .record({
      mapped: fc.shuffledSubarray([...documentMappings], { minLength: 1, maxLength: 3 }),
      ofItems: fc.shuffledSubarray([...itemMappings], { minLength: 1, maxLength: 2 }),
      isFlattened: fc.boolean(),
      isNested: fc.boolean(),
      isOuter: fc.boolean(),
      mode: fc.constantFrom(...(['Both', 'Array', 'Object'] as const)),
      includes: fc.boolean(),
    })
    .map(({ mapped, ofItems, isFlattened, isNested, isOuter, mode, includes }) => {
      const flattens = [
        ...(isFlattened ? [['DOC', 'lines', 'line', yesNo(isOuter), 'No', mode]] : []),
        ...(isFlattened && isNested ? [['line', 'parts', 'part', 'No', 'No', 'Both']] : []),
      ];
      const lines = `i."DOC" -> 'lines'`;
      const jsonType = modes[mode];
      const flattened =
        jsonType === undefined
          ? lines
          : `CASE WHEN jsonb_typeof(${lines}) = ${literal(jsonType)} THEN ${lines} END`;
      const joins = [
        ...(isFlattened
          ? [`${isOuter ? 'LEFT ' : ''}JOIN LATERAL items(${flattened}) AS line(v) ON true`]
          : []),
        ...(isFlattened && isNested ? [`JOIN LATERAL items(line.v -> 'parts') AS part(v) ON true`] : []),
      ];
      const ofLine = isFlattened ? ofItems : [];
      const ofPart = isFlattened && isNested;
      const cells = [
        ...mapped.map(([, type, json]) => types[type].sql(json)),
        ...ofLine.map(([, type, key]) =>
          types[type].sql(key === '' ? 'line.v' : `line.v -> ${literal(key)}`),
        ),
        ...(ofPart ? [text('part.v')] : []),
      ];
      return {
        components: {
          ...readAll('docs', 'docs'),
          F: {
            type: 'flatten-variant',
            sources: ['docs'],
            parameters: {
              includeInputColumns: yesNo(includes),
              columnMapping: [
                ...mapped.map(([property, type], index) => [
                  'DOC',
                  property,
                  types[type].cells[0],
                  `M${index}`,
                ]),
                ...ofLine.map(([property, type], index) => [
                  'line',
                  property,
                  types[type].cells[0],
                  `L${index}`,
                ]),
                ...(ofPart ? [['part', '', 'VARCHAR', 'P']] : []),
              ],
              columnFlattens: flattens.length === 0 ? null : flattens,
            },
          },
        },
        query: `SELECT ${[...(includes ? ['i.*'] : []), ...cells].join(', ')} FROM docs i ${joins.join(' ')}`,
        mayFail: true,
      };
    }),
};

const constructVariant: CaseKind = {
  title: 'construct-variant',
  types: ['construct-variant'],
  tables: { a: 'plain' },
  cases: fc
    .shuffledSubarray<ColumnName>(
      plainColumns.filter((name) => name !== 'AT'),
      { minLength: 1 },
    )
    .map((columns) => {
      const members = columns.map((name, index) => `('key ${index}', to_jsonb(${quote(name)}))`).join(', ');
      return {
        components: {
          a: read('a'),
          C: {
            type: 'construct-variant',
            sources: ['a'],
            parameters: {
              columnMappings: columns.map((name, index) => [name, `key ${index}`]),
              outputSlot: 'DOC',
            },
          },
        },
        query: `SELECT *, (SELECT coalesce(jsonb_object_agg(k, v), '{}') FROM (VALUES ${members}) AS m(k, v) WHERE v IS NOT NULL) FROM a`,
      };
    }),
};

export const nestedCases: readonly CaseKind[] = [extractNestedData, flattenVariant, constructVariant];
