/** A kind of pipeline with its test: files, and what the same test is as SQL by hand. */
interface Shape {
  /** The pipeline's path without its suffix. */
  readonly pipeline: (number: number) => string;
  readonly files: (number: number) => Readonly<Record<string, string>>;
  /** `given`, `mock` and `expect` of one test. */
  readonly test: string;
  /** DuckDB's SQL for one test, in the schema `"TEST.PUBLIC"`. */
  readonly byHand: readonly string[];
}

const environment = 'database: "[Environment Default]", schema: "[Environment Default]"';
const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const schema = '"TEST.PUBLIC"';
const orderRow = (id: number) =>
  `{ id: ${id}, customer: ${(id % 3) + 1}, amount: ${id}.50, day: '2026-01-0${(id % 9) + 1}' }`;

const givenOrders = `      orders:
        columns: { id: NUMBER, customer: NUMBER, amount: 'NUMBER(10,2)', day: DATE }
        rows:
${ids.map((id) => `          - ${orderRow(id)}\n`).join('')}`;

const ordersByHand: readonly string[] = [
  `CREATE TABLE ${schema}.orders (id DECIMAL(38,0), customer DECIMAL(38,0), amount DECIMAL(10,2), day DATE)`,
  `INSERT INTO ${schema}.orders VALUES ${ids
    .map((id) => `(${id}, ${(id % 3) + 1}, ${id}.50, '2026-01-0${(id % 9) + 1}')`)
    .join(', ')}`,
];

const readOrders = `    Orders:
      type: table-input
      parameters: { ${environment}, targetTable: orders, columnNames: [id, customer, amount, day] }
`;

const tran = (components: string) => `type: transformation
version: "1.0"
pipeline:
  components:
${components}`;

const filtered: Shape = {
  pipeline: (number) => `sales/large-orders-${number}`,
  files: (number) => ({
    [`sales/large-orders-${number}.tran.yaml`]: tran(`${readOrders}    Large:
      type: filter
      sources: [Orders]
      parameters: { filterConditions: [[amount, Is, Greater than or equal to, "6"]], combineCondition: And }
    Priced:
      type: calculator
      sources: [Large]
      parameters:
        includeInputColumns: "Yes"
        calculations: [['"amount" * 2', double], ['year("day")', year]]
    Write:
      type: rewrite-table
      sources: [Priced]
      parameters: { ${environment}, targetTable: large_orders }
`),
  }),
  test: `    given:
${givenOrders}    expect:
      tables:
        large_orders:
          rows:
${[6, 7, 8, 9, 10].map((id) => `            - { id: ${id}, amount: ${id}.5, double: ${2 * id + 1}, year: 2026 }\n`).join('')}`,
  byHand: [
    ...ordersByHand,
    `CREATE TABLE ${schema}.large_orders AS SELECT *, amount * 2 AS double, year(day) AS year FROM ${schema}.orders WHERE amount >= 6`,
    `SELECT id, amount, double, year FROM ${schema}.large_orders`,
  ],
};

const customers = [1, 2, 3];

const joined: Shape = {
  pipeline: (number) => `sales/by-region-${number}`,
  files: (number) => ({
    [`sales/by-region-${number}.tran.yaml`]: tran(`${readOrders}    Customers:
      type: table-input
      parameters: { ${environment}, targetTable: customers, columnNames: [id, region] }
    Both:
      type: join
      sources: [Orders, Customers]
      parameters:
        mainTable: Orders
        mainTableAlias: o
        joins: [[Customers, c, Left]]
        joinExpressions: [['"o"."customer" = "c"."id"', o_Left_c]]
        columnMappings: [[o.amount, amount], [c.region, region]]
    Sums:
      type: aggregate
      sources: [Both]
      parameters: { groupings: [region], aggregations: [[amount, Sum], [amount, Count]] }
    Write:
      type: rewrite-table
      sources: [Sums]
      parameters: { ${environment}, targetTable: by_region }
`),
  }),
  test: `    given:
${givenOrders}      customers:
        rows:
${customers.map((id) => `          - { id: ${id}, region: region ${id} }\n`).join('')}    expect:
      tables:
        by_region:
          rows:
            - { region: region 1, sum_amount: 19.5, count_amount: 3 }
            - { region: region 2, sum_amount: 24, count_amount: 4 }
            - { region: region 3, sum_amount: 16.5, count_amount: 3 }
`,
  byHand: [
    ...ordersByHand,
    `CREATE TABLE ${schema}.customers (id DECIMAL(38,0), region VARCHAR)`,
    `INSERT INTO ${schema}.customers VALUES ${customers.map((id) => `(${id}, 'region ${id}')`).join(', ')}`,
    `CREATE TABLE ${schema}.by_region AS SELECT region, sum(amount) AS total, count(amount) AS n FROM ${schema}.orders o LEFT JOIN ${schema}.customers c ON o.customer = c.id GROUP BY region`,
    `SELECT * FROM ${schema}.by_region`,
  ],
};

