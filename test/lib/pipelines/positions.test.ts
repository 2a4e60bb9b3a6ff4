import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  property,
  string,
  uniqueArray,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Range } from '../../../lib/core/outcomes/finding.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';

/** The part of a text that a range marks, counted afresh: lines by splitting, columns by slicing. */
function marked(text: string, { line, column, endLine, endColumn }: Range): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/);
  if (line !== endLine) throw new Error('a name is on one line');
  return (lines[line - 1] ?? '').slice(column - 1, endColumn - 1);
}

const name = string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

describe('the place of a component', () => {
  test('marks its name, quotes included, in block and flow style, whatever the name and the line ends', () => {
    assert(
      property(
        uniqueArray(name, { minLength: 1, maxLength: 8 }),
        constantFrom('\n', '\r\n'),
        constantFrom('', '\uFEFF'),
        boolean(),
        (names, lineEnd, mark, flow) => {
          const written = names.map((each) => JSON.stringify(each));
          const lines = flow
            ? [`pipeline: { components: { ${written.map((key) => `${key}: { type: x }`).join(', ')} } }`]
            : ['pipeline:', '  components:', ...written.flatMap((key) => [`    ${key}:`, '      type: x'])];
          const text = mark + lines.join(lineEnd);
          const document = readPipeline('a.orch.yaml', text);
          expect(document.problems).toEqual([]);
          expect([...document.components.keys()]).toEqual(names);
          expect([...document.components.values()].map(({ range }) => marked(text, range))).toEqual(written);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('any orchestration', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const type = constantFrom('start', 'end-success', 'end-failure', 'sql-executor', 'fixed-iterator', 'and');
  const targets = array(constantFrom(...ids, 'gone'), { maxLength: 2 });

  test('gets one finding at most per rule and component, and every finding marks its component', async () => {
    const rules = ['unused-components', 'start-and-end-components', 'copied-variables']
      .map((id) => `- { id: ${id}, enabled: true, enforcementLevel: error }`)
      .join('\n');
    await assert(
      asyncProperty(
        array(type, { minLength: 6, maxLength: 6 }),
        array(targets, { minLength: 6, maxLength: 6 }),
        array(targets, { minLength: 6, maxLength: 6 }),
        async (types, success, iteration) => {
          const text = [
            'pipeline:',
            '  components:',
            ...ids.map((id, index) => {
              const [target = ''] = iteration[index] ?? [];
              const next = (success[index] ?? []).join(', ');
              return `    ${id}: { type: ${types[index] ?? ''}, transitions: { success: [${next}] }, iterationTarget: ${target} }`;
            }),
          ].join('\n');
          const { results } = await reviewFiles({
            rulesFile: { path: 'rules.yaml', text: `rules:\n${rules}` },
            pipelines: [{ path: 'a.orch.yaml', text }],
          });
          const found = results.get('a.orch.yaml') ?? [];
          expect(found.length).toBe(3);
          for (const { status, violations, errorDetail } of found) {
            expect(status === 'FAILED').toBe(violations.length > 0);
            expect(status === 'ERROR').toBe(errorDetail !== undefined);
            const named = violations.map(({ component }) => component);
            expect(new Set(named).size).toBe(named.length);
            for (const { component, range } of violations) {
              expect(marked(text, range)).toBe(component ?? 'components');
            }
          }
        },
      ),
      { numRuns: 300, seed: 11 },
    );
  });
});

test('a file of twenty thousand components is reviewed without counting every pair', async () => {
  const count = 20_000;
  const lines = Array.from(
    { length: count },
    (_, index) => `    c${index}: { type: sql-executor, transitions: { success: [c${index + 1}] } }`,
  );
  const text = [
    'pipeline:',
    '  components:',
    '    Start: { type: start, transitions: { success: [c0] } }',
    ...lines,
  ];
  const { results } = await reviewFiles({
    rulesFile: {
      path: 'rules.yaml',
      text: 'rules: [{ id: start-and-end-components, enabled: true, enforcementLevel: error }]',
    },
    pipelines: [{ path: 'a.orch.yaml', text: text.join('\n') }],
  });
  const [result] = results.get('a.orch.yaml') ?? [];
  expect(result?.violations.map(({ component }) => component)).toEqual([`c${count - 1}`]);
});
