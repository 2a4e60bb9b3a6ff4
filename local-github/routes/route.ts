import type { z } from 'zod';
import { type Answer, invalid, Refusal } from '../answers/answer.ts';
import type { Access, Permission, Repository, State, TokenGrant } from '../state/state.ts';

/** The request and the context that a route gets. */
export interface Call {
  readonly state: State;
  readonly repository: Repository;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly grant: TokenGrant;
  /** Web address of the server, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly apiUrl: string;
  readonly accept: string;
}

export interface Route {
  readonly method: string;
  /** Path after `/repos/{owner}/{repo}`; `:name` one segment, `*name` the rest. */
  readonly path: string;
  /** A token needs one of these permissions. */
  readonly needs: readonly (readonly [Permission, Access])[];
  handle(call: Call): Answer | Promise<Answer>;
}

/** The parameters of a path (percent-decoded); undefined if the path does not match the pattern. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const patternParts = pattern.split('/');
  const pathParts = path.split('/');
  const params: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    if (part.startsWith('*')) {
      // `/branches` is a path of its own, not a branch without a name.
      if (pathParts.length <= index) return undefined;
      params[part.slice(1)] = decodeURIComponent(pathParts.slice(index).join('/'));
      return params;
    }
    const segment = pathParts[index];
    if (segment === undefined) return undefined;
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return pathParts.length === patternParts.length ? params : undefined;
}

/** Throws GitHub's refusal if a token lacks the permission, with GitHub's words, because people search for them. */
export function checkAccess(route: Pick<Route, 'needs'>, grant: TokenGrant): void {
  const may = route.needs.some(([permission, access]) => {
    const has = grant.permissions[permission];
    return has === 'write' || (has === 'read' && access === 'read');
  });
  if (!may) throw new Refusal(403, 'Resource not accessible by integration');
}

/** Reads a body by its schema; 422 as GitHub words it. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw invalid(`Invalid request.\n\n${issues.join('\n')}`, issues);
}

/** The requested page of a list. `usual`: the number of items if the request does not say. */
export function pageOf({ query }: Pick<Call, 'query'>, usual = 30): { number: number; size: number } {
  const whole = (name: string, fallback: number): number => {
    const number = Number(query.get(name) ?? fallback);
    return Number.isInteger(number) && number > 0 ? number : fallback;
  };
  const size = query.has('per_page') ? Math.min(whole('per_page', usual), 100) : usual;
  return { number: whole('page', 1), size };
}

/** One page of a list with GitHub's `Link` header: 30 by default, never more than 100. */
export function page(call: Call, path: string, items: readonly unknown[], wrap?: string): Answer {
  const { number, size } = pageOf(call);
  const shown = items.slice((number - 1) * size, number * size);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (target: number, rel: string): string => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(target));
    return `<${call.apiUrl}/repositories/${String(call.repository.id)}${path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
  ];
  return {
    status: 200,
    body: wrap === undefined ? shown : { total_count: items.length, [wrap]: shown },
    ...(links.length === 0 ? {} : { headers: { link: links.join(', ') } }),
  };
}
