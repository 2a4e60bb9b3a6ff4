import { z } from 'zod';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { TestResult } from '../compare/test-result.ts';

/** By file and name of a test: its duration in milliseconds. */
export type Durations = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The file of `--durations`. */
const durationsSchema = z.strictObject({
  version: z.literal(1),
  unit: z.literal('ms'),
  tests: z.record(z.string(), z.record(z.string(), z.number().min(0).max(1e9))),
});

/** Reads a file of durations. Throws Failure 'usage'. */
export function readDurations(text: string, file: string): Durations {
  const { tests } = parseDurations(text, file);
  return new Map(
    Object.entries(tests).map(([path, names]) => [path, new Map(Object.entries(names))] as const),
  );
}

function parseDurations(text: string, file: string): z.infer<typeof durationsSchema> {
  try {
    return durationsSchema.parse(JSON.parse(text));
  } catch (cause) {
    const reason =
      cause instanceof z.ZodError
        ? `${cause.issues[0]?.path.join('.') ?? ''}: ${cause.issues[0]?.message ?? ''}`
        : messageOf(cause);
    throw new Failure('usage', {
      message: `It is not a file of durations: ${reason}.`,
      where: { file },
      hint: 'Write the file again with `millrace test --write-durations FILE`, or remove --durations: then every test counts the same.',
      cause,
    });
  }
}

/** The durations of tests as the text of a file, sorted by name, so that two files can be compared line by line. */
export function durationsText(tests: readonly TestResult[]): string {
  const files = [...Map.groupBy(tests, ({ file }) => file)].toSorted(([a], [b]) => compareTexts(a, b));
  const entries = files.map(([file, results]) => {
    const names = results
      .toSorted((a, b) => compareTexts(a.name, b.name))
      .map(({ name, durationMs }) => [name, Math.round(durationMs)] as const);
    return [file, Object.fromEntries(names)] as const;
  });
  const content = { version: 1, unit: 'ms', tests: Object.fromEntries(entries) };
  return `${JSON.stringify(content, null, 2)}\n`;
}
