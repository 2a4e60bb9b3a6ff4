import * as z from 'zod';
import type { ScriptEnd } from './python.ts';

/** The first line of the launcher: the process whose end ends all others. */
const startSchema = z.object({ process: z.int().min(2) });

/** The last line of the launcher. */
const reportSchema = z.object({
  end: z.enum(['ended', 'stopped', 'processes', 'memory']),
  /** The exit code; the negative number of a signal. */
  code: z.number(),
  hasNoNetwork: z.boolean(),
  hasOwnFiles: z.boolean(),
});

const line = z
  .int()
  .min(1)
  .nullable()
  .transform((value) => value ?? undefined);
const value = z.union([z.string(), z.array(z.array(z.string()))]);

/** The answer of the script's process. A script can write anything in it. */
const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended'), set: z.record(z.string(), value) }),
  z.object({ kind: z.literal('raised'), type: z.string(), message: z.string(), line }),
  z.object({ kind: z.literal('unsafe'), why: z.enum(['unbounded', 'unreadable']) }),
  z.object({ kind: z.literal('refused'), construct: z.string(), line }),
]);

export type Report = z.infer<typeof reportSchema>;

/** Reads the process id of the script from the launcher's output. Undefined if the script has not begun. */
export function readProcess(text: string): number | undefined {
  return startSchema.safeParse(parse(text.split('\n')[0] ?? '')).data?.process;
}

/**
 * Reads the launcher's report of how the script ended. Undefined if the launcher ended before it could write the
 * report.
 */
export function readReport(text: string): Report | undefined {
  return reportSchema.safeParse(parse(text.split('\n')[1] ?? '')).data;
}

export function readAnswer(text: string, report: Report | undefined): ScriptEnd {
  if (report?.end === 'memory' || report?.end === 'processes') return { kind: 'limit', what: report.end };
  const answer = answerSchema.safeParse(parse(text)).data;
  if (answer === undefined) return { kind: 'lost', how: howLost(report) };
  return answer.kind === 'ended' ? { kind: 'ended', set: new Map(Object.entries(answer.set)) } : answer;
}

function howLost(report: Report | undefined): string {
  if (report === undefined) return 'its process could not be started';
  if (report.code < 0) return `a signal (${-report.code}) ended its process`;
  return `its process ended early, with exit code ${report.code}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
