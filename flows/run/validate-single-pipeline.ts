import { Failure } from '../../lib/core/failure.ts';

/** Throws Failure 'usage' if the pipeline of an execution is a folder or a glob. */
export function validateSinglePipeline(pipeline: string): void {
  if (!pipeline.endsWith('/') && !pipeline.includes('*')) return;
  throw new Failure('usage', {
    message: `"${pipeline}" is a ${pipeline.includes('*') ? 'glob' : 'folder'}, but an execution runs one pipeline.`,
    where: { input: 'pipeline' },
    hint: 'Give the path of one pipeline in the project, such as daily/load.',
  });
}
