import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { environmentBody, fieldOf, provision, type Project } from './project.ts';
import { needsPausedAgent, needsRunners, needsStoppedAgent, openServer } from './server.ts';

const server = await openServer();
const unknown = '99999999-9999-4999-8999-999999999999';

const createOn = (project: Project, name: string, defaultAgentId: string) =>
  project.send('POST', '/environments', { body: { ...environmentBody(server, name), defaultAgentId } });

/** Starts an execution in a new environment whose runner is the given one. */
async function startOn(project: Project, agent: string) {
  expect((await createOn(project, 'uat', agent)).status).toBe(201);
  await project.publish('1', undefined, 'uat');
  return project.send('POST', '/pipeline-executions', {
    body: { pipelineName: 'daily/load', environmentName: 'uat' },
  });
}

conforms(
  ['§2.3 runners'],
  'an environment takes a runner that exists, and no other',
  async () => {
    const project = await provision(server);
    const refused = await createOn(project, 'uat', unknown);
    expect([400, 404, 409]).toContain(refused.status);
    expect((await createOn(project, 'uat', server.agent)).status).toBe(201);
  },
  needsRunners(server),
);

conforms(
  ['§2.3 a paused runner'],
  'an execution on a paused runner stays queued, and can be cancelled',
  async () => {
    const project = await provision(server);
    const started = await startOn(project, server.pausedAgent ?? '');
    expect(started.status).toBeLessThan(300);
    const path = `/pipeline-executions/${String(fieldOf(started.body, 'pipelineExecutionId'))}`;
    for (let poll = 0; poll < 5; poll += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { body } = await project.send('GET', path);
      expect(String(fieldOf(body, 'result', 'status')).toUpperCase()).toBe('QUEUED');
      expect(fieldOf(body, 'result', 'startedAt') ?? null).toBeNull();
    }
    const body = { forceUpdate: true, status: 'CANCELLED' };
    expect((await project.send('PATCH', path, { body })).status).toBeLessThan(300);
    const last = await project.untilEnded(path.split('/').at(-1) ?? '');
    expect(String(last['status']).toUpperCase()).not.toBe('SUCCESS');
  },
  needsPausedAgent(server),
);

conforms(
  ['§2.3 a stopped runner'],
  'an execution on a stopped runner is refused, or ends without success and never started',
  async () => {
    const project = await provision(server);
    const started = await startOn(project, server.stoppedAgent ?? '');
    if (started.status >= 400) return;
    const last = await project.untilEnded(String(fieldOf(started.body, 'pipelineExecutionId')));
    expect(String(last['status']).toUpperCase()).not.toBe('SUCCESS');
    expect(last['startedAt'] ?? null).toBeNull();
  },
  needsStoppedAgent(server),
);
