import type * as z from 'zod';
import type { Operation } from '../contract/operation.ts';

interface Given {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly path: string }[];
}

/**
 * The input of an operation from words of the command line: a word that the field does not take as text is read as
 * JSON (`size=10`, `enabled=false`, `overrides=[…]`). What still does not fit is for the client to refuse by name.
 */
export function apiInput(operation: Operation, { params, body, files }: Given): Record<string, unknown> {
  const fields: Record<string, z.ZodType> = {
    ...operation.params.shape,
    ...operation.query.shape,
    ...Object.fromEntries(
      Object.entries(operation.headers.shape).map(([name, schema]) => [camelCase(name), schema]),
    ),
    ...(operation.body.kind === 'json' ? operation.body.schema.shape : {}),
  };
  const read = Object.entries(params).map(([name, text]) => {
    const key = name in fields ? name : camelCase(name);
    return [key, valueOf(fields[key], text)] as const;
  });
  return { ...body, ...Object.fromEntries(read), ...(operation.body.kind === 'multipart' ? { files } : {}) };
}

function valueOf(field: z.ZodType | undefined, text: string): unknown {
  if (field === undefined || field.safeParse(text).success) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Agent-Version` → `agentVersion`, as the client's inputs are written. */
function camelCase(header: string): string {
  return header
    .split('-')
    .map(
      (part, index) =>
        (index === 0 ? part.charAt(0).toLowerCase() : part.charAt(0).toUpperCase()) + part.slice(1),
    )
    .join('');
}
