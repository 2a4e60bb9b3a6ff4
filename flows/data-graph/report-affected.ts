import { z } from 'zod';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Report } from '../../lib/report/report.ts';
import type { AffectedReport } from './affected.ts';

/** What `millrace affected --json` prints. */
export const affectedReportSchema = z.object({
  changed: z
    .array(
      z.object({
        pipeline: z.string().describe('The path now; of a deleted pipeline, the old path.'),
        line: z.int().min(1).optional().describe('The first change; left out for a deleted pipeline.'),
        what: z.string(),
      }),
    )
    .describe('Pipelines that do something else than at the base.'),
  affected: z
    .array(z.object({ pipeline: z.string(), line: z.int().min(1), because: z.array(z.string()) }))
    .describe(
      'Callers, and readers of tables that changed pipelines write; `because` leads from the pipeline to the change.',
    ),
  entryPoints: z
    .array(z.string())
    .describe('Changed and affected pipelines that no pipeline of the project calls.'),
  tests: z.array(z.object({ test: z.string(), because: z.array(z.string()) })),
});

/** What a change affects, as a report: the same for every entrance. */
export function reportOfAffected(report: AffectedReport, base: string): Report {
  const { changed, affected, entryPoints, tests } = report;
  const because = (steps: readonly string[]) => steps.join('; ');
  return {
    title: 'Affected',
    outcome: 'passed',
    headline: `${numberOf(changed.length, 'pipeline')} changed, ${affected.length} more affected; ${numberOf(entryPoints.length, 'entry point')} and ${numberOf(tests.length, 'test file')} to run.`,
    facts: [['compared with', base]],
    findings: [],
    tables: [
      {
        title: 'Changed pipelines',
        columns: ['pipeline', 'what'],
        rows: changed.map(({ pipeline, line, what }) => [
          line === undefined ? pipeline : `${pipeline}:${line}`,
          what,
        ]),
      },
      {
        title: 'Affected pipelines',
        columns: ['pipeline', 'because'],
        rows: affected.map(({ pipeline, line, because: steps }) => [`${pipeline}:${line}`, because(steps)]),
      },
      {
        title: 'Entry points to run',
        columns: ['pipeline'],
        rows: entryPoints.map((pipeline) => [pipeline]),
      },
      {
        title: 'Tests to run',
        columns: ['test', 'because'],
        rows: tests.map(({ test, because: steps }) => [test, because(steps)]),
      },
    ],
    notes: [],
  };
}
