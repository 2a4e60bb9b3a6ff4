import type { PublishReport } from '../../flows/index.ts';
import { describeUncommitted } from '../../flows/project/uncommitted-files.ts';
import { annotationCommand } from '../../lib/github/annotation-commands.ts';
import type { Report } from '../../lib/github/report.ts';
import { ignoredFindings, manifestTables } from './manifest-tables.ts';
import type { Project } from './project.ts';
import type { Step } from './step.ts';

/** What `publish` and `publish-shared` have in common to report. */
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
  /** Inputs that the platform would have to be asked with. */
  readonly missing: readonly string[];
  /** Changed files on disk that are no part of it. */
  readonly uncommitted: readonly string[];
  readonly facts: Report['facts'];
  readonly findings?: Report['findings'];
  readonly notes?: Report['notes'];
}

/** The report of a publication, dry or not; says in the log too what a person would otherwise find out later. */
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
  // Which files it holds the platform does not say: only its commit is known.
  if (outcome === 'already-done') return `Was there already: ${what}, published from ${from}.`;
  return `${dryRun ? 'Would publish' : 'Published'} ${what}, ${contents} from ${from}.`;
}

function notChecked({ missing, published: { unchecked = [] } }: Publication): string {
  return `The platform was not asked, as ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not given. Not checked: ${unchecked.join('; ')}.`;
}
