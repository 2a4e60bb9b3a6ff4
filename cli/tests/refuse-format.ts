import { Failure } from '../../lib/core/errors/failure.ts';

/** Throws Failure 'usage' if --json is combined with a format other than `json`. */
export function refuseFormat({
  json,
  format = 'json',
}: {
  readonly json?: boolean | undefined;
  readonly format?: string | undefined;
}): void {
  if (json !== true || format === 'json') return;
  throw new Failure('usage', {
    message: `--json cannot be combined with --format ${format}.`,
    where: { input: '--format' },
    hint: 'Remove --json or --format.',
  });
}
