import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { schemaFileOf, withoutResult } from '../../cli/kit/result-schema.ts';
import { commandResults } from '../../cli/results/command-results.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/schemas/commands');
const schemas = new Map<string, z.ZodType>();

/**
 * Compares what a command printed with `--json` with the JSON Schema of the documentation, or with the schema of an error.
 * Throws where neither fits. Text of other options (`--help`, a format that is not JSON) is not compared.
 */
export function checkResult(args: readonly string[], stdout: string): void {
  if (!args.includes('--json') || args.includes('--help') || stdout.trim() === '') return;
  const words = wordsOf(args);
  if (words === undefined) return;
  for (const document of documentsOf(stdout)) {
    if (schemaOf('error').safeParse(document).success) continue;
    const { error } = schemaOf(words).safeParse(document);
    if (error !== undefined)
      throw new Error(
        `millrace ${args.join(' ')}: does not fit ${schemaFileOf(words)}:\n${z.prettifyError(error)}\n${JSON.stringify(document, null, 1)}`,
      );
  }
}

/** One document, or one on each line. */
function documentsOf(stdout: string): unknown[] {
  try {
    return [JSON.parse(stdout)];
  } catch {
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
}

function wordsOf([first = '', second = '']: readonly string[]): string | undefined {
  const both = `${first} ${second}`;
  if (withoutResult.includes(both)) return undefined;
  return [both, first].find((words) => words in commandResults);
}

export function schemaOf(words: string): z.ZodType {
  let schema = schemas.get(words);
  if (schema === undefined) {
    const text = readFileSync(path.join(folder, schemaFileOf(words)), 'utf8');
    schema = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
    schemas.set(words, schema);
  }
  return schema;
}
