import type { Example } from '../example.ts';
import { commitHash, projectId } from './identifiers.ts';

const orchestration = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional:
          - "Load"
    Load:
      type: "sql-executor"
      parameters:
        componentName: "Load"
        sqlScript: "insert into sales select * from staging where day = '\${day}'"
      transitions:
        success:
          - "Done"
    Done:
      type: "end-success"
  variables:
    day:
      metadata:
        type: "TEXT"
        scope: "SHARED"
        visibility: "PUBLIC"
      defaultValue: ""
`;

const collection = `/v1/projects/${projectId}/artifacts`;

/** Spec §4.3. What the specification does not show of the answers is from unknowns §3. */
export const artifacts: readonly Example[] = [
  {
    title: 'an artifact is created: version, environment and commit as headers, one part per file',
    operation: 'artifacts.create',
    section: '§4.3, §2.6, unknowns §3',
    as: 'superAdmin',
    input: {
      projectId,
      versionName: '1.4.0',
      environmentName: 'dev',
      commitHash,
      branch: 'release/1.4',
    },
    request: {
      method: 'POST',
      target: collection,
      headers: { versionName: '1.4.0', environmentName: 'dev', commitHash, branch: 'release/1.4' },
      form: [
        { key: 'daily/load.orch.yaml', content: orchestration },
        { key: 'sql/clean up.sql', content: 'delete from staging;\n' },
        { key: 'connector-profile:custom-17.json', content: '{"id":"17"}' },
      ],
    },
    answer: { status: 201, json: { versionName: '1.4.0', ignoredResources: [] } },
  },
  {
    title: 'a resource that the platform left out is named with its reason',
    operation: 'artifacts.create',
    section: 'unknowns §3',
    as: 'superAdmin',
    input: { projectId, versionName: '1.5.0', environmentName: 'dev', commitHash },
    request: {
      method: 'POST',
      target: collection,
      headers: { versionName: '1.5.0', environmentName: 'dev', commitHash },
      form: [{ key: 'daily/load.orch.yaml', content: orchestration }],
    },
    answer: {
      status: 201,
      json: {
        versionName: '1.5.0',
        ignoredResources: [{ name: 'notes.txt', reason: 'unsupported file type' }],
      },
    },
    notOnPlatform: 'Which resources are ignored is not shown.',
  },
  {
    title: 'an artifact is created, and nothing is shown of the answer',
    operation: 'artifacts.create',
    section: '§4.3',
    as: 'superAdmin',
    input: { projectId, versionName: '1.6.0', environmentName: 'dev', commitHash },
    request: {
      method: 'POST',
      target: collection,
      headers: { versionName: '1.6.0', environmentName: 'dev', commitHash },
      form: [{ key: 'daily/load.orch.yaml', content: orchestration }],
    },
    answer: { status: 200 },
    reads: undefined,
    notOnPlatform: 'The local platform answers as unknowns §3 says.',
  },
  {
    title: 'a version is promoted',
    operation: 'artifacts.promote',
    section: '§4.3, unknowns §3',
    as: 'superAdmin',
    input: {
      projectId,
      sourceEnvironmentName: 'dev',
      targetEnvironmentName: 'test',
      versionName: '1.4.0',
    },
    request: {
      method: 'POST',
      target: `${collection}/promotions`,
      headers: { 'content-type': 'application/json' },
      json: { sourceEnvironmentName: 'dev', targetEnvironmentName: 'test', versionName: '1.4.0' },
    },
    answer: { status: 200, json: { environmentName: 'test', versionName: '1.4.0' } },
  },
  {
    title: 'the artifacts are listed: this path ends in a slash',
    operation: 'artifacts.list',
    section: '§4.3, unknowns §3',
    as: 'superAdmin',
    input: { projectId },
    request: { method: 'GET', target: `${collection}/`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            versionName: '1.4.0',
            environmentName: 'test',
            commitHash,
            branch: 'release/1.4',
            enabled: true,
            createdAt: '2026-03-02T09:31:07.000Z',
            deployedAt: '2026-03-02T09:40:11.000Z',
          },
        ],
        size: 25,
        total: 1,
      },
    },
  },
  {
    title: 'a version is disabled in one environment',
    operation: 'artifacts.setEnabled',
    section: '§4.3, §3.3',
    as: 'superAdmin',
    input: { projectId, environmentName: 'test', versionName: '1.4.0', enabled: false },
    request: {
      method: 'PATCH',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: { environmentName: 'test', versionName: '1.4.0', enabled: false },
    },
    answer: { status: 200, json: {} },
  },
  {
    title: 'a disabled version is only listed when asked for',
    operation: 'artifacts.list',
    section: '§3.3, unknowns §3',
    as: 'superAdmin',
    input: { projectId, environmentName: 'test', includeDisabled: true },
    request: {
      method: 'GET',
      target: `${collection}/?environmentName=test&includeDisabled=true`,
      headers: {},
    },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            versionName: '1.4.0',
            environmentName: 'test',
            commitHash,
            branch: 'release/1.4',
            enabled: false,
            createdAt: '2026-03-02T09:31:07.000Z',
            deployedAt: '2026-03-02T09:40:11.000Z',
          },
        ],
        size: 25,
        total: 1,
      },
    },
  },
  {
    title: 'the custom connectors are read',
    operation: 'connectors.listCustom',
    section: '§4.3, §2.6',
    as: 'member',
    input: {},
    request: { method: 'GET', target: '/v1/custom-connectors', headers: {} },
    answer: { status: 200, json: [{ id: '17', name: 'Weather service' }] },
  },
  {
    title: 'the flex connectors are read, one with the other identifier',
    operation: 'connectors.listFlex',
    section: '§4.3, unknowns §3',
    as: 'member',
    input: {},
    request: { method: 'GET', target: '/v1/flex-connectors', headers: {} },
    answer: { status: 200, json: [{ id: '4', alternateId: 'ticket-system', name: 'Ticket system' }] },
  },
];