const updated: Shape = {
  pipeline: (number) => `stock/update-${number}`,
  files: (number) => ({
    [`stock/update-${number}.tran.yaml`]: tran(`${readOrders}    Update:
      type: table-update
      sources: [Orders]
      parameters:
        ${environment.replace(', ', '\n        ')}
        targetTable: known_orders
        targetAlias: target
        sourceAlias: input
        joinExpression: [['"target"."id" = "input"."id"']]
        whenMatched: [['"target"."amount" <> "input"."amount"', Update]]
        updateMapping: [[amount, amount]]
        includeNotMatched: "Yes"
        insertMapping: [[id, id], [amount, amount]]
`),
  }),
  test: `    given:
${givenOrders}      known_orders:
        columns: { id: NUMBER, amount: 'NUMBER(10,2)' }
        rows:
${[8, 9, 10, 11].map((id) => `          - { id: ${id}, amount: 1 }\n`).join('')}    expect:
      tables:
        known_orders:
          count: 11
          rows:
${[...ids, 11].map((id) => `            - { id: ${id}, amount: ${id === 11 ? 1 : `${id}.5`} }\n`).join('')}`,
  byHand: [
    ...ordersByHand,
    `CREATE TABLE ${schema}.known_orders (id DECIMAL(38,0), amount DECIMAL(10,2))`,
    `INSERT INTO ${schema}.known_orders VALUES (8, 1), (9, 1), (10, 1), (11, 1)`,
    `MERGE INTO ${schema}.known_orders AS t USING ${schema}.orders AS s ON t.id = s.id WHEN MATCHED AND t.amount <> s.amount THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (s.id, s.amount)`,
    `SELECT id, amount FROM ${schema}.known_orders`,
  ],
};

const orchestrated: Shape = {
  pipeline: (number) => `daily/load-${number}`,
  files: (number) => ({
    ...joined.files(number),
    [`daily/load-${number}.orch.yaml`]: `type: orchestration
version: "1.0"
pipeline:
  components:
    Start:
      type: start
      transitions: { unconditional: [Load Files] }
    Load Files:
      type: s3-load
      transitions: { success: [Clean], failure: [Failed] }
      parameters: { targetTable: orders }
    Clean:
      type: sql-executor
      transitions: { success: [By Region] }
      parameters:
        scriptLocation: Component
        sqlScript: 'DELETE FROM "orders" WHERE "amount" IS NULL; UPDATE "orders" SET "day" = ''\${day}'''
    By Region:
      type: run-transformation
      transitions: { success: [Count] }
      parameters: { transformationJob: sales/by-region-${number} }
    Count:
      type: query-to-scalar
      transitions: { success: [Any] }
      parameters:
        mode: Advanced
        query: 'SELECT COUNT(*) AS n FROM "by_region"'
        scalarVariableMapping: [[regions, n]]
    Any:
      type: if
      transitions: { "true": [Done], "false": [Failed] }
      parameters: { mode: Simple, condition: [[regions, Is, Greater than, "0"]], combineConditions: And }
    Done: { type: end-success }
    Failed: { type: end-failure }
  variables:
    regions: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
    day: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "2026-01-01" }
`,
  }),
  test: `    given:
      customers:
        rows:
${customers.map((id) => `          - { id: ${id}, region: region ${id} }\n`).join('')}    mock:
      Load Files:
        tables:
    ${givenOrders.replaceAll('\n', '\n    ').trimEnd()}
    expect:
      tables:
        by_region: { count: 3 }
      variables: { regions: 3 }
      ran: [Load Files, By Region, Done]
      not-ran: [Failed]
`,
  byHand: [
    ...joined.byHand.slice(0, 4),
    `DELETE FROM ${schema}.orders WHERE amount IS NULL`,
    `UPDATE ${schema}.orders SET day = DATE '2026-01-01'`,
    ...joined.byHand.slice(4),
    `SELECT count(*) FROM ${schema}.by_region`,
  ],
};

const shapes: readonly Shape[] = [filtered, joined, updated, orchestrated];
const testsPerFile = 10;

/** The files of a project of this many tests, by their paths: four kinds of pipelines, ten tests of ten rows each. */
export function projectWithTests(count: number): ReadonlyMap<string, string> {
  const full = Array.from({ length: Math.floor(count / testsPerFile) }, () => testsPerFile);
  return projectWithCases(count % testsPerFile === 0 ? full : [...full, count % testsPerFile]);
}

/** The same with a number of equal tests for each pipeline. */
export function projectWithCases(counts: readonly number[]): ReadonlyMap<string, string> {
  const files = new Map([['millrace.yaml', 'version: 1\n']]);
  for (const [number, tests] of counts.entries()) {
    const shape = shapeOf(number);
    for (const [file, text] of Object.entries(shape.files(number))) files.set(file, text);
    const cases = Array.from({ length: tests }, (_, index) => `  - name: case ${index}\n${shape.test}`);
    files.set(testFileOf(number), `pipeline: ${shape.pipeline(number)}\ntests:\n${cases.join('')}`);
  }
  return files;
}

/** The file with the tests of a pipeline of `projectWithCases`. */
export function testFileOf(number: number): string {
  return `${shapeOf(number).pipeline(number)}.test.yaml`;
}

/** The statements of the same tests, as a person would write them in DuckDB. */
export function testsByHand(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => [
    `CREATE SCHEMA ${schema}`,
    ...shapeOf(Math.floor(index / testsPerFile)).byHand,
    `DROP SCHEMA ${schema} CASCADE`,
  ]).flat();
}

function shapeOf(number: number): Shape {
  const shape = shapes[number % shapes.length];
  if (shape === undefined) throw new Error('no shape');
  return shape;
}
