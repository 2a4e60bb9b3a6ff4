import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

async function rows(sql: string): Promise<unknown> {
  return JSON.parse(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse));
}

async function valueOf(expression: string): Promise<unknown> {
  const [row] = (await rows(`select ${expression} as x`)) as readonly (readonly unknown[])[];
  return row?.[0];
}

const LEVELS = "parse_xml('<a> 1 <b> 2 <c>3A</c> <c>3B </c> </b> </a>')";
const FEED = `parse_xml('<?xml version="1.0"?><!-- feed --><channel id="7" xml:lang="en">
  <title><![CDATA[a < b]]></title><item><guid>g1</guid><pubDate>2026-01-02</pubDate></item>
  <item><guid>g2</guid><pubDate/></item></channel>')`;

test.each([
  ["parse_xml('<a/>')", { $: '', '@': 'a' }],
  [
    'parse_xml(\'<a b="1" c="&lt;x&#65;&#x42;">t &amp; u</a>\')',
    { $: 't & u', '@': 'a', '@b': '1', '@c': '<xAB' },
  ],
  ["parse_xml('<a>12.50</a>')", { $: 12.5, '@': 'a' }],
  ["parse_xml('<a>007</a>')", { $: '007', '@': 'a' }],
  ["parse_xml('<a>true</a>')", { $: true, '@': 'a' }],
  ["parse_xml('<a>12</a>', true)", { $: '12', '@': 'a' }],
  ["parse_xml('<a>12</a>', false)", { $: 12, '@': 'a' }],
  ['parse_xml(null)', null],
  [`xmlget(${LEVELS}, 'b'):"$"`, [2, { $: '3A', '@': 'c' }, { $: '3B', '@': 'c' }]],
  [`xmlget(xmlget(${LEVELS}, 'b'), 'c', 1):"$"::string`, '3B'],
  [`xmlget(xmlget(${LEVELS}, 'b'), 'c', 2)`, null],
  [`xmlget(${LEVELS}, 'c')`, null],
  ["xmlget(parse_json('{\"b\": 1}'), 'b')", null],
  [`get(${FEED}, '@id')::number`, 7],
  [`${FEED}:"@xml:lang"::string`, 'en'],
  [`get(${FEED}, '@')::string`, 'channel'],
  [`xmlget(${FEED}, 'title'):"$"::string`, 'a < b'],
  [`${LEVELS}::varchar`, '<a>1<b>2<c>3A</c><c>3B</c></b></a>'],
  [`to_xml(xmlget(${FEED}, 'title'))`, '<title>a &lt; b</title>'],
  ['to_varchar(parse_xml(\'<t a="&quot;">22257e111</t>\'))', '<t a="&quot;">2.2257e+115</t>'],
  ["to_varchar(parse_xml('<test>22257e111</test>', true))", '<test>22257e111</test>'],
  ['parse_json(\'{"$": 1, "a": 2}\')::varchar', '{"$":1,"a":2}'],
  ['\'{"$":1,"@":"a"}\'::variant::varchar', '{"$":1,"@":"a"}'],
  // JSON stays JSON.
  ['parse_json(\'{"@":"a","$":"t","z":1}\')::varchar', '{"$":"t","@":"a","z":1}'],
  ['to_varchar(parse_json(\'{"@":"a","$":null}\'))', '{"$":null,"@":"a"}'],
  ['parse_json(\'{"@":"a b","$":1}\')::varchar', '{"$":1,"@":"a b"}'],
  ['parse_json(\'{"@":"a","$":{"x":1}}\')::varchar', '{"$":{"x":1},"@":"a"}'],
  ['parse_json(\'{"@":1,"$":[null]}\')::varchar', '{"$":[null],"@":1}'],
  ['parse_json(\'{"@":"a","@x":1}\')::varchar', '{"@":"a","@x":1}'],
  ['object_keys(parse_json(\'{"@":"a","$":"t","z":1}\'))', ['$', '@', 'z']],
  ['array_size(array_agg(value)) from table(flatten(parse_json(\'{"@":"a","$":"t","z":1}\')))', 3],
  ['xmlget(parse_json(\'{"$":[{"@":"b"}]}\'), \'b\')', null],
  ["object_construct('@', 'a', '$', 't', 'z', 1)::varchar", '{"$":"t","@":"a","z":1}'],
  ["array_agg(x)::varchar from (select parse_xml('<a>t</a>') x)", '[{"$":"t","@":"a"}]'],
  ["typeof(parse_xml('<a/>'))", 'OBJECT'],
  ["check_xml('<a><b></b></a>')", null],
  ["check_xml('<a><b></a>')", 'Error parsing XML: the end tag of b is expected, at character 10'],
  ["check_xml('<a>&nbsp;</a>')", 'Error parsing XML: the entity &nbsp; is not known, at character 4'],
  ["check_xml('<a/><b/>')", 'Error parsing XML: there is more after the root element, at character 5'],
  ["check_xml('<a')", 'Error parsing XML: a space or the end of the tag is expected, at character 3'],
  [
    "check_xml('<a b=1/>')",
    'Error parsing XML: the value of the attribute b is not a text in quotes, at character 6',
  ],
  ['check_xml(\'<a b="1" b="2"/>\')', 'Error parsing XML: the attribute b appears twice, at character 15'],
  // XML has four blanks.
  ['check_xml(\'<a \t\r\nb \t\r\n= \t\r\n"1" \t\r\n/>\')', null],
  ["check_xml('text')", 'Error parsing XML: an element is expected, at character 1'],
])('%s', async (expression, value) => {
  expect(await valueOf(expression)).toEqual(value);
});

