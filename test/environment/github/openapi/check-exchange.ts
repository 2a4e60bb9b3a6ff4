import { readFileSync } from 'node:fs';
import { checkValue } from './check-value.ts';
import { description, type Operation, type Schema } from './schema.ts';

/** A request as it came. */
export interface CheckedRequest {
  readonly method: string;
  /** After the API's base path; parts still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Says in what a request, or an answer to it, is not what GitHub describes; one sentence each. */
export interface ExchangeCheck {
  request(request: CheckedRequest): string[];
  answer(request: CheckedRequest, answer: { readonly status: number; readonly body?: unknown }): string[];
}

interface Place {
  readonly line: string;
  readonly operation: Operation;
  readonly pattern: RegExp;
  readonly method: string;
}

const literal = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`);

function placeOf([line, operation]: [string, Operation]): Place {
  const [method = '', path = ''] = line.split(' ');
  const several = new Set(operation.parameters.flatMap(({ name, several: many }) => (many ? [name] : [])));
  const pattern = path
    .split('/')
    .map((part) => {
      const name = /^\{(.+)\}$/u.exec(part)?.[1];
      return name === undefined ? literal(part) : `(?<${name}>${several.has(name) ? '.+' : '[^/]+'})`;
    })
    .join('/');
  return { line, operation, method, pattern: new RegExp(`^${pattern}$`, 'u') };
}

/** A text of a path or query as the value that its schema is about. */
function valueOf(text: string, { type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d+$/u.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Reads GitHub's published description of its API, as far as we use it. */
export function createExchangeCheck(): ExchangeCheck {
  const file = readFileSync(new URL('github-api.json', import.meta.url), 'utf8');
  const { operations, schemas } = description.parse(JSON.parse(file));
  // The one with most fixed parts first: `/commits/{ref}` would take the rest of `/commits` in.
  const fixed = ({ line }: Place): number => line.split('/').filter((part) => !part.startsWith('{')).length;
  const places = Object.entries(operations)
    .map(placeOf)
    .toSorted((a, b) => fixed(b) - fixed(a));

  function find({
    method,
    path,
  }: CheckedRequest): { place: Place; parts: Record<string, string> } | undefined {
    // Links to further pages name the repository by its id.
    const named = path.replace(/^\/repositories\/\d+/u, '/repos/owner/name');
    for (const place of places) {
      const found = place.method === method ? place.pattern.exec(named) : null;
      if (found !== null) return { place, parts: { ...found.groups } };
    }
    return undefined;
  }

  return {
    request(request) {
      const found = find(request);
      if (found === undefined)
        return ['GitHub describes no such operation, or operations.ts does not list it'];
      const { parameters, body } = found.place.operation;
      const known = new Set(parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])));
      const unknown = [...request.query.keys()].filter((name) => !known.has(name));
      return [
        ...unknown.map((name) => `query "${name}" is unknown to GitHub`),
        ...parameters.flatMap(({ name, in: place, required, schema }) => {
          const given =
            place === 'query' ? request.query.get(name) : decodeURIComponent(found.parts[name] ?? '');
          if (given === null) return required ? [`query "${name}" is missing`] : [];
          return checkValue(valueOf(given, schema), schema, schemas, `${place} "${name}"`);
        }),
        ...(request.body === undefined
          ? body?.required === true
            ? ['the body is missing']
            : []
          : body === undefined
            ? ['there is a body, and GitHub reads none']
            : checkValue(request.body, body.schema, schemas, 'body')),
      ];
    },
    answer(request, { status, body }) {
      const schema = find(request)?.place.operation.answers[String(status)];
      // A body of its own form (a file as it is) is described in words only.
      if (schema === undefined || typeof body === 'string') return [];
      // As it goes over the wire.
      const sent: unknown = JSON.parse(JSON.stringify(body ?? null));
      return checkValue(sent, schema, schemas, 'answer');
    },
  };
}
