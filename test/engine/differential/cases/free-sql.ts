import * as fc from 'fast-check';
import { type CaseKind, read, readAll } from '../differential-case.ts';

/** Queries over the components `a` and `b` in the warehouse's SQL, and in PostgreSQL's. */
const queries: readonly (readonly [warehouse: string, postgres: string])[] = [
  ['SELECT * FROM $T{a}', 'SELECT * FROM a'],
  [
    "SELECT ID, Name AS n FROM $T{a} WHERE name LIKE '%a' OR NOT ok ORDER BY id DESC;",
    'SELECT "ID", "NAME" FROM a WHERE "NAME" LIKE \'%a\' OR NOT "OK"',
  ],
  [
    'WITH big AS (SELECT id, SUM(amount) AS total FROM $T{a} GROUP BY id HAVING COUNT(*) > 1) SELECT b.name, big.total FROM big JOIN $T{b} b ON b.id = big.id',
    'SELECT b."NAME", g.t FROM (SELECT "ID" AS i, sum("AMOUNT") AS t FROM a GROUP BY "ID" HAVING count(*) > 1) g, b WHERE b."ID" = g.i',
  ],
  [
    'SELECT id, name FROM $T{a} UNION SELECT id, note FROM $T{b}',
    'SELECT "ID", "NAME" FROM a UNION SELECT "ID", "NOTE" FROM b',
  ],
  [
    'SELECT id, amount FROM $T{a} UNION ALL SELECT amount, id FROM $T{b}',
    'SELECT "ID", "AMOUNT" FROM a UNION ALL SELECT "AMOUNT", "ID" FROM b',
  ],
  [
    'SELECT name, day FROM $T{a} EXCEPT SELECT name, day FROM $T{b}',
    'SELECT "NAME", "DAY" FROM a EXCEPT SELECT "NAME", "DAY" FROM b',
  ],
  [
    'SELECT name FROM $T{a} INTERSECT SELECT note FROM $T{b}',
    'SELECT "NAME" FROM a INTERSECT SELECT "NOTE" FROM b',
  ],
  [
    'SELECT id, amount, day FROM $T{a} QUALIFY RANK() OVER (PARTITION BY name ORDER BY amount DESC, id) <= 2',
    'SELECT "ID", "AMOUNT", "DAY" FROM (SELECT *, rank() OVER (PARTITION BY "NAME" ORDER BY "AMOUNT" DESC NULLS FIRST, "ID" ASC NULLS LAST) AS r FROM a) q WHERE r <= 2',
  ],
  [
    'SELECT name, NULLIF(id, 2) AS k FROM $T{a} QUALIFY ROW_NUMBER() OVER (PARTITION BY name ORDER BY NULLIF(id, 2)) <= 2',
    'SELECT "NAME", k FROM (SELECT *, nullif("ID", 2) AS k, row_number() OVER (PARTITION BY "NAME" ORDER BY nullif("ID", 2)) AS r FROM a) q WHERE r <= 2',
  ],
  [
    'SELECT id FROM $T{a} WHERE id < 0 QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1',
    'SELECT min("ID") FROM a WHERE "ID" < 0 HAVING count(*) > 0',
  ],
  [
    'SELECT name, COUNT(DISTINCT id), AVG(amount), MIN(at), MAX(note), COUNT_IF(ok) FROM $T{a} GROUP BY 1',
    'SELECT "NAME", count(DISTINCT "ID"), divided(sum("AMOUNT"), count("AMOUNT"), 8), min("AT"), max("NOTE"), count(*) FILTER (WHERE "OK") FROM a GROUP BY "NAME"',
  ],
  [
    "SELECT ok, LISTAGG(name, '|') WITHIN GROUP (ORDER BY name DESC) FROM $T{a} GROUP BY ok",
    `SELECT "OK", coalesce(string_agg("NAME", '|' ORDER BY "NAME" DESC), '') FROM a GROUP BY "OK"`,
  ],
  [
    'SELECT a.id, (SELECT COUNT(*) FROM $T{b} b WHERE b.id = a.id) FROM $T{a} a WHERE EXISTS (SELECT 1 FROM $T{b} b WHERE b.name = a.name)',
    'SELECT a."ID", (SELECT count(*) FROM b WHERE b."ID" = a."ID") FROM a WHERE EXISTS (SELECT FROM b WHERE b."NAME" = a."NAME")',
  ],
  [
    'SELECT id FROM $T{a} WHERE id NOT IN (SELECT id FROM $T{b})',
    'SELECT "ID" FROM a WHERE "ID" NOT IN (SELECT "ID" FROM b)',
  ],
  [
    'SELECT id, b.total FROM $T{a} a LEFT JOIN $T{b} b USING (id)',
    'SELECT a."ID", b."TOTAL" FROM a LEFT JOIN b ON a."ID" = b."ID"',
  ],
  [
    'SELECT id, a.note, b.note AS other FROM $T{a} a FULL OUTER JOIN $T{b} b USING (id)',
    'SELECT coalesce(a."ID", b."ID"), a."NOTE", b."NOTE" FROM a FULL JOIN b ON a."ID" = b."ID"',
  ],
  [
    'SELECT DISTINCT day, ok FROM $T{a}, (VALUES (1), (2)) AS v(n) WHERE n <= id',
    'SELECT DISTINCT "DAY", "OK" FROM a CROSS JOIN (VALUES (1), (2)) AS v(n) WHERE n <= "ID"',
  ],
  [
    'SELECT id, SUM(amount) OVER (PARTITION BY ok ORDER BY id, part, name, note, total, rate, day, at ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM $T{a}',
    'SELECT "ID", sum("AMOUNT") OVER (PARTITION BY "OK" ORDER BY "ID", "PART", "NAME", "NOTE", "TOTAL", "RATE", "DAY", "AT", "AMOUNT" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a',
  ],
  [
    `SELECT * FROM (SELECT ok, name, amount FROM $T{a}) PIVOT (SUM(amount) FOR name IN ('a', 'b'))`,
    `SELECT "OK", sum("AMOUNT") FILTER (WHERE "NAME" = 'a'), sum("AMOUNT") FILTER (WHERE "NAME" = 'b') FROM a GROUP BY "OK"`,
  ],
  [
    'SELECT * FROM (SELECT id, amount, total FROM $T{a}) UNPIVOT (v FOR k IN (amount, total))',
    `SELECT "ID", k, v FROM a, LATERAL (VALUES ('AMOUNT', "AMOUNT"), ('TOTAL', "TOTAL")) AS u(k, v) WHERE v IS NOT NULL`,
  ],
  [
    'SELECT MEDIAN(rate), STDDEV(rate), SUM(id), COUNT(id), ANY_VALUE(1) FROM $T{a}',
    'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY "RATE"), stddev_samp("RATE"), sum("ID"), count("ID"), CASE WHEN count(*) > 0 THEN 1 END FROM a',
  ],
];

