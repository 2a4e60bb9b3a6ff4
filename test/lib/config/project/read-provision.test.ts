import { expect, test } from 'vitest';
import { readProvision } from '../../../../lib/config/project/read-provision.ts';
import { lineOf, passwordFile, setupFile } from '../../../flows/provision/setup-file.ts';

test.each([
  ['a set-up with key pairs', setupFile],
  ['a set-up with a password', passwordFile],
  ['a project alone', 'version: 1\nproject: { name: shop, warehouse: WAREHOUSE_ONE }\n'],
])('%s is parsed', (_, text) => {
  expect(readProvision(text, 'setup.yaml').value.project).toMatchObject({ agentDeploymentType: 'HYBRID' });
});

/** The replaced text of one line, its replacement, and the error at that line. */
const faults: readonly [file: string, right: string, wrong: string, words: string][] = [
  [
    setupFile,
    'privateKey: { secretName: dev-key }',
    'privateKey: hunter22',
    '`privateKey` must be a reference',
  ],
  [
    setupFile,
    'privateKey: { secretName: dev-key }',
    "privateKey: { secretName: '-----BEGIN PRIVATE KEY-----hunter22' }",
    'looks like a secret',
  ],
  [setupFile, 'passphrase: {', 'passphrase: hunter22 #', '`passphrase` must be a reference, { secretName'],
  [setupFile, ', secretKey: passphrase', '', '`secretKey` is missing'],
  [passwordFile, 'password: {', 'password: hunter22 #', '`password` must be a reference'],
  [passwordFile, 'url: jdbc', 'url: jdbc://me:hunter22@host/x #', 'looks like a secret'],
  [passwordFile, 'url: jdbc', 'url: jdbc://host/x?user=a&password=hunter22 #', 'looks like a secret'],
  [passwordFile, 'port: 5439', 'port: many', '`port` must be a number'],
  [passwordFile, 'useSsl: true', 'useSsl: perhaps', '`useSsl` must be true or false'],
  [
    passwordFile,
    'username: loader',
    'account: loader',
    '`account` is not a field of a connection with `authType: password`',
  ],
  [setupFile, 'defaultUserAccessLevel: admin', 'defaultUserAccessLevel: amdin', 'did you mean "admin"?'],
  [
    setupFile,
    'defaultAgentId: 11111111-2222-4333-8444-555555555555',
    'defaultAgentId: me',
    'the id of a runner',
  ],
  [setupFile, 'warehouse: WAREHOUSE_ONE', 'warehous: WAREHOUSE_ONE', 'did you mean "warehouse"?'],
  [
    setupFile,
    '      shop-prod:',
    '      shop-prd:',
    'the connection "shop-prd" is not defined under `connections`',
  ],
];

test.each(faults)('an error has its line and quotes no secret: $3', (file, right, wrong, words) => {
  const text = file.replace(right, wrong);
  const line = wrong === '' ? lineOf(text, 'passphrase:') : lineOf(text, wrong);
  let thrown: unknown;
  try {
    readProvision(text, 'setup.yaml');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'config-invalid', message: expect.stringContaining(words) as string });
  const { problems } = (thrown as { details: { problems: { line: number; message: string }[] } }).details;
  expect(problems.filter(({ message }) => message.includes(words)).map((one) => one.line)).toEqual([line]);
  expect(JSON.stringify(thrown)).not.toContain('hunter22');
});

test('a missing field of a connection is reported with the authType that needs it', () => {
  const text = setupFile.replace('        defaultRole: LOADER\n', '');
  expect(() => readProvision(text, 'setup.yaml')).toThrow(
    '`defaultRole` is missing; a connection with `authType: key_pair` needs it.',
  );
});

test('a file with several connections must name the default one', () => {
  const several = setupFile.replace(
    '    connections:\n      shop-dev:',
    '    connections:\n      shop-prod: { account: a, username: b, defaultRole: c, defaultWarehouse: d, defaultDatabase: e, defaultSchema: f, privateKey: { secretName: g } }\n      shop-dev:',
  );
  expect(() => readProvision(several, 'setup.yaml')).toThrow('name one of them in `defaultConnection`');
  const chosen = several.replace(
    '    defaultUserAccessLevel: admin',
    '    defaultUserAccessLevel: admin\n    defaultConnection: shop-dev',
  );
  expect(readProvision(chosen, 'setup.yaml').value.environments['dev']?.defaultConnection).toBe('shop-dev');
  expect(() =>
    readProvision(chosen.replace('defaultConnection: shop-dev', 'defaultConnection: x'), 'setup.yaml'),
  ).toThrow(
    '`defaultConnection` must be one of the connections of the environment "dev": shop-prod, shop-dev',
  );
});
