import type { PublishReport } from '../../../flows/publish/publish.ts';
import type { ReportFile } from '../step/action.ts';
import type { ReportTable } from '../../../lib/report/report.ts';
import { type Finding, wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { inRepository, type Project } from '../checkout/project.ts';

/** Tables of the sent files with their digests, and of the resources that the platform ignored. */
export function manifestTables({ files, ignored }: Pick<PublishReport, 'files' | 'ignored'>): ReportTable[] {
  return [
    {
      title: 'Ignored by the platform',
      columns: ['resource', 'reason'],
      rows: ignored.map(({ name, reason }) => [name, reason]),
    },
    {
      title: 'Files',
      columns: ['path', 'bytes', 'SHA-256'],
      rows: files.map(({ path, bytes, sha256 }) => [path, String(bytes), sha256]),
    },
  ];
}

/** Warnings about resources that the platform ignored, so that users notice before the first execution. */
export function ignoredFindings({ ignored }: Pick<PublishReport, 'ignored'>, project: Project): Finding[] {
  return ignored.map(({ name, reason }) => ({
    rule: 'millrace/left-out',
    severity: 'warning',
    file: inRepository(project, name),
    ...wholeFile,
    message: `The platform ignored ${name}: ${reason}.`,
    source: 'millrace',
    state: 'new',
    fingerprint: `millrace/left-out ${name}`,
  }));
}

/** The manifest of the artifact as JSON, to verify its digests. Empty if nothing was sent. */
export function manifestFiles(
  published: Pick<PublishReport, 'version' | 'commit' | 'files'>,
): Record<string, ReportFile> {
  const { version, commit, files } = published;
  if (files.length === 0) return {};
  const text = `${JSON.stringify({ version, commit, files }, null, 2)}\n`;
  return { 'manifest-path': { name: 'manifest.json', text } };
}
