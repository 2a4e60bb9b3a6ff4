import type { BaseProject } from '../../flows/diff/base-project.ts';
import { affected, type AffectedReport } from '../../flows/data-graph/affected/affected.ts';
import { bindProject } from '../../flows/data-graph/bind/bind-project.ts';
import { reportOfAffected } from '../../flows/data-graph/affected/report-affected.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { isNews, type Report } from '../../lib/report/report.ts';
import { outputLimit } from '../kit/step/output-limit.ts';
import { jsonList } from '../kit/step/json-list.ts';
import type { StepResult } from '../kit/step/action.ts';

/** What a change affects, with the report about it. */
export interface AffectedPart {
  readonly affected: AffectedReport;
  readonly report: Report;
}

/** How many rows a table of the comment has. */
const maxRows = 20;

/** Finds what the difference between two states of a project affects. Throws Failure 'engine-missing'. */
export async function affectedPart(
  project: TestProject,
  base: BaseProject,
  {
    prefix,
    packages,
    signal,
  }: { readonly prefix: string; readonly packages: string; readonly signal: AbortSignal },
): Promise<AffectedPart> {
  const now = await bindProject(project, { signal, packages });
  const before = await bindProject(base.project, { signal, packages, after: now });
  const result = affected(now, before, base);
  const name = base.commit.startsWith(base.name) ? '' : `${base.name} `;
  const compared = `${name}${base.commit.slice(0, 12)}`;
  return { affected: result, report: reportOfAffected(result, compared, { prefix, maxRows }) };
}

/** Appends the part about what is affected to a report, for a comment or summary that does not consist of parts. */
export function withAffected(report: Report, part: AffectedPart | undefined): Report {
  if (part === undefined) return report;
  const { headline, tables = [], notes } = part.report;
  return {
    ...report,
    headline: `${report.headline} Affected: ${headline}`,
    tables: [...(report.tables ?? []), ...tables],
    notes: [...report.notes, ...notes],
    isNews: isNews(report) || isNews(part.report),
  };
}

/** The outputs about what is affected; empty if nothing was compared. */
export function affectedOutputs(part: AffectedPart | undefined): StepResult['outputs'] {
  if (part === undefined) return { 'entry-points': '', matrix: '', 'affected-tests': '' };
  const { entryPoints, tests } = part.affected;
  const matrix = JSON.stringify({ pipeline: entryPoints });
  return {
    'entry-points': entryPoints.length,
    matrix: matrix.length > outputLimit ? '' : matrix,
    'affected-tests': jsonList(tests.map(({ test }) => test)),
  };
}
