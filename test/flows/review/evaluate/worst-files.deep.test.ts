import { test } from 'vitest';
import { maxPipelineBytes } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { expectReviewOf } from './worst-files.ts';
import { worstShapes } from './worst-shapes.ts';

test.each(Object.entries(worstShapes))(
  'the largest allowed file of %s is reviewed',
  async (_title, shape) => {
    await expectReviewOf(shape, maxPipelineBytes);
  },
);
