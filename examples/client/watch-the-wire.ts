import process from 'node:process';
import { createClient, type Middleware, recording } from '../../client/index.ts';

// node watch-the-wire.ts

const { MILLRACE_BASE_URL = '', MILLRACE_TOKEN = '', MILLRACE_PROJECT_ID: projectId = '' } = process.env;

/** Adds a header to every attempt, and prints how long it took. */
const timed: Middleware = async (request, next, { operation, attempt }) => {
  const begin = performance.now();
  const end = await next({ ...request, headers: { ...request.headers, 'x-caller': 'example' } });
  const outcome = end.kind === 'answered' ? end.answer.status : end.kind;
  const took = (performance.now() - begin).toFixed(0);
  process.stderr.write(`${operation}, attempt ${attempt}: ${outcome} after ${took} ms\n`);
  return end;
};

await using client = createClient({
  baseUrl: MILLRACE_BASE_URL,
  auth: { token: MILLRACE_TOKEN },
  timeoutMs: 10_000,
  middlewares: [
    timed,
    recording(({ request }) => console.log(`${request.method} ${new URL(request.url).pathname}`)),
  ],
});

const { answer, requestId, attempts } = await client.withResponse.variables.list({ projectId });
console.log(
  `${answer.total} variables, request ${requestId === '' ? 'without id' : 'with id'}, ${attempts} attempt`,
);

// This endpoint is not in the contract. The same credential, time limits and retries apply.
const document = await client.request({ method: 'GET', path: '/_platform/openapi.json', retry: 'safe' });
console.log(`OpenAPI ${(document as { openapi: string }).openapi}`);
