import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkIds } from '../../../../lib/config/project/review-schema.ts';
import { reviewLocally } from '../../../../flows/review/review-locally.ts';
import { reviewOnPlatform } from '../../../../flows/review/review-on-platform.ts';
import type { ReviewReport, ReviewRequest } from '../../../../flows/review/scope/review-request.ts';
import { qualityRules } from '../../../../lib/pipelines/rules/quality-rules.ts';
import { createFlowEnvironment, reviewRequestOf, type FlowEnvironment } from '../../flow-environment.ts';

const rules = `rules:
  - { id: minimum-components, enabled: true, enforcementLevel: error, config: { minComponents: 2 } }
  - { id: maximum-components, enabled: true, enforcementLevel: warn, config: { maxComponents: 6 } }
  - { id: component-naming-convention, enabled: true, enforcementLevel: error, config: { regexMatchPattern: "[A-Z].*" } }
  - { id: unused-components, enabled: true, enforcementLevel: error }
  - { id: copied-variables, enabled: true, enforcementLevel: warn }
  - { id: start-and-end-components, enabled: true, enforcementLevel: error }
  - { id: maximum-outputs, enabled: true, enforcementLevel: error, config: { maxOutputs: 1 } }
  - { id: end-output-components, enabled: true, enforcementLevel: warn }
`;

type Plant = readonly [rule: string, suffix: string, lines: readonly string[]];

/** Good pipelines with one thing wrong each; the line that ends in `#!` is where it is found. */
const plants: readonly Plant[] = [
  ['minimum-components', 'tran', ['  components: {} #!']],
  [
    'maximum-components',
    'orch',
    [
      '  components: #!',
      '    Start: { type: start, transitions: { success: [A] } }',
      ...['A', 'B', 'C', 'D', 'E'].map(
        (name, index) =>
          `    ${name}: { type: x, transitions: { success: [${['B', 'C', 'D', 'E', 'End'][index]}] } }`,
      ),
      '    End: { type: end-success }',
    ],
  ],
  [
    'component-naming-convention',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [bad] } }',
      '    bad: { type: end-success } #!',
    ],
  ],
  [
    'unused-components',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [End] } }',
      '    End: { type: end-success }',
      '    Lost: { type: x, transitions: { success: [End] } } #!',
    ],
  ],
  [
    'copied-variables',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Each] } }',
      '    Each: { type: loop-iterator, iterationTarget: Work, transitions: { success: [End] }, parameters: { concurrency: Sequential, variableToIterate: day } } #!',
      '    Work: { type: x }',
      '    End: { type: end-success }',
      '  variables:',
      '    day: { metadata: { type: TEXT, scope: COPIED } }',
    ],
  ],
  [
    'start-and-end-components',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Stop] } }',
      '    Stop: { type: x } #!',
    ],
  ],
  [
    'maximum-outputs',
    'tran',
    [
      '  components: #!',
      '    In: { type: table-input }',
      '    One: { type: rewrite-table, sources: [In] }',
      '    Two: { type: rewrite-table, sources: [In] }',
    ],
  ],
  [
    'end-output-components',
    'tran',
    [
      '  components:',
      '    In: { type: table-input }',
      '    Out: { type: rewrite-table, sources: [In] }',
      '    Nowhere: { type: filter, sources: [In] } #!',
    ],
  ],
  [
    'millrace/unknown-call',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Run] } }',
      '    Run:',
      '      type: run-orchestration',
      '      transitions: { success: [End] }',
      '      parameters:',
      '        orchestrationJob: no/such #!',
      '    End: { type: end-success }',
    ],
  ],
  [
    'millrace/dangling-reference',
    'tran',
    [
      '  components:',
      '    In: { type: table-input }',
      '    Out:',
      '      type: rewrite-table',
      '      sources:',
      '        - In',
      '        - Gone #!',
    ],
  ],
  [
    'millrace/call-cycle',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Again] } }',
      '    Again:',
      '      type: run-orchestration',
      '      transitions: { success: [End] }',
      '      parameters:',
      '        orchestrationJob: "PATH" #!',
      '    End: { type: end-success }',
    ],
  ],
  [
    'millrace/unknown-key',
    'tran',
    [
      '  components:',
      '    In: { type: table-input }',
      '    Out:',
      '      type: rewrite-table',
      '      sources: [In]',
      '      targetTable: orders #!',
    ],
  ],
  [
    'millrace/unknown-parameter',
    'tran',
    [
      '  components:',
      '    In: { type: table-input }',
      '    Out:',
      '      type: rewrite-table',
      '      sources: [In]',
      '      parameters:',
      '        targetTabel: orders #!',
    ],
  ],
  [
    'millrace/wrong-type',
    'tran',
    ['  components:', '    In: { type: table_input } #!', '    Out: { type: rewrite-table, sources: [In] }'],
  ],
  [
    'millrace/literal-environment',
    'tran',
    [
      '  components:',
      '    In: { type: table-input, parameters: { schema: "[Environment Default]" } }',
      '    Out:',
      '      type: rewrite-table',
      '      sources: [In]',
      '      parameters:',
      '        warehouse: "${warehouse}"',
      '        targetSchema: DEV #!',
      '  variables: { warehouse: { metadata: { type: TEXT } } }',
    ],
  ],
  [
    'millrace/undeclared-variable',
    'tran',
    [
      '  components:',
      '    In: { type: table-input }',
      '    Out:',
      '      type: rewrite-table',
      '      sources: [In]',
      '      parameters:',
      '        comment: "${project_wide} ${nobody}" #!',
    ],
  ],
  [
    'millrace/passed-variable',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Run] } }',
      '    Run:',
      '      type: run-orchestration',
      '      transitions: { success: [End] }',
      '      parameters:',
      '        orchestrationJob: "team 1/p1"',
      '        setScalarVariables:',
      '          - [project_wide, "1"]',
      '          - [nobody, "1"] #!',
      '    End: { type: end-success }',
    ],
  ],
  [
    'millrace/missing-file',
    'orch',
    [
      '  components:',
      '    Start: { type: start, transitions: { success: [Load] } }',
      '    Load:',
      '      type: sql-executor',
      '      transitions: { success: [End] }',
      '      parameters:',
      '        scriptLocation: File',
      '        fileName: sql/nowhere.sql #!',
      '    End: { type: end-success }',
    ],
  ],
];

