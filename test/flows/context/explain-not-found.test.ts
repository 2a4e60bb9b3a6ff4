import { expect, onTestFinished, test } from 'vitest';
import { explainNotFound } from '../../../flows/context/explain-not-found.ts';
import { promote } from '../../../flows/promote/promote.ts';
import { publish } from '../../../flows/publish/publish.ts';
import { createFlowEnvironment, type FlowEnvironment, smallPipeline, source } from '../flow-environment.ts';

async function openEnvironment(): Promise<FlowEnvironment> {
  const env = await createFlowEnvironment();
  onTestFinished(() => env[Symbol.asyncDispose]());
  env.work.write('a.orch.yaml', smallPipeline);
  env.work.commit('A pipeline');
  const request = { ...source(env), version: 'v1.0.0', environment: 'dev', connectors: false, dryRun: false };
  await publish(request, env.context);
  await expect(publish({ ...request, environment: 'deev' }, env.context)).rejects.toMatchObject({
    hint: expect.stringContaining('Did you mean "dev"?') as string,
  });
  return env;
}

test('a promotion names the misspelled environment or version, and the closest that exists', async () => {
  const { context } = await openEnvironment();
  const attempt = (given: { version?: string; from?: string; to?: string }, dryRun: boolean) =>
    promote({ version: 'v1.0.0', from: 'dev', to: 'test', dryRun, ...given }, context);
  for (const dryRun of [false, true]) {
    await expect(attempt({ to: 'tset' }, dryRun)).rejects.toMatchObject({
      code: 'not-found',
      where: { input: 'to' },
      message: expect.stringContaining('no environment "tset"') as string,
      hint: expect.stringContaining('Did you mean "test"?') as string,
    });
    await expect(attempt({ from: 'deev' }, dryRun)).rejects.toMatchObject({
      where: { input: 'from' },
      hint: expect.stringContaining('Did you mean "dev"?') as string,
    });
    await expect(attempt({ version: 'v1.0.1' }, dryRun)).rejects.toMatchObject({
      where: { input: 'version' },
      message: 'Version v1.0.1 is not in dev.',
      hint: expect.stringContaining('Did you mean "v1.0.0"?') as string,
    });
  }
});

test('a 404 for names that all exist stays as the platform answered it', async () => {
  const { context, client } = await openEnvironment();
  const missing = () => client.executions.get({ projectId: context.projectId, pipelineExecutionId: 'x' });
  const names = { environments: { environment: 'dev' }, version: { name: 'v1.0.0', environment: 'dev' } };
  const answered = await missing().catch((error: unknown) => error);
  await expect(explainNotFound(names, context, missing)).rejects.toMatchObject({
    message: (answered as Error).message,
  });
});
