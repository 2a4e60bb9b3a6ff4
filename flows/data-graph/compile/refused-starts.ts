import { startProblems } from '../../pipeline-tests/files/broken-pipeline.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import type { CompileFinding } from './compile-report.ts';

/**
 * The findings about pipelines that do not start: they have no components or no start, or a key or reference that
 * means nothing. Lines at which binding already found a problem are left out.
 */
export function refusedStarts({
  project,
  pipelines,
}: Pick<DataGraph, 'project' | 'pipelines'>): readonly CompileFinding[] {
  return [...pipelines].flatMap(([pipeline, { problems }]) => {
    const document = project.pipeline(pipeline);
    const found = new Set(problems.map(({ place }) => place.line));
    return (document === undefined ? [] : startProblems(document))
      .filter(({ line }) => !found.has(line))
      .map(({ file, line, column, message }) => {
        const text = `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '');
        return {
          file,
          line,
          column,
          rule: 'cannot-run' as const,
          severity: 'error' as const,
          pipeline,
          tables: [],
          subject: text,
          message: text,
          related: [],
        };
      });
  });
}
