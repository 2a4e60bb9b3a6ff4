import { expect, test } from 'vitest';
import { bypassesProxy, loopbackExcepted } from '../../../lib/http/no-proxy.ts';

const added = 'localhost,127.0.0.1,::1';

test.each([
  [{}, undefined],
  [{ NO_PROXY: 'a' }, undefined],
  [{ HTTP_PROXY: '' }, undefined],
  [{ https_proxy: 'http://p' }, added],
  [{ ALL_PROXY: 'http://p', NO_PROXY: ' a, b ' }, `a, b,${added}`],
  [{ HTTP_PROXY: 'http://p', NO_PROXY: 'a', no_proxy: 'b' }, `b,${added}`],
])('a program that is started with %o has NO_PROXY %s', (environment, list) => {
  expect(loopbackExcepted(environment)).toEqual(list === undefined ? {} : { NO_PROXY: list, no_proxy: list });
});

test('the added addresses are those that a local platform listens on', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(bypassesProxy(new URL(`http://${host}:8080/`), added)).toBe(true);
});
