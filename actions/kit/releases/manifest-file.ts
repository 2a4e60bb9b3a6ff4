import { describeUncommitted } from '../../../flows/project/uncommitted-files.ts';
import type { PublishReport } from '../../../flows/publish/publish.ts';
import { annotationCommand } from '../../../lib/report/annotations.ts';
import type { ReportFile } from '../step/action.ts';
import type { Step } from '../step/step.ts';

/** The manifest of the artifact as JSON, to verify its digests. Empty if nothing was sent. */
export function manifestFiles(
  published: Pick<PublishReport, 'version' | 'commit' | 'files'>,
): Record<string, ReportFile> {
  const { version, commit, files } = published;
  if (files.length === 0) return {};
  const text = `${JSON.stringify({ version, commit, files }, null, 2)}\n`;
  return { 'manifest-path': { name: 'manifest.json', text } };
}

/** Writes a notice about files that are changed on disk but not committed, and so not published. */
export function noteUncommitted(files: readonly string[], { command }: Pick<Step, 'command'>): void {
  const leftOut = describeUncommitted(files);
  if (leftOut !== undefined) command(annotationCommand('notice', leftOut, { title: 'Millrace' }));
}
