import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultSeed } from '../../../platform/index.ts';
import { type IdTokenIssuer, startIdTokenIssuer } from '../../environment/id-token-issuer.ts';
import { type ActionEnvironment, createActionEnvironment } from '../action-environment.ts';
import { warehouseFiles } from '../warehouse-files.ts';

let ci: IdTokenIssuer;
let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  ci = await startIdTokenIssuer();
  testEnvironment = await createActionEnvironment(warehouseFiles, {
    issuers: [{ issuer: ci.issuer, audience: 'millrace', keys: ci.keys }],
    credentials: [
      ...(defaultSeed.credentials ?? []),
      { name: 'ci', role: 'member', identity: { issuer: ci.issuer, subject: ci.subject } },
    ],
    executions: [{ pipeline: 'daily/load', component: 'Load orders', after: '60m' }],
  });
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
  await testEnvironment.publish('v1.0.0', 'refs/tags/v1.0.0');
});
afterEach(async () => {
  await testEnvironment[Symbol.asyncDispose]();
  await ci[Symbol.asyncDispose]();
});

const inputs = () => ({
  pipeline: 'daily/load',
  environment: 'dev',
  identity: 'token-exchange',
  'id-token-audience': 'millrace',
  'token-url': `${testEnvironment.platform.baseUrl}/oauth/token`,
});

test('the identity of a job replaces secrets, also for longer than a token lives, and no token is shown', async () => {
  const { platform } = testEnvironment;
  const running = testEnvironment.push('refs/tags/v1.0.0', {
    action: 'actions/run',
    token: '',
    inputs: inputs(),
    more: { env: ci.variables },
  });
  await expect.poll(() => platform.ledger({ operation: 'executions.start' }).length).toBe(1);
  // The token of 30 minutes expires while the action waits.
  await platform.clock.advance('61m');
  const result = await running;
  expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'passed']);
  expect(new Set(ci.issued).size).toBeGreaterThan(1);
  for (const token of [...ci.issued, ci.variables.ACTIONS_ID_TOKEN_REQUEST_TOKEN]) {
    expect(result.mask(token)).toBe('***');
    expect(result.raw).not.toContain(token);
  }
  expect(result.raw).not.toMatch(/access_[0-9a-f]{40}/u);
});

test('a job without the permission id-token: write fails and says so', async () => {
  const result = await testEnvironment.push('refs/tags/v1.0.0', {
    action: 'actions/run',
    token: '',
    inputs: inputs(),
  });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: no-token']);
  expect(result.annotations[0]?.message).toContain('id-token: write');
});
