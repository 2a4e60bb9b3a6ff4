import { z } from 'zod';
import { Failure } from '../../lib/core/failure.ts';

const schema = z.strictObject({
  version: z.literal(1),
  /** Time of the newest entry that was handed on. */
  at: z.iso.datetime(),
  /** Ids of the entries handed on that could be seen again. */
  seen: z.array(z.string()),
});

/** How far an audit log was read: what a next reading needs to go on without a gap and without a repetition. */
export interface AuditCursor {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly seen: readonly string[];
}

export function writeCursor({ at, seen }: AuditCursor): string {
  return `${JSON.stringify({ version: 1, at: new Date(at).toISOString(), seen })}\n`;
}

/** Throws Failure 'usage' for a file that is no cursor. */
export function readCursor(text: string, file: string): AuditCursor {
  try {
    const { at, seen } = schema.parse(JSON.parse(text));
    return { at: Date.parse(at), seen };
  } catch (cause) {
    throw new Failure('usage', {
      message: `${file} does not hold a position in an audit log.`,
      where: { input: '--cursor', file },
      hint: 'Name a file that an earlier run wrote with --cursor, or one that is not there yet.',
      cause,
    });
  }
}
