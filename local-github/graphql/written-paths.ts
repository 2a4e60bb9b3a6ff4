import type { Request } from '../answers/request.ts';
import { mutationsIn } from './answer-mutation.ts';

const restPaths: Readonly<Record<string, string>> = {
  createCheckRun: 'POST /check-runs',
  updateCheckRun: 'PATCH /check-runs/1',
  createDeploymentStatus: 'POST /deployments/1/statuses',
};

/** The methods and paths of the REST API that a request corresponds to; several if it has several mutations. */
export function writtenPaths(request: Pick<Request, 'method' | 'path' | 'body'>): readonly string[] {
  if (request.path === '/graphql') return mutationsIn(request).map((name) => restPaths[name] ?? name);
  return request.method === 'GET' ? [] : [`${request.method} ${request.path}`];
}
