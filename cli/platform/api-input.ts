import type * as z from 'zod';
import { inputNameOf } from '../../lib/contract/description/input-name.ts';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { parseExactJson } from '../../lib/core/values/exact-number.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

interface InputParts {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Builds the input of an operation from command-line parameters. A value that the field does not accept as text is parsed
 * as JSON (`size=10`, `enabled=false`, `overrides=[…]`); `value:=10` is always JSON. The client validates the result.
 * Throws Failure 'usage' for invalid JSON after `:=`, and for a number with more digits than can be kept.
 */
export function apiInput(operation: Operation, { params, body, files }: InputParts): Record<string, unknown> {
  const fields: Record<string, z.ZodType> = {
    ...operation.params.shape,
    ...operation.query.shape,
    ...Object.fromEntries(
      Object.entries(operation.headers.shape).map(([name, schema]) => [inputNameOf(name), schema]),
    ),
    ...(operation.body.kind === 'json' ? operation.body.schema.shape : {}),
  };
  const read = Object.entries(params).map(([written, text]) => {
    const name = written.replace(/:$/, '');
    const key = name in fields ? name : inputNameOf(name);
    return [key, name === written ? valueOf(fields[key], name, text) : jsonOf(name, text)] as const;
  });
  return { ...body, ...Object.fromEntries(read), ...(operation.body.kind === 'multipart' ? { files } : {}) };
}

function valueOf(field: z.ZodType | undefined, name: string, text: string): unknown {
  if (field === undefined || field.safeParse(text).success) return text;
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw inexactNumber(name, error);
    return text;
  }
}

function inexactNumber(name: string, { message }: RangeError): Failure {
  return new Failure('usage', {
    message: `${message}, in the value of ${name}.`,
    where: { input: '--param' },
    hint: 'Write fewer digits. If the value is a text, put it into double quotes.',
  });
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw inexactNumber(name, cause);
    throw new Failure('usage', {
      message: `The value of ${name}:= is not valid JSON.`,
      where: { input: '--param' },
      hint: `For text, write ${name}=…, or quote the text as JSON: '${name}:="text"'.`,
      cause,
    });
  }
}
