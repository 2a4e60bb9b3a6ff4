import type { PublishReport } from '../flows/index.ts';
import type { ReportTable } from '../github/report.ts';

/** What was sent, with the digest of each part, and what the platform left out. */
export function manifestTables({ files, ignored }: Pick<PublishReport, 'files' | 'ignored'>): ReportTable[] {
  return [
    {
      title: 'Left out by the platform',
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

/** Notes on what the platform left out: people must not find out at run time. */
export function ignoredNotes({ ignored }: Pick<PublishReport, 'ignored'>): string[] {
  return ignored.map(({ name, reason }) => `The platform left out ${name}: ${reason}.`);
}
