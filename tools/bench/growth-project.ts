const environment = 'database: "[Environment Default]", schema: "[Environment Default]"';

/** How many pipelines belong together; a project has a multiple of them. */
export const unitSize = 5;

/** How many units a table goes through, one after the other. */
const chainLength = 10;

/**
 * The files of a project of this many pipelines, by their paths. Each unit loads a table, cleans it, joins it with a table of the
 * unit before, writes a report and reads a log that all units write. All loads call each other in one cycle; every report has a call
 * of a pipeline that does not exist, and every tenth one a call that is known only at run time.
 */
export function growthProject(pipelines: number): ReadonlyMap<string, string> {
  const units = Math.max(1, Math.floor(pipelines / unitSize));
  const files = new Map([
    ['millrace.yaml', 'version: 1\nreview: { checks: { unknown-call: error, call-cycle: error } }\n'],
    ['.platform/config/pipeline_quality_rules.yaml', 'rules: []\n'],
  ]);
  for (let unit = 0; unit < units; unit += 1)
    for (const [file, text] of Object.entries(unitFiles(unit, units))) files.set(file, text);
  return files;
}

/** The files that a change edits: it renames a column that other pipelines read, in every tenth unit. */
export function growthChange(pipelines: number): ReadonlyMap<string, string> {
  return new Map(
    [...growthProject(pipelines)]
      .filter(([file]) => /\/clean-\d*0\.tran\.yaml$/.test(file))
      .map(([file, text]) => [file, text.replace('DOUBLED]', 'TWICE]')]),
  );
}

function unitFiles(unit: number, units: number): Readonly<Record<string, string>> {
  const folder = `area-${unit % 20}`;
  const next = (unit + 1) % units;
  const before = unit % chainLength === 0 ? `CLEAN_${unit}` : `JOINED_${unit - 1}`;
  return {
    [`${folder}/load-${unit}.orch.yaml`]: orchestration([
      script(
        'Create',
        `CREATE OR REPLACE TABLE RAW_${unit} (id NUMBER, amount NUMBER(10,2), name VARCHAR(20)); CREATE TABLE IF NOT EXISTS LOAD_LOG (unit NUMBER, loaded DATE)`,
      ),
      script('Log', `INSERT INTO LOAD_LOG SELECT ${unit}, CURRENT_DATE FROM RAW_${unit}`),
      call('Clean', 'transformation', `${folder}/clean-${unit}`),
      call('Next', 'orchestration', `area-${next % 20}/load-${next}`),
    ]),
    [`${folder}/clean-${unit}.tran.yaml`]:
      transformation(`${input('Rows', `RAW_${unit}`, 'ID, AMOUNT, NAME')}    Large:
      type: filter
      sources: [Rows]
      parameters: { filterConditions: [[AMOUNT, Is, Greater than or equal to, "6"]], combineCondition: And }
    Priced:
      type: calculator
      sources: [Large]
      parameters: { includeInputColumns: "Yes", calculations: [['"AMOUNT" * 2', DOUBLED]] }
${output('Priced', `CLEAN_${unit}`)}`),
    [`${folder}/join-${unit}.tran.yaml`]:
      transformation(`${input('Clean', `CLEAN_${unit}`, 'ID, DOUBLED')}${input('Before', before, 'ID, DOUBLED')}    Both:
      type: join
      sources: [Clean, Before]
      parameters:
        mainTable: Clean
        mainTableAlias: c
        joins: [[Before, b, Left]]
        joinExpressions: [['"c"."ID" = "b"."ID"', c_Left_b]]
        columnMappings: [[c.ID, ID], [c.DOUBLED, DOUBLED], [b.DOUBLED, EARLIER]]
${output('Both', `JOINED_${unit}`)}`),
    [`${folder}/report-${unit}.orch.yaml`]: orchestration([
      script(
        'Report',
        `CREATE OR REPLACE TABLE REPORT_${unit} AS SELECT id, doubled - earlier AS grown FROM JOINED_${unit}`,
      ),
      call('Wrong', 'orchestration', `${folder}/laod-${unit}`),
      ...(unit % 10 === 0 ? [call('Any', 'orchestration', '${target}')] : []),
    ]),
    [`${folder}/log-${unit}.tran.yaml`]: transformation(
      `${input('Log', 'LOAD_LOG', 'UNIT, LOADED')}${output('Log', `LOG_COPY_${unit}`)}`,
    ),
    [`${folder}/clean-${unit}.test.yaml`]: `pipeline: ${folder}/clean-${unit}
tests:
  - name: large rows
    given:
      RAW_${unit}:
        columns: { ID: NUMBER, AMOUNT: 'NUMBER(10,2)', NAME: VARCHAR(20) }
        rows:
          - { ID: 1, AMOUNT: 5, NAME: small }
          - { ID: 2, AMOUNT: 6, NAME: large }
    expect:
      tables:
        CLEAN_${unit}: { rows: [{ ID: 2, DOUBLED: 12 }] }
`,
  };
}

interface Step {
  readonly name: string;
  readonly type: string;
  readonly parameters: string;
}

function script(name: string, sql: string): Step {
  const parameters = `{ scriptLocation: Component, sqlScript: ${JSON.stringify(sql)} }`;
  return { name, type: 'sql-executor', parameters };
}

function call(name: string, kind: 'orchestration' | 'transformation', target: string): Step {
  return { name, type: `run-${kind}`, parameters: `{ ${kind}Job: ${JSON.stringify(target)} }` };
}

/** An orchestration that runs the steps one after the other. */
function orchestration(steps: readonly Step[]): string {
  const parts = steps.map(
    ({ name, type, parameters }, index) => `    ${name}:
      type: ${type}
      transitions: { success: [${steps[index + 1]?.name ?? 'Done'}] }
      parameters: ${parameters}
`,
  );
  return `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [${steps[0]?.name ?? 'Done'}] } }
${parts.join('')}    Done: { type: end-success }
  variables:
    target: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "" }
`;
}

function input(name: string, table: string, columns: string): string {
  return `    ${name}:
      type: table-input
      parameters: { ${environment}, targetTable: ${table}, columnNames: [${columns}] }
`;
}

function output(source: string, table: string): string {
  return `    Write:
      type: rewrite-table
      sources: [${source}]
      parameters: { ${environment}, targetTable: ${table} }
`;
}

function transformation(components: string): string {
  return `type: transformation
version: "1.0"
pipeline:
  components:
${components}`;
}
