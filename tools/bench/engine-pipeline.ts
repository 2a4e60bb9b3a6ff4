/**
 * A transformation of twenty components over two tables: two reads, a join, eleven calculators and filters in turn,
 * and others; and the same SQL as a person would write it in one statement.
 */
export const rows = 1_000_000;

/** DuckDB's SQL that creates the tables in a schema. */
export function createTables(schema: string): readonly string[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE OR REPLACE TABLE ${schema}.orders AS SELECT
       CAST(i AS DECIMAL(38, 0)) AS "ID", CAST(i % 1000 AS DECIMAL(38, 0)) AS "CUSTOMER",
       CAST((i % 10007) / 100 AS DECIMAL(12, 2)) AS "AMOUNT", 'north ' || (i % 7) AS "REGION",
       DATE '2026-01-01' + CAST(i % 365 AS INTEGER) AS "DAY" FROM range(${rows}) t(i)`,
    `CREATE OR REPLACE TABLE ${schema}.customers AS SELECT
       CAST(i AS DECIMAL(38, 0)) AS "ID", 'customer ' || i AS "NAME", i % 3 = 0 AS "VIP" FROM range(1000) t(i)`,
    `CREATE OR REPLACE TABLE ${schema}.texts AS SELECT
       CAST("DAY" AS VARCHAR) AS "DAY", CAST("DAY" + to_seconds(i % 86400) AS VARCHAR) AS "MOMENT",
       CAST("AMOUNT" AS VARCHAR) AS "AMOUNT", CAST("ID" AS VARCHAR) AS "NUMBER"
       FROM (SELECT *, CAST("ID" AS BIGINT) AS i FROM ${schema}.orders)`,
  ];
}

const links: readonly string[] = Array.from({ length: 5 }, (_, index) => [
  `Price ${index}:
  type: calculator
  sources: [${index === 0 ? 'Joined' : `Keep ${index - 1}`}]
  parameters:
    includeInputColumns: "Yes"
    calculations: [['"AMOUNT" * ${index + 2} + "ID"', PRICE_${index}]]
`,
  `Keep ${index}:
  type: filter
  sources: [Price ${index}]
  parameters: { filterConditions: [[PRICE_${index}, Is, Greater than, "${index}"]], combineCondition: And }
`,
]).flat();

export const components = `orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID, CUSTOMER, AMOUNT, REGION, DAY] }
customers:
  type: table-input
  parameters: { targetTable: customers, columnNames: [ID, NAME, VIP] }
Joined:
  type: join
  sources: [orders, customers]
  parameters:
    mainTable: orders
    mainTableAlias: o
    joins: [[customers, c, Left]]
    joinExpressions: [['"o"."CUSTOMER" = "c"."ID"', o_Left_c]]
    columnMappings: [[o.ID, ID], [o.AMOUNT, AMOUNT], [o.REGION, REGION], [o.DAY, DAY], [c.NAME, NAME], [c.VIP, VIP]]
${links.join('')}Typed:
  type: convert-type
  sources: [Keep 4]
  parameters: { conversions: [[PRICE_0, NUMBER, "38", "2"]] }
Months:
  type: calculator
  sources: [Typed]
  parameters: { includeInputColumns: "Yes", calculations: [['month("DAY")', MONTH]] }
Named:
  type: rename
  sources: [Months]
  parameters: { includeInputColumns: "No", columnMapping: [[ID, ID], [REGION, AREA], [MONTH, MONTH], [PRICE_0, PRICE], [PRICE_4, LAST], [NAME, NAME]] }
Early:
  type: filter
  sources: [Named]
  parameters: { filterConditions: [[MONTH, Is, Less than or equal to, "11"]], combineCondition: And }
Shown:
  type: calculator
  sources: [Early]
  parameters: { includeInputColumns: "Yes", calculations: [['upper("AREA")', LABEL]] }
Final:
  type: rename
  sources: [Shown]
  parameters: { includeInputColumns: "No", columnMapping: [[ID, ID], [LABEL, LABEL], [MONTH, MONTH], [PRICE, PRICE], [LAST, LAST], [NAME, NAME]] }
Write:
  type: rewrite-table
  sources: [Final]
  parameters: { targetTable: result }
`;

/** A query for the rows of `components`, as a person writes it. */
export function handWritten(schema: string): string {
  const price = (index: number) => `CAST(o."AMOUNT" * ${index + 2} + o."ID" AS DECIMAL(38, 2))`;
  const prices = [0, 1, 2, 3, 4].map((index) => `${price(index)} > ${index}`);
  return `CREATE OR REPLACE TABLE ${schema}.result AS SELECT o."ID", upper(o."REGION") AS "LABEL",
    CAST(month(o."DAY") AS DECIMAL(4, 0)) AS "MONTH", ${price(0)} AS "PRICE", ${price(4)} AS "LAST", c."NAME"
    FROM ${schema}.orders o LEFT JOIN ${schema}.customers c ON o."CUSTOMER" = c."ID"
    WHERE ${prices.join(' AND ')} AND month(o."DAY") <= 11`;
}

/** A division of each row. */
export const division = `orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID, CUSTOMER, AMOUNT] }
Divided:
  type: calculator
  sources: [orders]
  parameters:
    includeInputColumns: "Yes"
    calculations: [['"AMOUNT" / ("CUSTOMER" + 1)', SHARE]]
Write:
  type: rewrite-table
  sources: [Divided]
  parameters: { targetTable: shares }
`;

/** The division as DuckDB computes it: with floating-point numbers, which are not exact. */
export function dividedByHand(schema: string): string {
  return `CREATE OR REPLACE TABLE ${schema}.shares AS
    SELECT "ID", "CUSTOMER", "AMOUNT", "AMOUNT" / ("CUSTOMER" + 1) AS "SHARE" FROM ${schema}.orders`;
}

/** Casts of texts of each row. */
export const casts = `texts:
  type: table-input
  parameters: { targetTable: texts, columnNames: [DAY, MOMENT, AMOUNT, NUMBER] }
Converted:
  type: convert-type
  sources: [texts]
  parameters: { conversions: [[DAY, DATE, "", ""], [MOMENT, TIMESTAMP, "", ""], [AMOUNT, NUMBER, "12", "2"], [NUMBER, FLOAT, "", ""]] }
Write:
  type: rewrite-table
  sources: [Converted]
  parameters: { targetTable: converted }
`;

/** The casts by DuckDB, which also reads texts that a warehouse refuses. */
export function castByHand(schema: string): string {
  return `CREATE OR REPLACE TABLE ${schema}.converted AS
    SELECT CAST("DAY" AS DATE) AS "DAY", CAST("MOMENT" AS TIMESTAMP) AS "MOMENT",
    CAST("AMOUNT" AS DECIMAL(12, 2)) AS "AMOUNT", CAST("NUMBER" AS DOUBLE) AS "NUMBER" FROM ${schema}.texts`;
}
