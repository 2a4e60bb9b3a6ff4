import { assert, asyncProperty } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';
import type { RuleResult } from '../../../lib/pipelines/rule-result.ts';
import { qualityRules } from '../../../lib/pipelines/rules/quality-rules.ts';
import { anyPipeline, chooser, whims } from './any-pipeline.ts';
import { type PipelineModel, verdictsOf } from './rule-model.ts';
import { writeInStyle, type Written } from './write-in-style.ts';

const configs: Readonly<Record<string, string>> = {
  'minimum-components': 'minComponents: 2',
  'maximum-components': 'maxComponents: 4',
  'component-naming-convention': 'regexMatchPattern: "[A-Z].*"',
  'maximum-outputs': 'maxOutputs: 1',
};
const rulesFile = {
  path: 'rules.yaml',
  text: `rules:\n${[...qualityRules.keys()]
    .map((id) => `- { id: ${id}, enabled: true, enforcementLevel: warn, config: { ${configs[id] ?? ''} } }`)
    .join('\n')}`,
};

async function review(model: PipelineModel, { text }: Written): Promise<readonly RuleResult[]> {
  const path = `a.${model.kind}.yaml`;
  const { results } = await reviewFiles({ rulesFile, pipelines: [{ path, text }] });
  return results.get(path) ?? [];
}

const placeOf = ({ line, column, endLine, endColumn }: RuleResult['violations'][number]['range']) =>
  `${line}:${column}-${endLine}:${endColumn}`;

describe('a pipeline written in any style', () => {
  test('gets exactly the findings that a simple model of the rules says, each on its name', async () => {
    const seen = new Set<string>();
    await assert(
      asyncProperty(anyPipeline, whims, async (model, numbers) => {
        const written = writeInStyle(model, chooser(numbers));
        const expected = Array.from(verdictsOf(model), ([rule, verdict]) => {
          const at = verdict.map(
            (what) => written.places.get(what === 'no start' ? 'file' : what) ?? 'nowhere',
          );
          for (const what of verdict)
            seen.add(`${model.kind} ${rule} ${['file', 'no start'].includes(what) ? what : 'component'}`);
          return `${rule} ${verdict[0] === 'no start' ? 'ERROR' : at.length === 0 ? 'PASSED' : 'FAILED'} ${at.join(' ')}`;
        });
        const found = (await review(model, written)).map(({ ruleName, status, violations, errorDetail }) => {
          const ranges =
            errorDetail === undefined ? violations.map(({ range }) => range) : [errorDetail.range];
          return `${ruleName} ${status} ${ranges.map(placeOf).join(' ')}`;
        });
        expect(found.toSorted(), written.text).toEqual(expected.toSorted());
      }),
      { numRuns: 800, seed: 5 },
    );
    // Every way to break every rule came up.
    expect([...seen].toSorted()).toMatchInlineSnapshot(`
      [
        "orch component-naming-convention component",
        "orch copied-variables component",
        "orch maximum-components file",
        "orch minimum-components file",
        "orch start-and-end-components component",
        "orch start-and-end-components file",
        "orch unused-components component",
        "orch unused-components no start",
        "tran component-naming-convention component",
        "tran copied-variables component",
        "tran end-output-components component",
        "tran maximum-components file",
        "tran maximum-outputs file",
        "tran minimum-components file",
        "tran unused-components component",
      ]
    `);
  });

  test('is not a pipeline where a component occurs twice; every rule reports this at the second', async () => {
    await assert(
      asyncProperty(
        anyPipeline.filter(({ components }) => components.length > 0),
        whims,
        async (model, numbers) => {
          const written = writeInStyle(model, chooser(numbers), true);
          const results = await review(model, written);
          expect(results.length).toBeGreaterThan(4);
          for (const { status, errorDetail } of results) {
            expect(status).toBe('ERROR');
            expect(errorDetail?.type).toBe('designer/document-parse-error');
            expect(errorDetail && placeOf(errorDetail.range), written.text).toBe(written.twice);
          }
        },
      ),
      { numRuns: 200, seed: 6 },
    );
  });
});
