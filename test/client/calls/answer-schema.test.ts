import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { answerSchema } from '../../../client/calls/read-answer.ts';
import { findOperation } from '../../../lib/contract/operations.ts';
import { examples } from '../../spec/examples/index.ts';

// A fixed seed: every run tests the same cases.
fc.configureGlobal({ seed: 20_310_101 });

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

const answers = examples.flatMap(({ operation, answer }) => {
  const schema = findOperation(operation)?.answer;
  return schema === undefined || answer.json === undefined || answer.status >= 300
    ? []
    : [{ operation, schema, json: answer.json }];
});

describe('the schema of an answer that has been read fifty times', () => {
  test('is compiled', () => {
    expect(answers.length).toBeGreaterThan(20);
    for (const { schema } of answers) {
      expect(compiledOf(schema)).not.toBe(schema);
      expect(answerSchema(schema)).toBe(answerSchema(schema));
    }
  });

  test('accepts and rejects the same answers as the schema itself, with the same messages', () => {
    const foreign = fc.oneof(
      fc.constant(undefined),
      fc.constant(null),
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant([]),
      fc.constant({ unknown: 1 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...answers),
        fc.infiniteStream(fc.nat()),
        foreign,
        (answer, picks, replacement) => {
          const { schema, json } = answer;
          const corrupted = corrupt(structuredClone(json), picks, replacement);
          for (const value of [json, corrupted]) {
            const own = schema.safeParse(value);
            const fast = compiledOf(schema).safeParse(value);
            expect(fast.success).toBe(own.success);
            expect(fast.data).toEqual(own.data);
            expect(fast.error?.issues).toEqual(own.error?.issues);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('answers are read where the host forbids code generation', async () => {
  const script = `
    const { readAnswer } = await import('./client/calls/read-answer.ts');
    const { findOperation } = await import('./lib/contract/operations.ts');
    const operation = findOperation('projects.list');
    const answer = { status: 200, headers: {}, text: '{"page":0,"results":[],"size":25,"total":7}' };
    let read;
    for (let times = 0; times < 60; times += 1) read = readAnswer(operation, answer, { operation: operation.id });
    console.log(read.total);
  `;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
  expect((await run(process.execPath, flags, { cwd: root })).stdout.trim()).toBe('7');
});

function compiledOf(schema: z.ZodType): z.ZodType {
  let found = schema;
  for (let times = 0; times < 50; times += 1) found = answerSchema(schema);
  return found;
}

/** Replaces one part of a JSON value by `replacement`: each pick goes one level down or stops. */
function corrupt(json: unknown, picks: Iterator<number>, replacement: unknown): unknown {
  if (typeof json !== 'object' || json === null) return replacement;
  const keys = [...Object.keys(json), 'another'];
  const key = keys[Number(picks.next().value) % keys.length] ?? 'another';
  const inner: unknown = Reflect.get(json, key);
  const deeper = Number(picks.next().value) % 3 > 0;
  Reflect.set(json, key, deeper ? corrupt(inner, picks, replacement) : replacement);
  return json;
}
