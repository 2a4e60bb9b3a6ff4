import { z } from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';

const schema = z.strictObject({
  version: z.literal(1),
  /** Time of the newest entry that was returned. */
  at: z.iso.datetime(),
  /** Ids of returned entries that the next read could return again. */
  seen: z.array(z.string()),
});

/** The position in an audit log from which the next read continues without gaps and duplicates. */
export interface AuditCursor {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly seen: readonly string[];
}

export function writeCursor({ at, seen }: AuditCursor): string {
  return `${JSON.stringify({ version: 1, at: new Date(at).toISOString(), seen })}\n`;
}

/** Parses a cursor file. Throws Failure 'usage' if the text is not a cursor. */
export function readCursor(text: string, file: string): AuditCursor {
  try {
    const { at, seen } = schema.parse(JSON.parse(text));
    return { at: Date.parse(at), seen };
  } catch (cause) {
    throw new Failure('usage', {
      message: `The file ${file} is not one that \`millrace audit --cursor\` wrote.`,
      where: { input: '--cursor' },
      hint: 'Give --cursor a file that an earlier `millrace audit --cursor` wrote, or a file that does not exist yet.',
      cause,
    });
  }
}
