import type { Example } from '../example.ts';
import { commitHash } from './identifiers.ts';

const collection = '/v1/shared-pipelines/artifacts';

const sharedPipelines = `version: "1.0"
type: "shared-pipelines-config"
pipelines:
  - pipeline: "shared/clean.orch.yaml"
    displayName: "Clean"
    id: "clean"
    description: "Cleans a table"
    enabled: true
    parameters: {}
`;
const cleanPipeline = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
`;

/** Spec §4.8 and §2.11; the upload's form is a decision (unknowns §3). */
export const shared: readonly Example[] = [
  {
    title: 'shared pipelines are published under a prefix and a version',
    operation: 'sharedArtifacts.publish',
    section: '§4.8, unknowns §3',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', commitHash, branch: 'main' },
    request: {
      method: 'POST',
      target: collection,
      headers: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', commitHash, branch: 'main' },
      form: [
        { key: '.platform/shared-pipelines.yaml', content: sharedPipelines },
        { key: 'shared/clean.orch.yaml', content: cleanPipeline },
      ],
    },
    answer: {
      status: 201,
      json: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', ignoredResources: [] },
    },
  },
  {
    title: 'a prefix and version that exist are refused',
    operation: 'sharedArtifacts.publish',
    section: '§4.8, §7',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', commitHash },
    request: {
      method: 'POST',
      target: collection,
      headers: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', commitHash },
      form: [
        { key: '.platform/shared-pipelines.yaml', content: sharedPipelines },
        { key: 'shared/clean.orch.yaml', content: cleanPipeline },
      ],
    },
    answer: { status: 409, json: { error: 'The version exists already', status: 409 } },
    failsWith: 'conflict',
  },
  {
    title: 'the shared pipelines are listed',
    operation: 'sharedPipelines.list',
    section: '§4.8',
    as: 'admin',
    input: { page: 0, size: 10 },
    request: { method: 'GET', target: '/v1/shared-pipelines?page=0&size=10', headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            sharedPipelineIdPrefix: 'finance',
            sharedPipelineId: 'clean',
            description: 'Cleans a table',
            latestVersionName: '2026.3',
          },
        ],
        size: 10,
        total: 1,
      },
    },
  },
  {
    title: 'the published versions of a prefix are listed',
    operation: 'sharedArtifacts.list',
    section: '§4.8, §2.11',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance' },
    request: { method: 'GET', target: `${collection}?sharedPipelineIdPrefix=finance`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            sharedPipelineIdPrefix: 'finance',
            versionName: '2026.3',
            enabled: true,
            createdAt: '2026-03-02T09:31:07.000Z',
            commitHash,
            branch: 'main',
          },
        ],
        size: 25,
        total: 1,
      },
    },
  },
  {
    title: 'the details of the most recent enabled version: none is named',
    operation: 'sharedArtifacts.details',
    section: '§4.8, §2.11',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance' },
    request: { method: 'GET', target: `${collection}/details?sharedPipelineIdPrefix=finance`, headers: {} },
    answer: {
      status: 200,
      json: {
        artifactDetails: {
          sharedPipelineIdPrefix: 'finance',
          versionName: '2026.3',
          enabled: true,
          createdAt: '2026-03-02T09:31:07.000Z',
          provider: 'git-host',
          commitHash,
          branch: 'main',
        },
        sharedPipelines: [
          { sharedPipelineId: 'clean', sourcePipeline: 'shared/clean', description: 'Cleans a table' },
        ],
      },
    },
  },
  {
    title: 'the version literally named latest does not exist',
    operation: 'sharedArtifacts.details',
    section: '§4.8 rule 1, §7',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance', versionName: 'latest' },
    request: {
      method: 'GET',
      target: `${collection}/details?sharedPipelineIdPrefix=finance&versionName=latest`,
      headers: {},
    },
    answer: { status: 404, json: { error: 'There is no such version', status: 404 } },
    clientRefusesWith: 'version-invalid',
  },
  {
    title: 'a version that does not exist is not found',
    operation: 'sharedArtifacts.details',
    section: '§7',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance', versionName: '1999.1' },
    request: {
      method: 'GET',
      target: `${collection}/details?sharedPipelineIdPrefix=finance&versionName=1999.1`,
      headers: {},
    },
    answer: { status: 404, json: { error: 'There is no such version', status: 404 } },
    failsWith: 'not-found',
  },
  {
    title: 'a shared version is disabled for all consumers',
    operation: 'sharedArtifacts.setEnabled',
    section: '§4.8, §3.3',
    as: 'admin',
    input: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', enabled: false },
    request: {
      method: 'PATCH',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: { sharedPipelineIdPrefix: 'finance', versionName: '2026.3', enabled: false },
    },
    answer: { status: 200, json: {} },
  },
];
