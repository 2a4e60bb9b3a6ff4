import { expect, test } from 'vitest';
import { pipelineOf, reviewProject } from '../review-project.ts';
import { expectReviewOf } from './worst-files.ts';
import { worstShapes } from './worst-shapes.ts';

test.each(Object.entries(worstShapes))('a quarter of a mebibyte of %s is reviewed', async (_title, shape) => {
  await expectReviewOf(shape, 256 * 1024);
});

test('a review that is cancelled ends before it has read all pipelines', async () => {
  using project = reviewProject();
  for (let index = 0; index < 20; index += 1)
    project.write(`p${index}.orch.yaml`, pipelineOf('Start', 'bad'));
  project.commit('Pipelines');
  const controller = new AbortController();
  const reading = project.review({}, controller.signal);
  setImmediate(function cancel() {
    controller.abort(new Error('cancelled in the test'));
  });
  await expect(reading).rejects.toThrow('cancelled in the test');
});
