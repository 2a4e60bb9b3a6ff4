import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { linkedFile } from '../../kit/write-file-atomically.ts';

interface Options extends CommonOptions {
  readonly out: string;
  readonly since?: string;
}

const lastLine = z.object({
  type: z.literal('end'),
  lanes: z.number(),
  promotions: z.number(),
  events: z.number(),
  audit: z.number(),
});

/** `millrace export`: writes lanes, promotions, histories and the audit of a worker to a file, one JSON record a line. */
export const addExport: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'export',
    'Write the records of a worker to a file, one JSON record a line (NDJSON).',
  )
    .requiredOption('--out <file>', 'the file; it is replaced once the export is complete')
    .option(
      '--since <time>',
      'only what happened since then: a time in ISO 8601, or a duration such as 7d (default: everything)',
    )
    .action(
      commandAction<Options>(shell, async (session, { out, since }) => {
        const { timeOf } = await import('../../operate/bulk.ts');
        const time = timeOf(since, session);
        const query = time === undefined ? '' : `?${new URLSearchParams({ since: time }).toString()}`;
        const file = await linkedFile(path.resolve(session.here, out));
        await refuseUnlessFile(file, out);
        const { type: _, ...counts } = await writeExport(session, `export${query}`, file);
        const { lanes, promotions, events, audit } = counts;
        session.output.result({ file: out, ...counts }, [
          `${out}: ${numberOf(lanes, 'lane')}, ${numberOf(promotions, 'promotion')}, ${numberOf(events, 'history event')}, ${numberOf(audit, 'audit entry', 'audit entries')}.`,
        ]);
        return 'passed';
      }),
    );
};

/** A folder, a pipe or a device cannot be replaced by the export. */
async function refuseUnlessFile(file: string, out: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return;
  throw new Failure('usage', {
    message: `${out} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`,
    where: { input: '--out' },
    hint: 'Give the path of a file. A file that exists is replaced.',
  });
}

/** Writes the lines as they arrive. The file is whole, or as it was before. Returns the last line. */
async function writeExport(session: Session, call: string, file: string): Promise<z.output<typeof lastLine>> {
  const temporary = `${file}.${process.pid}.tmp`;
  let last = '';
  async function* lines(): AsyncGenerator<string> {
    const { readWorkerLines } = await import('../../operate/operator-api.ts');
    for await (const line of readWorkerLines(session, call)) {
      last = line;
      yield `${session.redact(line)}\n`;
    }
  }
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(lines, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const read = lastLine.safeParse(parse(last));
    if (!read.success)
      throw new Failure('unreachable', {
        message: 'The export of the worker ended before its last line, so it is incomplete and was not kept.',
        hint: 'Look at the log of the worker, then run the command again.',
      });
    await rename(temporary, file);
    return read.data;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