test.each(['<a\u{a0}b="1"/>', '<a b\u{3000}="1"/>', '<a b=\u{a0}"1"/>', '<a b="1"></a\u{2003}>'])(
  'XML has no other blanks: %j',
  async (xml) => {
    expect(await valueOf(`check_xml('${xml}')`)).toMatch(/^Error parsing XML/);
    await expect(rows(`select parse_xml('${xml}')`)).rejects.toThrow('Error parsing XML');
  },
);

test('FLATTEN gives the children of an element, which a LIKE of their XML chooses', async () => {
  const sql = `select xmlget(value, 'guid', 0):"$"::string, xmlget(value, 'pubDate', 0):"$"::date
    from (select ${FEED} x) f, lateral flatten(to_array(f.x:"$")) where value like '<item><guid>g1%'`;
  expect(await rows(sql)).toEqual([['g1', '2026-01-02']]);
});

test.each([
  ["select parse_xml('<a>')", 'Error parsing XML: the end of the element a is missing'],
  ["select parse_xml('')", 'Millrace does not support PARSE_XML of an empty text'],
  ['select parse_xml(\'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>\')', 'definitions in the DOCTYPE of XML'],
  [
    "select to_xml(parse_json('1'))",
    'Millrace does not support TO_XML of a value that is not an XML element',
  ],
  ["select value from table(flatten(parse_xml('<a>1</a>')))", 'does not support FLATTEN of an XML element'],
  ["select parse_xml(repeat('<a>', 600))", 'Millrace does not support XML of more than 500 levels'],
  ["select object_keys(parse_xml('<a>1</a>'))", 'does not support OBJECT_KEYS of an XML element'],
  ['select parse_json(\'{"@":"a","$":"t"}\')', 'does not support JSON that has the form of an XML element'],
  ['select parse_json(\'{"\\\\u0040":"a","@x":1,"$":[]}\')', 'form of an XML element'],
  ['select try_parse_json(\'[{"k":{"@":"a","$":["t",{"@":"b","$":1}]}}]\')', 'form of an XML element'],
  ["select object_construct('@', 'a', '@x', '1', '$', 't')", 'OBJECT_CONSTRUCT with the keys @ and $'],
])('%s fails', async (sql, message) => {
  await expect(rows(sql)).rejects.toThrow(message);
});

test('kind 2 has no XML: an object that looks like an element is an object', async () => {
  await using two = await openWarehouse({ kind: 'WAREHOUSE_TWO', memoryLimit: '200MB' });
  const columns = [{ name: 'doc', type: { name: 'VARIANT' } }] as const;
  await two.createTable({ database: 'db', schema: 's', table: 't' }, columns, [[{ '@': 'a', $: 't' }]]);
  await two.refresh();
  const selected = await rowsOf('select doc from t', 'WAREHOUSE_TWO', two);
  expect(JSON.parse(selected)).toEqual([[{ '@': 'a', $: 't' }]]);
  await expect(rowsOf('select doc::varchar from t', 'WAREHOUSE_TWO', two)).rejects.toThrow(
    'a list or an object of a SUPER as VARCHAR',
  );
});

test('reads a document of many levels', async () => {
  const deep = "parse_xml(repeat('<a>', 300) || 'x' || repeat('</a>', 300))";
  expect(await valueOf(`length(${deep}::varchar)`)).toBe(300 * 7 + 1);
});
