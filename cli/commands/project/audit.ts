import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../../lib/config/duration.ts';
import { Failure } from '../../../lib/core/failure.ts';
import { uploadLimitMs } from '../../../lib/core/time-limits.ts';
import { act, type AddCommand, define, duration, oneOf } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { terminalText } from '../../terminal/terminal-text.ts';
import { writeFileWhole } from '../../kit/write-file-whole.ts';
import { writeThrough } from '../../terminal/write-through.ts';

const formats = ['ndjson', 'csv'] as const;

interface Options extends CommonOptions {
  readonly from?: Moment;
  readonly to?: Moment;
  readonly follow?: boolean;
  readonly every: number;
  readonly format: (typeof formats)[number];
  readonly cursor?: string;
}

/** A time as given: fixed, or so long ago. */
type Moment = { readonly at: number } | { readonly agoMs: number };

/** `millrace audit`: the audit log, every entry once, oldest first. */
export const addAudit: AddCommand = (program, shell) => {
  define(program, 'audit', 'Read the audit log: every entry once, oldest first.')
    .option('--base-url <url>', 'address of the platform (default: MILLRACE_BASE_URL)')
    .option(
      '--from <time>',
      'from then on: 2026-01-31, 2026-01-31T08:00:00+01:00, or 7d for so long ago (default: 24h)',
      moment,
    )
    .option('--to <time>', 'up to then (default: now)', moment)
    .option('--follow', 'go on until Ctrl-C')
    .option('--every <time>', 'how often to look while following', duration, 5_000)
    .option('--format <form>', formats.join(' or '), oneOf(formats), 'ndjson')
    .option('--cursor <file>', 'begin after the last entry that the file knows, and keep it up to date')
    .action(
      act<Options>(shell, async (session, options) => {
        const { io, output, flow } = session;
        const { auditColumns, csvRow } = await import('../../../flows/audit/csv-row.ts');
        const { readAudit } = await import('../../../flows/audit/read-audit.ts');
        const { writeCursor } = await import('../../../flows/audit/audit-cursor.ts');
        const cursorFile = options.cursor === undefined ? undefined : path.resolve(io.cwd, options.cursor);
        const cursor =
          cursorFile === undefined ? undefined : await cursorOf(cursorFile, options.cursor ?? '');
        const now = io.clock.now();
        const from = timeOf(options.from ?? { agoMs: 86_400_000 }, now);
        const to = options.to === undefined ? undefined : timeOf(options.to, now);
        if (to !== undefined && to < from && cursor === undefined)
          throw new Failure('usage', { message: '--to is before --from.', where: { input: '--to' } });
        const write = (lines: readonly string[]): Promise<boolean> => {
          const text = session.redact(lines.map((line) => `${terminalText(line)}\n`).join(''));
          return writeThrough(io.stdout, text, io.signal);
        };
        const csv = options.format === 'csv';
        let count = 0;
        let unread = false;
        // Going on with a cursor goes on with a file that has its head.
        if (csv && cursor === undefined) await write([auditColumns.join(',')]);
        await session.withClient(
          async (client) => {
            const follow = options.follow === true ? { everyMs: options.every } : undefined;
            const portions = readAudit({ from, to, cursor, follow }, { ...flow, client, projectId: '' });
            for await (const portion of untilCancelled(portions, io.signal, follow !== undefined)) {
              const lines = portion.entries.map((entry) => (csv ? csvRow(entry) : JSON.stringify(entry)));
              unread = lines.length > 0 && !(await write(lines));
              if (unread) break;
              // After the output: a broken-off run may repeat its last entries, and never leaves any out.
              if (cursorFile !== undefined) await writeFileWhole(cursorFile, writeCursor(portion.cursor));
              count += portion.entries.length;
            }
          },
          // The reader of a pipe may pause: an hour, as for uploads.
          options.follow === true ? Infinity : uploadLimitMs,
        );
        if (unread) return 'passed';
        output.progress.step(count === 1 ? 'One entry' : `${String(count)} entries`);
        return count === 0 ? 'nothing-to-do' : 'passed';
      }),
    );
};

/** Ctrl-C is how following ends: that is no failure. */
async function* untilCancelled<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
  following: boolean,
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!following || !signal.aborted) throw error;
  }
}

async function cursorOf(file: string, name: string) {
  const { readCursor } = await import('../../../flows/audit/audit-cursor.ts');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure('usage', {
      message: `The file ${name} cannot be read (${error.code ?? 'unknown'}).`,
      where: { input: '--cursor' },
      cause: error,
    });
  });
  return text === undefined ? undefined : readCursor(text, name);
}

function moment(text: string): Moment {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return { agoMs };
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const at = Date.parse(whole);
  const form = /^(\d{4}-\d\d-\d\d)T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.exec(whole);
  // A day that the month does not have would be read as one of the next month.
  const day = Date.parse(`${form?.[1] ?? ''}T00:00:00Z`);
  const there = !Number.isNaN(day) && new Date(day).toISOString().startsWith(form?.[1] ?? '');
  if (there && !Number.isNaN(at)) return { at };
  throw new InvalidArgumentError(
    'It must be a date, a time with its offset such as 2026-01-31T08:00:00+01:00, or a duration such as 7d.',
  );
}

function timeOf(given: Moment, now: number): number {
  return 'at' in given ? given.at : now - given.agoMs;
}
