import { Agent, request } from 'undici';
import * as z from 'zod';
import { errorCatalogue, type ErrorCode } from '../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { RunningDemo } from '../operate/demo-record.ts';

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  where: z.object({ file: z.string().optional(), input: z.string().optional() }).optional(),
});

/** Asks the running demo to push or to comment. Throws the demo's Failure, or Failure 'unreachable' if the demo does not answer. */
export async function askDemo<Schema extends z.ZodType>(
  { control }: RunningDemo,
  { path, body, signal }: { readonly path: string; readonly body: object; readonly signal: AbortSignal },
  schema: Schema,
): Promise<z.output<Schema>> {
  const dispatcher = new Agent();
  try {
    const answer = await request(`${control.url}${path}`, {
      method: 'POST',
      dispatcher,
      signal,
      headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json: unknown = await answer.body.json();
    if (answer.statusCode === 200) return schema.parse(json);
    throw failureOf(json);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Failure) throw cause;
    throw new Failure('unreachable', {
      message: 'The demo does not answer.',
      hint: 'Start the demo again with `millrace worker --demo`.',
      cause,
    });
  } finally {
    await dispatcher.close();
  }
}

function failureOf(json: unknown): Failure {
  const { data } = refusal.safeParse(json);
  if (data === undefined)
    return new Failure('internal', { message: 'The answer of the demo does not have the expected form.' });
  const { code, message, hint, where } = data;
  return new Failure(isCode(code) ? code : 'internal', {
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(where === undefined ? {} : { where: withoutUndefined(where) }),
  });
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

function withoutUndefined({ file, input }: { file?: string | undefined; input?: string | undefined }) {
  return { ...(file === undefined ? {} : { file }), ...(input === undefined ? {} : { input }) };
}
