import { wholeFile } from '../../core/outcomes/finding.ts';
import { closestWord } from '../../core/text/closest-word.ts';
import { withoutSuffix } from '../model/pipeline-kind.ts';
import type { SharedPipelinesFile } from '../model/shared-pipelines.ts';
import type { CheckBreach } from './breach.ts';

/** Finds ids that the last release had, so that consumers use them, and that were removed or disabled (spec §2.11). */
export function changedSharedIds(
  released: SharedPipelinesFile,
  now: SharedPipelinesFile,
  release: string,
): readonly CheckBreach[] {
  // An unreadable file proves nothing about ids.
  if (now.problems.length > 0) return [];
  const offered = new Map(now.pipelines.filter(({ enabled }) => enabled).map((entry) => [entry.id, entry]));
  return released.pipelines
    .filter(({ id, enabled }) => enabled && !offered.has(id))
    .map(({ id, pipeline }) => {
      const disabled = now.pipelines.find((entry) => entry.id === id);
      const renamed = now.pipelines.find(
        (entry) => withoutSuffix(entry.pipeline) === withoutSuffix(pipeline),
      );
      const what =
        disabled !== undefined
          ? 'is disabled'
          : renamed !== undefined
            ? `became "${renamed.id}"`
            : `was removed${meant(id, [...offered.keys()])}`;
      return {
        check: 'shared-id-changed',
        file: now.path,
        subject: id,
        message: `The shared pipeline id "${id}", which the last release (${release}) had, ${what}: other projects that call it will fail.`,
        range: (disabled ?? renamed)?.range ?? wholeFile,
      };
    });
}

function meant(id: string, ids: readonly string[]): string {
  const close = closestWord(id, ids);
  return close === undefined ? '' : ` (is it now "${close}"?)`;
}
