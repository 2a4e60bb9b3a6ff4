import { isUnreadable } from '../../../lib/config/project/compile-schema.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { type CompileReport, isAboutChange } from './compile-report.ts';
import { findingOf } from './report.ts';

/**
 * Findings for an editor, by path in the project. A finding is shown at its own place, and again where the table is
 * created.
 */
export function findingsByFile({ findings }: CompileReport): ReadonlyMap<string, readonly Finding[]> {
  const shown = findings.flatMap((finding) => {
    // The review shows it in the same file.
    if (isUnreadable(finding.rule)) return [];
    const own = findingOf(finding, '');
    if (isAboutChange(finding.rule)) return [own];
    const reader = `${withoutSuffix(finding.pipeline)} (${finding.file}:${finding.line})`;
    const created = finding.related.map(({ file, line, column, component }) => ({
      ...own,
      file,
      line,
      column,
      endLine: line,
      endColumn: column + 1,
      component,
      message: `This table does not have what ${reader} reads: ${finding.message}`,
    }));
    return [own, ...created];
  });
  return Map.groupBy(shown, ({ file }) => file);
}
