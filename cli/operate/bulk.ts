import { parseDuration } from '../../lib/config/fields/duration.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Command } from 'commander';
import { createInterface } from 'node:readline/promises';
import type { CommonOptions, Session } from '../kit/session.ts';

export interface BulkOptions extends CommonOptions {
  readonly all?: boolean;
  readonly repository?: string;
  readonly environment?: string;
  readonly lane?: string;
  readonly cause?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Adds the options of a bulk action: `--all`, its filters and `--yes`. */
export function withBulkOptions(command: Command): Command {
  return command
    .option('--all', 'everything that matches the other options, after a preview (at most 500 at once)')
    .option('--repository <name>', 'with --all: only lanes of this repository (name or id)')
    .option('--environment <name>', 'with --all: only lanes to this environment')
    .option('--lane <lane>', 'with --all: only this lane (name or id)')
    .option(
      '--since <time>',
      'with --all: only what is newer than this: a time in ISO 8601, or a duration such as 2h',
    )
    .option('--yes', 'with --all: do not ask for a confirmation');
}

const filters = ['repository', 'environment', 'lane', 'since', 'outcome'] as const;

/** Throws Failure 'usage' for a filter without `--all`: it would have no effect on a single lane or promotion. */
export function refuseFilters(options: BulkOptions): void {
  const [filter] = filters.filter((name) => options[name] !== undefined);
  if (options.all === true || filter === undefined) return;
  throw new Failure('usage', {
    message: `--${filter} has no effect without --all.`,
    where: { input: `--${filter}` },
    hint: `Remove --${filter}, or give --all instead of a lane or promotion.`,
  });
}

const longTimeoutMs = 30_000;

/** Previews a bulk action, asks for a confirmation, and carries out exactly what was previewed. */
export async function runInBulk(
  session: Session,
  action: 'resume' | 'resolve' | 'retry',
  options: BulkOptions,
  body: object = {},
): Promise<Outcome> {
  const { askWorker } = await import('./operator-api.ts');
  const { bulkAnswer, bulkPreviewAnswer } = await import('./operator-answers.ts');
  const { repository, environment, lane, cause, outcome, reason, dryRun = false, yes = false } = options;
  const filter = { repository, environment, lane, cause, outcome, since: timeOf(options.since, session) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  const path = `bulk/${action}`;
  const preview = await askWorker(
    session,
    { method: 'GET', path: `${path}?${query.toString()}`, timeoutMs: longTimeoutMs },
    bulkPreviewAnswer,
  );
  const { items, more, fingerprint } = preview;
  const lines = [
    ...items.map(({ id, laneName, version, holds }) =>
      holds
        ? `  ${id}: ${holds.map((hold) => hold.reason).join('; ')}`
        : `  ${id}: ${version ?? ''} in ${laneName ?? ''}`,
    ),
    ...(more > 0 ? [`  ${more} more: run the command again for them.`] : []),
  ];
  if (dryRun || items.length === 0) {
    session.output.result(
      { dryRun, ...preview },
      items.length === 0 ? ['Nothing matches these options.'] : [`Would ${action}:`, ...lines],
    );
    return 'passed';
  }
  if (!yes) await confirm(session, [`This will ${action}:`, ...lines]);
  const answer = await askWorker(
    session,
    { method: 'POST', path, body: { ...body, reason, fingerprint }, timeoutMs: longTimeoutMs },
    bulkAnswer,
  );
  const { done, left } = answer;
  session.output.result(answer, [
    `Done: ${done.length} of ${items.length}.`,
    ...done.map(
      ({ id, promotion }) => `  ${id}${promotion && promotion !== id ? `: new promotion ${promotion}` : ''}`,
    ),
    ...(left.length === 0 ? [] : ['Left out:', ...left.map((item) => `  ${item.id}: ${item.reason}`)]),
  ]);
  return left.length === 0 ? 'passed' : 'failed';
}

/** Converts a time or a duration of the command line to a time in ISO 8601. A duration counts back from now. */
export function timeOf(since: string | undefined, { io }: Session): string | undefined {
  const ms = since === undefined ? undefined : parseDuration(since);
  return ms === undefined ? since : new Date(io.clock.now() - ms).toISOString();
}

/** Asks on the terminal. Throws Failure 'usage' elsewhere, and if the answer is not yes. */
async function confirm({ io }: Session, lines: readonly string[]): Promise<void> {
  const { terminalText } = await import('../terminal/terminal-text.ts');
  if (!io.interactive)
    throw new Failure('usage', {
      message: 'Nothing was changed: the command needs a confirmation.',
      where: { input: '--yes' },
      hint: 'Look at the preview with --dry-run, then run the command with --yes.',
    });
  io.stderr.write(lines.map((line) => `${terminalText(line)}\n`).join(''));
  const prompt = createInterface({ input: io.stdin, output: io.stderr });
  const answer = await prompt.question('Continue? [y/N] ', { signal: io.signal });
  prompt.close();
  if (!/^y(?:es)?$/i.test(answer.trim()))
    throw new Failure('usage', {
      message: 'Nothing was changed, because the answer was not y.',
      where: { input: 'answer' },
      hint: 'To carry the changes out, run the command again and answer y.',
    });
}
