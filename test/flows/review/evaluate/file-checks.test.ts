import { expect, test } from 'vitest';
import { breachesInTurns, fileChecks } from '../../../../flows/review/evaluate/file-checks.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { worstShapes } from './worst-shapes.ts';

const ownChecks = ['unknown-key', 'dangling-reference', 'literal-environment', 'undeclared-variable'];
const shapes = Object.entries(worstShapes).filter(([, { check }]) => ownChecks.includes(check));

test.each(shapes)('the check of a file of %s ends at its next pause after a cancel', async (_, shape) => {
  const document = readPipeline(shape.file, shape.text(64 * 1024));
  const controller = new AbortController();
  let steps = 0;
  function* watched() {
    for (const step of fileChecks(
      document,
      (check) => check === shape.check,
      () => false,
    )) {
      steps += 1;
      if (steps === 20) controller.abort(new Error('cancelled in the test'));
      yield step;
    }
  }
  await expect(breachesInTurns(watched(), controller.signal)).rejects.toThrow('cancelled in the test');
  expect(steps).toBe(20);
});

test('a check that finds nothing in a large file pauses, too', () => {
  const names = Array.from({ length: 500 }, (_, index) => `\${v${index}}`).join('');
  const document = readPipeline(
    'a.orch.yaml',
    `pipeline: { components: { A: { type: sql-executor, parameters: { a: 1, sqlScript: "${names}" } } } }`,
  );
  const steps = [
    ...fileChecks(
      document,
      (check) => check !== 'dangling-reference',
      () => true,
    ),
  ];
  expect(steps.every((step) => step === undefined)).toBe(true);
  expect(steps.length).toBeGreaterThan(1000);
});