const sql: CaseKind = {
  title: 'sql',
  types: ['sql'],
  tables: { a: 'plain', b: 'plain' },
  cases: fc.constantFrom(...queries).map(([warehouse, postgres]) => ({
    components: {
      a: read('a'),
      b: read('b'),
      Query: { type: 'sql', sources: ['a', 'b'], parameters: { query: warehouse } },
    },
    query: postgres,
  })),
};

const documents: readonly (readonly [warehouse: string, postgres: string])[] = [
  [
    'SELECT doc:name::varchar AS name, doc:"a key"."b.c"::varchar AS c FROM $T{docs}',
    `SELECT "DOC" ->> 'name', "DOC" -> 'a key' ->> 'b.c' FROM docs`,
  ],
  [
    'SELECT d.id, f.index, f.value::varchar AS v FROM $T{docs} d, LATERAL FLATTEN(input => d.doc:tags) f WHERE f.index IS NOT NULL',
    `SELECT d."ID", ordinality - 1, v #>> '{}' FROM docs d, jsonb_array_elements(CASE WHEN jsonb_typeof(d."DOC" -> 'tags') = 'array' THEN d."DOC" -> 'tags' ELSE '[]' END) WITH ORDINALITY AS f(v)`,
  ],
  [
    'SELECT d.id, f.key, f.value FROM $T{docs} d, LATERAL FLATTEN(input => d.doc:"a key") f',
    `SELECT d."ID", f.key, f.value FROM docs d, jsonb_each(CASE WHEN jsonb_typeof(d."DOC" -> 'a key') = 'object' THEN d."DOC" -> 'a key' ELSE '{}' END) f`,
  ],
  [
    'SELECT name, ARRAY_AGG(id) WITHIN GROUP (ORDER BY id) AS ids, COUNT(doc:ok) FROM $T{docs} GROUP BY name',
    `SELECT "NAME", coalesce(jsonb_agg("ID" ORDER BY "ID") FILTER (WHERE "ID" IS NOT NULL), '[]'), count("DOC" -> 'ok') FROM docs GROUP BY "NAME"`,
  ],
  [
    `SELECT id, ARRAY_SIZE(doc:tags), doc:name = 'a', TYPEOF(doc:lines) FROM $T{docs}`,
    `SELECT "ID", CASE WHEN jsonb_typeof("DOC" -> 'tags') = 'array' THEN jsonb_array_length("DOC" -> 'tags') END, "DOC" ->> 'name' = 'a',
      CASE jsonb_typeof("DOC" -> 'lines') WHEN 'null' THEN 'NULL_VALUE' WHEN 'number' THEN CASE WHEN ("DOC" ->> 'lines')::numeric % 1 = 0 THEN 'INTEGER' ELSE 'DECIMAL' END ELSE upper(jsonb_typeof("DOC" -> 'lines')) END FROM docs`,
  ],
  [
    `SELECT OBJECT_CONSTRUCT('id', id, 'name', name, 'doc', doc) AS o, ARRAY_CONSTRUCT(id, name) AS a FROM $T{docs}`,
    `SELECT (SELECT coalesce(jsonb_object_agg(k, v), '{}') FROM (VALUES ('id', to_jsonb("ID")), ('name', to_jsonb("NAME")), ('doc', "DOC")) AS m(k, v) WHERE v IS NOT NULL), jsonb_build_array("ID", "NAME") FROM docs`,
  ],
];

const sqlOfDocuments: CaseKind = {
  title: 'sql of semi-structured values',
  types: ['sql'],
  tables: { docs: 'docs' },
  cases: fc.constantFrom(...documents).map(([warehouse, postgres]) => ({
    components: {
      ...readAll('docs', 'docs'),
      Query: { type: 'sql', sources: ['docs'], parameters: { query: warehouse } },
    },
    query: postgres,
  })),
};

export const sqlCases: readonly CaseKind[] = [sql, sqlOfDocuments];
