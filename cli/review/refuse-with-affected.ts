import { Failure } from '../../lib/core/errors/failure.ts';
import type { ReviewOptions } from './review-options.ts';

/**
 * Throws Failure 'usage' if `--affected` is combined with an option that also selects what is reviewed, or that
 * needs all findings of the project.
 */
export function refuseWithAffected(options: ReviewOptions, files: readonly string[]): void {
  const { affected, base, scope, staged, updateBaseline } = options;
  const others = {
    'a list of files': files.length > 0,
    '--base and another commit': base !== undefined && base !== affected,
    '--scope all': scope === 'all',
    '--staged': staged === true,
    '--update-baseline': updateBaseline === true,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other === undefined) return;
  throw new Failure('usage', {
    message: `--affected cannot be combined with ${other}: it reviews the pipelines that a change of the files on disk affects, and only these.`,
    where: { input: '--affected' },
    hint: 'Remove one of the two.',
  });
}
