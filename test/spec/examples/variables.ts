import type { Example } from '../example.ts';
import { projectId, variableId } from './identifiers.ts';

const collection = `/v1/projects/${projectId}/variables`;
const overrides = `${collection}/row_limit/environment-overrides`;

/** Spec §4.6 and §2.9. */
export const variables: readonly Example[] = [
  {
    title: 'a variable is created',
    operation: 'variables.create',
    section: '§4.6',
    as: 'superAdmin',
    input: {
      projectId,
      name: 'row_limit',
      type: 'NUMBER',
      behaviour: 'SHARED',
      description: 'How many rows are loaded',
      value: 1000,
      supportsDoubleResolution: false,
    },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: {
        name: 'row_limit',
        type: 'NUMBER',
        behaviour: 'SHARED',
        description: 'How many rows are loaded',
        value: 1000,
        supportsDoubleResolution: false,
      },
    },
    answer: { status: 201, json: { id: variableId, name: 'row_limit', value: 1000 } },
  },
  {
    title: 'the variables are listed, first page of 25',
    operation: 'variables.list',
    section: '§4.6, §8',
    as: 'superAdmin',
    input: { projectId, page: 0, size: 25 },
    request: { method: 'GET', target: `${collection}?page=0&size=25`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            id: variableId,
            name: 'row_limit',
            type: 'NUMBER',
            behaviour: 'SHARED',
            description: 'How many rows are loaded',
            value: 1000,
            supportsDoubleResolution: false,
          },
        ],
        size: 25,
        total: 1,
      },
    },
  },
  {
    title: 'a variable is changed: type and behaviour are sent though they stay',
    operation: 'variables.update',
    section: '§4.6',
    as: 'superAdmin',
    input: { projectId, variableName: 'row_limit', type: 'NUMBER', behaviour: 'SHARED', value: 2000 },
    request: {
      method: 'PATCH',
      target: `${collection}/row_limit`,
      headers: { 'content-type': 'application/json' },
      json: { type: 'NUMBER', behaviour: 'SHARED', value: 2000 },
    },
    answer: { status: 204 },
  },
  {
    title: 'overrides are set, and one that cannot be applied comes back inside the 200',
    operation: 'overrides.set',
    section: '§4.6 rules 1 and 2',
    as: 'superAdmin',
    input: {
      projectId,
      variableName: 'row_limit',
      overrides: [
        { environmentName: 'dev', value: 10 },
        { environmentName: 'nowhere', value: 10 },
      ],
    },
    request: {
      method: 'POST',
      target: overrides,
      headers: { 'content-type': 'application/json' },
      json: {
        overrides: [
          { environmentName: 'dev', value: 10 },
          { environmentName: 'nowhere', value: 10 },
        ],
      },
    },
    answer: {
      status: 200,
      json: {
        variableName: 'row_limit',
        type: 'NUMBER',
        successfulOverrides: [{ environmentName: 'dev', value: 10 }],
        failedOverrides: [{ environmentName: 'nowhere' }],
      },
    },
  },
  {
    title: 'the other spelling of the failed list is read',
    operation: 'overrides.set',
    section: '§4.6',
    as: 'superAdmin',
    input: { projectId, variableName: 'row_limit', overrides: [{ environmentName: 'nowhere', value: 10 }] },
    request: {
      method: 'POST',
      target: overrides,
      headers: { 'content-type': 'application/json' },
      json: { overrides: [{ environmentName: 'nowhere', value: 10 }] },
    },
    answer: {
      status: 200,
      json: {
        variableName: 'row_limit',
        type: 'NUMBER',
        successfulOverrides: [],
        failedOverride: [{ environmentName: 'nowhere' }],
      },
    },
    reads: {
      variableName: 'row_limit',
      type: 'NUMBER',
      successfulOverrides: [],
      failedOverrides: [{ environmentName: 'nowhere' }],
    },
    notOnPlatform: 'The local platform writes the name that the example in the specification has.',
  },
  {
    title: 'the override of one environment is read',
    operation: 'overrides.list',
    section: '§4.6, §2.9',
    as: 'superAdmin',
    input: { projectId, variableName: 'row_limit', environmentName: 'dev' },
    request: { method: 'GET', target: `${overrides}?environmentName=dev`, headers: {} },
    answer: {
      status: 200,
      json: {
        variable: { id: variableId, name: 'row_limit', type: 'NUMBER' },
        overrides: [{ environmentName: 'dev', value: 10 }],
      },
    },
  },
  {
    title: 'an override is deleted',
    operation: 'overrides.delete',
    section: '§4.6',
    as: 'superAdmin',
    input: { projectId, variableName: 'row_limit', environmentName: 'dev' },
    request: { method: 'DELETE', target: `${overrides}/dev`, headers: {} },
    answer: { status: 204 },
  },
  {
    title: 'a variable is deleted',
    operation: 'variables.delete',
    section: '§4.6',
    as: 'superAdmin',
    input: { projectId, variableName: 'row_limit' },
    request: { method: 'DELETE', target: `${collection}/row_limit`, headers: {} },
    answer: { status: 204 },
  },
  {
    title: 'a variable with a slash and a blank in its name is one step of the path',
    operation: 'variables.delete',
    section: '§4.6',
    as: 'superAdmin',
    input: { projectId, variableName: 'a/b c' },
    request: { method: 'DELETE', target: `${collection}/a%2Fb%20c`, headers: {} },
    answer: { status: 404, json: { error: 'There is no such variable', status: 404 } },
    failsWith: 'not-found',
  },
];
