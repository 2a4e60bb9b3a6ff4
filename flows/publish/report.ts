import { type Finding, wholeFile } from '../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { fingerprintOf } from '../../lib/pipelines/fingerprint.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import type { Report, ReportTable } from '../../lib/report/report.ts';
import type { ManifestEntry } from '../project/project-files.ts';
import { describeUncommitted } from '../project/uncommitted-files.ts';
import { describeRemovedId } from '../versions/removed-shared-ids.ts';
import type { PublishReport } from './publish.ts';
import type { PublishSharedReport } from './publish-shared.ts';

/** What the command or action knows besides the result. */
export interface PublicationFacts {
  /** The project's folder in the repository. */
  readonly directory: string;
  /** Names of the settings without which the platform was not called, as the entrance calls them. */
  readonly missing: readonly string[];
  /** Files that changed on disk and are not committed, so that they are not published. */
  readonly uncommitted: readonly string[];
  /** Further notes of the entrance. */
  readonly notes?: readonly string[] | undefined;
}

/** The report about a publication, the same for command and action. Its notes are warnings. */
export function reportOfPublish(published: PublishReport, facts: PublicationFacts): Report {
  const { version, environment, commit, files } = published;
  return {
    ...commonParts(published, facts, {
      title: 'Publish',
      existing: `${version} in ${environment}`,
      what: `${version} to ${environment}, ${numberOf(files.length, 'file')}`,
    }),
    facts: [['commit', commit]],
    findings: ignoredFindings(published, facts),
  };
}

/** The report about a publication of shared pipelines. */
export function reportOfPublishShared(
  published: PublishSharedReport,
  { configDir, ...facts }: PublicationFacts & { readonly configDir: string },
): Report {
  const { prefix, version, commit, sharedPipelines, disabled, dryRun, removedIds } = published;
  const existing = `${version} of ${prefix}`;
  const old =
    disabled.length === 0 ? [] : [[dryRun ? 'would disable' : 'disabled', disabled.join(', ')] as const];
  const file = inRepository(facts.directory, sharedPipelinesPath(configDir));
  return {
    ...commonParts(published, facts, {
      title: 'Publish shared pipelines',
      existing,
      what: `${existing}, ${numberOf(sharedPipelines.length, 'shared pipeline')}`,
    }),
    facts: [['shared pipelines', sharedPipelines.join(', ')], ...old, ['commit', commit]],
    findings: [
      ...removedIds.map((removed) =>
        warning({
          rule: 'millrace/shared-id-gone',
          file,
          message: describeRemovedId(removed),
          subject: removed.id,
        }),
      ),
      ...ignoredFindings(published, facts),
    ],
  };
}

interface Words {
  readonly title: string;
  /** The version and its place, if it was there before. */
  readonly existing: string;
  /** The version, its place and its contents. */
  readonly what: string;
}

type Published = Pick<
  PublishReport,
  'outcome' | 'commit' | 'dryRun' | 'files' | 'ignored' | 'unchecked' | 'warnings'
>;

function commonParts(
  published: Published,
  { missing, uncommitted, notes = [] }: PublicationFacts,
  { title, existing, what }: Words,
): Omit<Report, 'facts' | 'findings'> {
  const { outcome, commit, dryRun, files, unchecked, warnings = [] } = published;
  const from = `from ${commit.slice(0, 12)}.`;
  const leftOut = describeUncommitted(uncommitted);
  return {
    title,
    outcome,
    headline:
      // The platform does not list the files of an existing version: only its commit is known.
      outcome === 'already-done'
        ? `Already published: ${existing}, ${from}`
        : `${dryRun ? 'Would publish' : 'Published'} ${what} ${from}`,
    tables: [filesTable(files)],
    notes: [
      ...(unchecked === undefined ? [] : [notChecked(missing, unchecked)]),
      ...(leftOut === undefined ? [] : [leftOut]),
      ...warnings,
      ...notes,
    ],
  };
}

function notChecked(missing: readonly string[], unchecked: readonly string[]): string {
  return `The platform was not called, because ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Not checked: ${unchecked.join('; ')}.`;
}

/** The sent files. The start of a digest tells two of them apart; the whole one is in the JSON of every entrance. */
function filesTable(files: readonly ManifestEntry[]): ReportTable {
  return {
    title: 'Files',
    columns: ['path', 'bytes', 'start of SHA-256'],
    rows: files.map(({ path, bytes, sha256 }) => [path, String(bytes), sha256.slice(0, 12)]),
    isDetail: true,
  };
}

/** Warnings about resources that the platform ignored, so that users notice before the first execution. */
function ignoredFindings(
  { ignored }: Pick<PublishReport, 'ignored'>,
  { directory }: PublicationFacts,
): Finding[] {
  return ignored.map(({ name, reason }) =>
    warning({
      rule: 'millrace/left-out',
      file: inRepository(directory, name),
      message: `The platform ignored ${name}: ${reason.replace(/\.$/u, '')}.`,
    }),
  );
}

function warning({
  subject,
  ...finding
}: Pick<Finding, 'rule' | 'file' | 'message'> & { readonly subject?: string }): Finding {
  const fingerprint = fingerprintOf({ ...finding, subject }, 0);
  return { ...finding, ...wholeFile, severity: 'warning', source: 'millrace', state: 'new', fingerprint };
}
