import { expect, test } from 'vitest';
import { requireSetting } from '../../../../lib/config/environment/require-setting.ts';
import { resolveSetting } from '../../../../lib/config/environment/resolve-setting.ts';

test('a flag goes before the environment, that before the file, that before the default', () => {
  const all = { flag: 'a', environment: 'b', file: 'c', default: 'd' };
  expect(resolveSetting(all)).toEqual({ value: 'a', origin: 'flag' });
  expect(resolveSetting({ ...all, flag: undefined })).toEqual({ value: 'b', origin: 'environment' });
  expect(resolveSetting({ file: 'c', default: 'd' })).toEqual({ value: 'c', origin: 'file' });
  expect(resolveSetting({ default: 'd' })).toEqual({ value: 'd', origin: 'default' });
  expect(resolveSetting({})).toBeUndefined();
});

test('an empty text counts as not given, a zero and a false do not', () => {
  expect(resolveSetting({ flag: '', file: 'c' })).toEqual({ value: 'c', origin: 'file' });
  expect(resolveSetting<number | boolean>({ flag: 0, file: 1 })).toEqual({ value: 0, origin: 'flag' });
  expect(resolveSetting({ flag: false, file: true })).toEqual({ value: false, origin: 'flag' });
});

test.each([
  ['no-base-url', ['base-url', 'MILLRACE_BASE_URL']],
  ['no-project', ['millrace.yaml', 'MILLRACE_PROJECT_ID', '--project']],
  ['no-token', ['MILLRACE_TOKEN', 'MILLRACE_CLIENT_ID', 'MILLRACE_CLIENT_SECRET', 'MILLRACE_TOKEN_URL']],
  [
    'no-agent-version',
    ['--agent-version', 'input agent-version', 'review.agent-version', 'MILLRACE_AGENT_VERSION'],
  ],
] as const)('%s is exit 2 and names every place where it can be given', (code, places) => {
  expect(() => requireSetting(code, { flag: '' })).toThrow(expect.objectContaining({ code, exitCode: 2 }));
  for (const place of places)
    expect(() => requireSetting(code, {})).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(place) }),
    );
  expect(requireSetting(code, { environment: 'x' })).toEqual({ value: 'x', origin: 'environment' });
});
