/** Compiled, not run: `npm run check` fails when a type of the client differs from this file. */
import { type Client, createClient, type InputOf, logging, type Middleware } from '../../client/index.ts';
import type { OperationOf } from '../../lib/contract/operations.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <Claim extends true>(): Claim | undefined => undefined;

declare const client: Client;

export async function typesOfTheClient(): Promise<void> {
  const start = await client.executions.start({ projectId: 'p', pipelineName: 'a', environmentName: 'dev' });
  holds<Same<typeof start.pipelineExecutionId, string>>();

  const page = await client.environments.list({ projectId: 'p' });
  holds<Same<typeof page.total, number>>();
  for await (const item of client.environments.list({ projectId: 'p', size: 5 })) {
    holds<Same<typeof item.defaultAgentId, string | null>>();
  }
  for await (const projects of client.projects.list().pages()) holds<Same<typeof projects.page, number>>();

  const list: Promise<typeof page> = client.environments.list({ projectId: 'p' });
  holds<Same<Awaited<typeof list>, typeof page>>();

  const nothing = await client.variables.delete({ projectId: 'p', variableName: 'v' });
  holds<Same<typeof nothing, undefined>>();

  const { result } = await client.executions.get({ projectId: 'p', pipelineExecutionId: 'e' });
  // Known values are suggested, other values are accepted.
  if (result.status === 'RUNNING' || result.status === 'SOMETHING_NEW') return;

  const exchange = await client.withResponse.executions.start({
    projectId: 'p',
    pipelineName: 'a',
    environmentName: 'dev',
  });
  holds<Same<typeof exchange.answer.pipelineExecutionId, string>>();
  holds<Same<typeof exchange.attempts, number>>();
  const firstPage = await client.withResponse.projects.list();
  holds<Same<typeof firstPage.answer.total, number>>();
  // @ts-expect-error: required
  await client.withResponse.executions.get();

  holds<Same<Awaited<ReturnType<typeof client.request>>, unknown>>();
  await client.request('executions.get', { projectId: 'p' });
  await client.request({ method: 'PUT', path: '/v1/odd', retry: 'repeatable' }, { timeoutMs: 1 });
  // @ts-expect-error: `keyed` needs a read-back, which only operations of the contract have
  await client.request({ method: 'PUT', path: '/v1/odd', retry: 'keyed' });

  const layers: Middleware[] = [
    logging(console),
    async (request, next) => next({ ...request, headers: { ...request.headers, 'x-tenant': 'finance' } }),
  ];
  createClient({ baseUrl: '', auth: { token: '' }, middlewares: layers });
  // @ts-expect-error: a middleware returns an end, not an answer
  createClient({ baseUrl: '', auth: { token: '' }, middlewares: [async () => ({ status: 200 })] });

  // A header's name is written as a field: Agent-Version.
  holds<Same<InputOf<OperationOf<'reviews.create'>>['agentVersion'], string>>();
  // @ts-expect-error: required
  await client.reviews.create({ projectId: 'p', branchName: 'main', commitId: 'c', pipelines: ['a'] });
  // @ts-expect-error: no such field
  await client.projects.list({ colour: 'red' });
  // @ts-expect-error: no such operation
  client.executions.list();
  // @ts-expect-error: closed enumeration of a request
  await client.streamingPipelines.command({ projectId: 'p', streamingPipelineId: 's', command: 'pause' });
  // @ts-expect-error: an upload names its files
  await client.artifacts.create({
    projectId: 'p',
    versionName: '1',
    environmentName: 'dev',
    commitHash: 'c',
  });
  // @ts-expect-error: audit has no required field, executions have
  await client.executions.get();
  await client.audit.list();
}
