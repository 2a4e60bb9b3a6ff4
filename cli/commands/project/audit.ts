import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../../../lib/config/fields/duration.ts';
import { readTextFile } from '../../../lib/core/files/read-text-file.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { uploadLimitMs } from '../../../lib/core/ports/time-limits.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import {
  commandAction,
  type AddCommand,
  defineCommand,
  parseDurationOption,
  oneOf,
} from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';
import type { WorkerAuditOptions } from '../../operate/show-worker-audit.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import { terminalText } from '../../terminal/terminal-text.ts';
import { writeFileAtomically } from '../../kit/write-file-atomically.ts';
import { writeThrough } from '../../terminal/write-through.ts';

const formats = ['ndjson', 'csv'] as const;

interface Options extends CommonOptions, WorkerAuditOptions {
  readonly worker?: boolean;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly follow?: boolean;
  readonly every: number;
  readonly format: (typeof formats)[number];
  readonly cursor?: string;
}

/** A time of the command line: absolute, or relative to now. Both in milliseconds. */
type Moment = { readonly at: number } | { readonly agoMs: number };

/** `millrace audit`: prints every entry of the platform's audit log once, oldest first; with --worker, the worker's audit. */
export const addAudit: AddCommand = (program, shell) => {
  defineCommand(program, 'audit', "Read the platform's audit log, or the worker's audit.")
    .option('--base-url <url>', 'address of the platform (default: MILLRACE_BASE_URL)')
    .option(
      '--from <time>',
      'start: 2026-01-31, 2026-01-31T08:00:00+01:00, or 7d for seven days ago (default: 24h)',
      parseMoment,
    )
    .option('--to <time>', 'end, in the same forms (default: now)', parseMoment)
    .option('--follow', 'wait for new entries until Ctrl-C')
    .addOption(
      new Option('--every <time>', 'interval between requests with --follow')
        .argParser(parseDurationOption)
        .default(5_000, '5s'),
    )
    .option('--format <format>', formats.join(' or '), oneOf(formats), 'ndjson')
    .option('--cursor <file>', 'start after the last entry that this file records, and update the file')
    .addOption(
      new Option(
        '--worker',
        "read the worker's own audit instead: who did what there, newest first",
      ).conflicts(['baseUrl', 'from', 'to', 'follow', 'every', 'format', 'cursor']),
    )
    .option('--lane <lane>', 'only actions on this lane (with --worker)')
    .option('--promotion <id>', 'only actions on this promotion (with --worker)')
    .option('--by <name>', 'only actions of this operator (with --worker)')
    .option(
      '--limit <number>',
      'maximum number of actions, at most 500 (with --worker; default: 50)',
      parseCount,
    )
    .option('--before <id>', 'only actions before this one (with --worker)')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        if (options.worker === true) {
          const { showWorkerAudit } = await import('../../operate/show-worker-audit.ts');
          return showWorkerAudit(session, options);
        }
        refuseWorkerOptions(options);
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
          throw new Failure('usage', {
            message:
              options.from === undefined
                ? '--to is more than 24 hours ago. Without --from, the log starts 24 hours ago.'
                : '--to is before --from.',
            where: { input: '--to' },
            hint:
              options.from === undefined
                ? 'Give --from with a time before --to.'
                : 'Give --to a later time than --from.',
          });
        const write = (lines: readonly string[]): Promise<boolean> => {
          const text = session.redact(lines.map((line) => `${terminalText(line)}\n`).join(''));
          return writeThrough(io.stdout, text, io.signal);
        };
        const csv = options.format === 'csv';
        let count = 0;
        let readerClosed = false;
        // With an existing cursor the output continues a file that already has its header.
        if (csv && cursor === undefined) await write([auditColumns.join(',')]);
        await session.withClient(
          async (client) => {
            const follow = options.follow === true ? { everyMs: options.every } : undefined;
            const batches = readAudit({ from, to, cursor, follow }, { ...flow, client, projectId: '' });
            for await (const batch of untilCancelled(batches, io.signal, follow !== undefined)) {
              const lines = batch.entries.map((entry) => (csv ? csvRow(entry) : JSON.stringify(entry)));
              readerClosed = lines.length > 0 && !(await write(lines));
              if (readerClosed) break;
              // After the output: an interrupted command may repeat its last entries, but never skips any.
              if (cursorFile !== undefined) await writeFileAtomically(cursorFile, writeCursor(batch.cursor));
              count += batch.entries.length;
            }
          },
          // The reader of a pipe may pause, so the limit is an hour, as for uploads.
          options.follow === true ? Infinity : uploadLimitMs,
        );
        if (readerClosed) return 'passed';
        output.progress.step(numberOf(count, 'entry', 'entries'));
        return count === 0 ? 'nothing-to-do' : 'passed';
      }),
    );
};

/** Throws Failure 'usage' for a filter of the worker's audit: the platform's log has no such fields. */
function refuseWorkerOptions({ lane, promotion, by, limit, before }: WorkerAuditOptions): void {
  const filter = Object.entries({ lane, promotion, by, limit, before }).find(
    ([, value]) => value !== undefined,
  );
  if (filter === undefined) return;
  const input = `--${filter[0]}`;
  throw new Failure('usage', {
    message: `${input} applies only to the audit of the worker.`,
    where: { input },
    hint: `Add --worker, or remove ${input}.`,
  });
}

/** Ends without an error on Ctrl-C while following: that is the normal end of `--follow`. */
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
  const text = await readTextFile(file, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error instanceof Failure) throw error;
    throw new Failure('usage', {
      message: `The file ${name} cannot be read (${error.code ?? 'unknown'}).`,
      where: { input: '--cursor' },
      hint: `Check that ${name} is a file, and that you have permission to read it. Or give --cursor another file.`,
      cause: error,
    });
  });
  return text === undefined ? undefined : readCursor(text, name);
}

function parseMoment(text: string): Moment {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return { agoMs };
  const dateTime = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const at = Date.parse(dateTime);
  const match = /^(\d{4}-\d\d-\d\d)T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.exec(dateTime);
  // Date.parse reads a day beyond the month's end as a day of the next month.
  const day = Date.parse(`${match?.[1] ?? ''}T00:00:00Z`);
  const dayExists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(match?.[1] ?? '');
  if (dayExists && !Number.isNaN(at)) return { at };
  throw new InvalidArgumentError(
    'It must be a date, a time with an offset such as 2026-01-31T08:00:00+01:00, or a duration such as 7d.',
  );
}

function timeOf(moment: Moment, now: number): number {
  return 'at' in moment ? moment.at : now - moment.agoMs;
}
