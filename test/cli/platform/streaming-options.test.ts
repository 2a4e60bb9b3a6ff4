import { expect, test } from 'vitest';
import { parseAllowedSource, parseSecret, secretsIn } from '../../../cli/platform/streaming-options.ts';

test('--allow-source names a server and its secret, repeatedly', () => {
  const first = parseAllowedSource('db.example.com:5432=reader');
  expect(parseAllowedSource('[::1]:1=a=b', first)).toEqual([
    { host: 'db.example.com', port: 5432, secret: 'reader' },
    { host: '::1', port: 1, secret: 'a=b' },
  ]);
});

test.each([
  'db.example.com',
  'db.example.com:5432',
  'db:0=reader',
  'db:65536=reader',
  ':5432=reader',
  'db:5432=',
])('--allow-source %s is refused', (value) => {
  expect(() => parseAllowedSource(value)).toThrow('such as `db.example.com:5432=reader`');
});

test('--secret names a variable or a file, which is relative to the current folder', () => {
  const secrets = parseSecret('other=file:keys/other', parseSecret('reader=env:READER_PASSWORD'));
  expect(secretsIn(secrets, '/projects')).toEqual([
    { name: 'reader', environmentVariable: 'READER_PASSWORD' },
    { name: 'other', file: '/projects/keys/other' },
  ]);
});

test.each(['reader', 'reader=', 'reader=hunter2', 'reader=env:', '=env:A'])(
  '--secret %s is refused',
  (value) => {
    expect(() => parseSecret(value)).toThrow('Never give the value itself');
  },
);
