import type { PublishReport } from '../../../flows/publish/publish.ts';
import { describeUncommitted } from '../../../flows/project/uncommitted-files.ts';
import { annotationCommand } from '../../../lib/report/annotations.ts';
import type { Report } from '../../../lib/report/report.ts';
import { ignoredFindings, manifestTables } from './manifest-tables.ts';
import type { Project } from '../checkout/project.ts';
import type { Step } from '../step/step.ts';

/** The common parts of the reports of `publish` and `publish-shared`. */
export interface Publication {
  readonly title: string;
  /** `v1.0.0 in dev` */
  readonly what: string;
  /** `3 files` */
  readonly contents: string;
  readonly published: Pick<
    PublishReport,
    'outcome' | 'commit' | 'files' | 'ignored' | 'dryRun' | 'unchecked'
  >;
  readonly project: Project;
  /** Missing inputs that a call of the platform needs. */
  readonly missing: readonly string[];
  /** Changed files on disk that are not committed and therefore not published. */
  readonly uncommitted: readonly string[];
  readonly facts: Report['facts'];
  readonly findings?: Report['findings'];
  readonly notes?: Report['notes'];
}

/** The report of a publication or its dry run. Also writes a notice about uncommitted files. */
export function publicationReport(publication: Publication, { command }: Pick<Step, 'command'>): Report {
  const { title, published, project, uncommitted, facts, findings = [], notes = [] } = publication;
  const leftOut = describeUncommitted(uncommitted);
  if (leftOut !== undefined) command(annotationCommand('notice', leftOut, { title: 'Millrace' }));
  return {
    title,
    outcome: published.outcome,
    headline: headlineOf(publication),
    facts: [...facts, ['commit', published.commit]],
    findings: [...findings, ...ignoredFindings(published, project)],
    tables: manifestTables(published),
    notes: [
      ...(published.unchecked === undefined ? [] : [notChecked(publication)]),
      ...(leftOut === undefined ? [] : [leftOut]),
      ...notes,
    ],
  };
}

function headlineOf({ what, contents, published }: Publication): string {
  const { outcome, commit, dryRun } = published;
  const from = commit.slice(0, 12);
  // The platform does not list the files of an existing version: only its commit is known.
  if (outcome === 'already-done') return `Already there: ${what}, published from ${from}.`;
  return `${dryRun ? 'Would publish' : 'Published'} ${what}, ${contents} from ${from}.`;
}

function notChecked({ missing, published: { unchecked = [] } }: Publication): string {
  return `The platform was not called, because ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not given. Not checked: ${unchecked.join('; ')}.`;
}
