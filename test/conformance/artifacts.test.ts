import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { orchestration } from '../environment/orchestration.ts';
import { fieldOf, form, pipelines, provision, resultsOf } from './project.ts';
import { openServer, send } from './server.ts';

const server = await openServer();

conforms(
  ['POST /v1/projects/{projectId}/artifacts', 'GET /v1/projects/{projectId}/artifacts/', '§9 rule 2'],
  'a version of one’s own choice is created and is in the list',
  async () => {
    const project = await provision(server);
    const created = await project.publish('2030.01-rc.1');
    expect([200, 201]).toContain(created.status);
    const list = await project.send('GET', '/artifacts/');
    expect(list.status).toBe(200);
    expect(resultsOf(list).map(({ versionName }) => versionName)).toContain('2030.01-rc.1');
  },
);

conforms(
  ['POST /v1/projects/{projectId}/artifacts', '§4.3 archives are not supported', '§8 limits'],
  'without version, environment or commit, for an unknown environment, or with an archive, nothing is created',
  async () => {
    const project = await provision(server);
    const all = {
      versionName: '1',
      environmentName: 'dev',
      commitHash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    };
    for (const name of ['versionName', 'environmentName', 'commitHash']) {
      const headers = Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
      const answer = await project.send('POST', '/artifacts', {
        body: form({ 'a.orch.yaml': orchestration }),
        headers,
      });
      expect([name, answer.status]).toEqual([name, 400]);
    }
    const nowhere = await project.publish('1', undefined, 'nowhere');
    expect([400, 404]).toContain(nowhere.status);
    const archive = await project.publish('1', { 'all.zip': 'PK\u0003\u0004' });
    // Left out with a reason or refused: an archive is never an artifact.
    if (archive.status < 300) {
      expect(fieldOf(archive.body, 'ignoredResources')).toEqual([
        expect.objectContaining({ name: 'all.zip' }),
      ]);
    } else {
      expect(archive.status).toBe(400);
      expect(resultsOf(await project.send('GET', '/artifacts/'))).toEqual([]);
    }
  },
);

conforms(
  ['§4.3 keys are paths', 'GET /v1/projects/{projectId}/published-pipelines'],
  'the form part’s key is the path by which the pipeline is then known',
  async () => {
    const project = await provision(server);
    await project.publish('1', {
      'Month End/close books.orch.yaml': orchestration,
      'top.orch.yaml': orchestration,
    });
    const published = await project.send('GET', '/published-pipelines');
    expect(published.status).toBe(200);
    const names = resultsOf(published).map(({ name }) => String(name).replace(/\.(orch|tran)\.yaml$/, ''));
    expect(names.toSorted()).toEqual(['Month End/close books', 'top']);
    for (const { publishedTime } of resultsOf(published)) {
      expect(Number.isNaN(Date.parse(String(publishedTime)))).toBe(false);
    }
  },
);

conforms(
  ['POST /v1/projects/{projectId}/artifacts/promotions'],
  'a promoted version can be run in the target; one that does not exist is not promoted',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    const start = () =>
      project.send('POST', '/pipeline-executions', {
        body: { pipelineName: 'daily/load', environmentName: 'test', versionName: '1' },
      });
    expect((await start()).status).toBe(404);
    const promote = (versionName: string, targetEnvironmentName = 'test') =>
      project.send('POST', '/artifacts/promotions', {
        body: { sourceEnvironmentName: 'dev', targetEnvironmentName, versionName },
      });
    expect([200, 201]).toContain((await promote('1')).status);
    const started = await start();
    expect([200, 201]).toContain(started.status);
    await project.untilEnded(String(fieldOf(started.body, 'pipelineExecutionId')));
    expect((await promote('2')).status).toBe(404);
    expect((await promote('1', 'nowhere')).status).toBe(404);
    expect((await project.send('POST', '/artifacts/promotions', { body: { versionName: '1' } })).status).toBe(
      400,
    );
  },
);

conforms(
  [
    'PATCH /v1/projects/{projectId}/artifacts',
    '§3.3 disable a project artifact',
    '§3.3 enable a project artifact',
  ],
  'a disabled version leaves the default list and cannot be executed, until it is enabled again',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    const set = (enabled: boolean, versionName = '1') =>
      project.send('PATCH', '/artifacts', { body: { environmentName: 'dev', versionName, enabled } });
    const listed = async () =>
      resultsOf(await project.send('GET', '/artifacts/')).map(({ versionName }) => versionName);
    const start = () =>
      project.send('POST', '/pipeline-executions', {
        body: { pipelineName: 'daily/load', environmentName: 'dev', versionName: '1' },
      });

    expect((await set(false)).status).toBeLessThan(300);
    expect(await listed()).toEqual([]);
    expect((await start()).status).toBeGreaterThanOrEqual(400);
    expect((await set(true)).status).toBeLessThan(300);
    expect(await listed()).toEqual(['1']);
    const started = await start();
    expect(started.status).toBeLessThan(300);
    await project.untilEnded(String(fieldOf(started.body, 'pipelineExecutionId')));
    expect((await set(false, 'unknown')).status).toBe(404);
  },
);

conforms(
  ['GET /v1/custom-connectors', 'GET /v1/flex-connectors'],
  'connectors come as plain arrays of objects, without an envelope',
  async () => {
    for (const kind of ['custom', 'flex']) {
      const answer = await send(server, 'GET', `/v1/${kind}-connectors`);
      expect(answer.status).toBe(200);
      expect(Array.isArray(answer.body)).toBe(true);
    }
  },
);

conforms(
  ['§2.6 files of connectors'],
  'a connector of the account is taken into an artifact, as a file in its root',
  async () => {
    const project = await provision(server);
    const files: Record<string, string> = { ...pipelines };
    for (const kind of ['custom', 'flex']) {
      const { body } = await send(server, 'GET', `/v1/${kind}-connectors`);
      for (const connector of body as Record<string, unknown>[]) {
        const id = (kind === 'flex' ? connector['alternateId'] : undefined) ?? connector['id'];
        files[`connector-profile:${kind}-${String(id)}.json`] = JSON.stringify(connector);
      }
    }
    const answer = await project.publish('1', files);
    expect(answer.status).toBeLessThan(300);
    expect(JSON.stringify(answer.body ?? '')).not.toContain('connector-profile');
  },
);