/** In files of their own: what is not a pipeline, and what a release promised. */
const others: readonly (readonly [rule: string, file: string, text: string, line: number])[] = [
  ['millrace/connector-file', 'connector-profile:custom-42.json', '{}', 1],
  [
    'millrace/shared-id-changed',
    '.platform/shared-pipelines.yaml',
    'type: shared-pipelines-config\npipelines:\n  - pipeline: team 0/p0\n    id: new-id\n    parameters:\n      nobody: { type: TEXT }\n',
    3,
  ],
];

/** A line of the shared-pipelines file above, with a violation of another check. */
const more: readonly string[] = ['millrace/shared-pipelines-file .platform/shared-pipelines.yaml:6'];

/** Commits ten thousand files in a second: one by one on disk they take ten times as long. */
function commitAll(
  directory: string,
  files: ReadonlyMap<string, string>,
  message: string,
  parent = '',
): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = Array.from(
    files,
    ([file, text]) => `M 100644 inline ${JSON.stringify(file)}\n${data(text)}`,
  );
  const head = `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\n${data(message)}${parent}`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: directory, input: head + changes.join('') });
}

/** Declares the tests on a project of this many pipelines. */
export function testPlantedViolations(count: number): void {
  describe(`planted in a project of ${count} pipelines`, () => {
    let env: FlowEnvironment;
    const expected: string[] = [];
    const request = (): ReviewRequest =>
      reviewRequestOf(env, {
        checks: Object.fromEntries(checkIds.map((check) => [check, 'error'])),
        variables: ['project_*'],
      });
    const found = ({ findings }: ReviewReport) =>
      findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`).toSorted();

    beforeAll(async () => {
      env = await createFlowEnvironment();
      const released = others.map(([, file, text]): [string, string] => [
        file,
        text.replace('new-id', 'old-id'),
      ]);
      commitAll(env.work.directory, new Map(released.slice(1)), 'What was released');
      env.work.git('tag', 'v1', 'main');
      const files = new Map([['.platform/config/pipeline_quality_rules.yaml', rules]]);
      for (let index = 0; index < count; index += 1) {
        const [rule, suffix, lines] = plants[Math.floor(index / 3) % plants.length] ?? ['', '', []];
        const planted = index % 3 === 0;
        const file = `team ${index % 7}/p${index}.${planted ? suffix : 'orch'}.yaml`;
        const good = [
          '  components:',
          '    Start: { type: start, transitions: { success: [End] } }',
          '    End: { type: end-success }',
        ];
        const eol = index % 4 === 0 ? '\r\n' : '\n';
        const type = planted && suffix === 'tran' ? 'transformation' : 'orchestration';
        const text = [`type: ${type}`, 'pipeline:', ...(planted ? lines : good), ''];
        files.set(file, (index % 5 === 0 ? '\uFEFF' : '') + text.join(eol).replace('PATH', file));
        if (planted) expected.push(`${rule} ${file}:${text.findIndex((line) => line.endsWith('#!')) + 1}`);
      }
      for (const [rule, file, text, line] of others) {
        files.set(file, text);
        expected.push(`${rule} ${file}:${line}`);
      }
      expected.push(...more);
      commitAll(env.work.directory, files, 'A project', 'from refs/heads/main^0\n');
      env.push();
      expected.sort();
    });
    afterAll(() => env[Symbol.asyncDispose]());

    test('every rule and every check of our own is planted', () => {
      const planted = new Set(expected.map((one) => one.split(' ')[0]));
      expect(planted).toEqual(
        new Set([...qualityRules.keys(), ...checkIds.map((check) => `millrace/${check}`)]),
      );
      expect(expected.length).toBe(Math.ceil(count / 3) + others.length + more.length);
    });

    test('exactly the violations are found here, each on its line', async () => {
      expect(found(await reviewLocally(request(), env.context))).toEqual(expected);
    });

    test('exactly the violations are found through the platform, each on its line', async () => {
      expect(found(await reviewOnPlatform(request(), env.context))).toEqual(expected);
    }, 240_000);
  });
}
