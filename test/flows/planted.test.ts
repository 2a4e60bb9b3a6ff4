import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reviewLocally } from '../../flows/review/review-locally.ts';
import { reviewOnPlatform } from '../../flows/review/review-on-platform.ts';
import type { ReviewRequest } from '../../flows/review/review-request.ts';
import { setStage, source, type Stage } from './stage.ts';

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
];

describe('planted in a project of 400 pipelines', () => {
  let stage: Stage;
  const expected: string[] = [];

  beforeEach(async () => {
    expected.length = 0;
    stage = await setStage();
    stage.work.write('.platform/config/pipeline_quality_rules.yaml', rules);
    for (let index = 0; index < 400; index += 1) {
      const [rule, suffix, lines] = plants[index % plants.length] ?? ['', '', []];
      const planted = index % 3 === 0;
      const file = `team ${index % 7}/p${index}.${planted ? suffix : 'orch'}.yaml`;
      const good = [
        '  components:',
        '    Start: { type: start, transitions: { success: [End] } }',
        '    End: { type: end-success }',
      ];
      const eol = index % 3 === 0 ? '\r\n' : '\n';
      const text = ['type: x', 'pipeline:', ...(planted ? lines : good), ''];
      stage.work.write(file, (index % 5 === 0 ? '\uFEFF' : '') + text.join(eol));
      if (planted) expected.push(`${rule} ${file}:${text.findIndex((line) => line.endsWith('#!')) + 1}`);
    }
    stage.work.commit('A project');
    stage.push();
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  test('exactly the violations are found, each on its line, here and through the platform', async () => {
    const request: ReviewRequest = {
      ...source(stage),
      branch: 'main',
      scope: 'all',
      configDir: '.platform',
      agentVersion: '9.0.0',
      failOn: 'error',
      checks: { 'unknown-call': 'error', 'dangling-reference': 'error', 'call-cycle': 'error' },
    };
    const found = ({ findings }: Awaited<ReturnType<typeof reviewLocally>>) =>
      findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`).toSorted();

    expect(new Set(expected.map((one) => one.split(' ')[0])).size).toBe(plants.length);
    expect(found(await reviewLocally(request, stage.context))).toEqual(expected.toSorted());
    expect(found(await reviewOnPlatform(request, stage.context))).toEqual(expected.toSorted());
  });
});
