import { expect, test } from 'vitest';
import { FileProblems, type WarehouseKind } from '../../../engine/index.ts';
import { readExport } from '../../../flows/schemas/read-export.ts';
import { schemasFiles } from '../../../flows/schemas/schemas-text.ts';

const header =
  'table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,character_maximum_length,numeric_precision,numeric_scale';

async function typesOf(rows: readonly string[], kind: WarehouseKind): Promise<Record<string, unknown>> {
  const lines = rows.map((row, index) => `D,S,T,c${index},${index + 1},${row}`);
  const [table] = await readExport([header, ...lines].join('\n'), 'x.csv', kind);
  return Object.fromEntries(
    (table?.columns ?? []).map(({ type }, index) => [rows[index] ?? '', type ?? 'unknown']),
  );
}

test('the types of the first kind are written as its SQL writes them', async () => {
  const types = {
    'TEXT,16777216,,': 'VARCHAR',
    'TEXT,20,,': 'VARCHAR(20)',
    'TEXT,20.0,,': 'VARCHAR(20)',
    'TEXT,16777216.0,,': 'VARCHAR',
    'NUMBER,,38,0': 'NUMBER(38,0)',
    'NUMBER,,12.0,2.0': 'NUMBER(12,2)',
    'FLOAT,,,': 'FLOAT',
    'BOOLEAN,,,': 'BOOLEAN',
    'DATE,,,': 'DATE',
    'TIME,,,': 'TIME',
    'TIMESTAMP_NTZ,,,': 'TIMESTAMP',
    'TIMESTAMP_LTZ,,,': 'TIMESTAMP_LTZ',
    'TIMESTAMP_TZ,,,': 'TIMESTAMP_TZ',
    'BINARY,,,': 'BINARY',
    'VARIANT,,,': 'VARIANT',
    'ARRAY,,,': 'ARRAY',
    'OBJECT,,,': 'OBJECT',
    'GEOGRAPHY,,,': 'unknown',
    'VECTOR,,,': 'unknown',
  };
  expect(await typesOf(Object.keys(types), 'WAREHOUSE_ONE')).toEqual(types);
});

test('the types of the second kind are written as its SQL writes them', async () => {
  const types = {
    'character varying,256,NULL,NULL': 'VARCHAR(256)',
    'character,3,,': 'unknown',
    'smallint,,16,0': 'SMALLINT',
    'integer,,32,0': 'INTEGER',
    'bigint,,64,0': 'BIGINT',
    'numeric,,18,4': 'DECIMAL(18,4)',
    'double precision,,53,': 'FLOAT',
    'real,,24,': 'unknown',
    'boolean,,,': 'BOOLEAN',
    'date,,,': 'DATE',
    'timestamp without time zone,,,': 'TIMESTAMP',
    'timestamp with time zone,,,': 'TIMESTAMP_TZ',
    'super,,,': 'SUPER',
    'geometry,,,': 'unknown',
    'hllsketch,,,': 'unknown',
  };
  expect(await typesOf(Object.keys(types), 'WAREHOUSE_TWO')).toEqual(types);
});

test('columns are in the order of their positions, and files in the order of their names', async () => {
  const csv = `\uFEFFORDINAL_POSITION,TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,DATA_TYPE,COMMENT
2,B,T,"x: y",DATE,"a, b"
1,B,T,no,DATE,
1,b,T,ID,DATE,
1,A,"Order Lines",ID,DATE,`;
  const tables = await readExport(csv, 'x.csv', 'WAREHOUSE_ONE');
  const files = schemasFiles(tables, [{ database: 'D', schema: 'A' }]);
  expect(files.map(({ name, text }) => [name, text.split('\n').slice(1)])).toEqual([
    ['A.yaml', ['Order Lines:', '  ID: DATE', '']],
    ['B.yaml', ['B.T:', '  "no": DATE', '  "x: y": DATE', '']],
    ['b-2.yaml', ['b.T:', '  ID: DATE', '']],
  ]);
});

test.each([
  [
    'a,b\n',
    '1:1 the header lacks `table_schema`, `table_name`, `column_name`, `data_type`: give the CSV of `SELECT * FROM information_schema.columns`, with its header',
  ],
  [`${header}\nD,S,T,,1,DATE,,,`, '2:7 `column_name` is empty'],
  [`${header}\nD,S,T,A,one,DATE,,,`, '2:9 `ordinal_position` is "one", which is not a whole number'],
  [`${header}\nD,S,T,A,1,NUMBER,,12.5,2`, '2:19 `numeric_precision` is "12.5", which is not a whole number'],
  [`${header}\nD,S,T,A,1,NUMBER,,12,-2`, '2:22 `numeric_scale` is "-2", which is not a whole number'],
  [
    `${header}\nD,S,T,A,1,TEXT,many,,`,
    '2:16 `character_maximum_length` is "many", which is not a whole number',
  ],
  [
    `${header}\nD,S,T,A,1,DATE,,,\nD,S,T,A,1,DATE,,,`,
    '3:7 the table "T" has the column "A" in line 2 already: export each table once',
  ],
  [`${header}\nD,S,T`, '2:1 this row has 3 fields, but the header has 9: add or remove fields'],
  [
    `${header};\n`.replaceAll(',', ';'),
    '1:1 the fields of the file are separated by semicolons: save the file with commas between the fields',
  ],
])('a mistake in an export is refused with its place (%#)', async (csv, message) => {
  const error: unknown = await readExport(csv, 'x.csv', 'WAREHOUSE_ONE').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FileProblems);
  const { problems } = error as FileProblems;
  expect(problems.map(({ line, column, message: text }) => `${line}:${column} ${text}`)).toEqual([message]);
});
