import { expect, test } from 'vitest';
import { gitEnvironment } from '../../../../lib/git/process/git-environment.ts';

test('git gets the variables for its programs, settings, proxies and keys', () => {
  const needed = {
    PATH: '/bin',
    Path: 'C:\\bin',
    HOME: '/home/me',
    XDG_CONFIG_HOME: '/home/me/.config',
    https_proxy: 'http://proxy',
    NO_PROXY: 'localhost',
    SSH_AUTH_SOCK: '/tmp/agent',
    GIT_SSH_COMMAND: 'ssh -i key',
    GIT_CONFIG_GLOBAL: '/home/me/git',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.sslVerify',
    GIT_SSL_CAINFO: '/ca.pem',
    SystemRoot: 'C:\\Windows',
  };
  expect(gitEnvironment(needed)).toEqual({ ...needed, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' });
});

test('git gets no secret of the job, whatever its name, and no other repository', () => {
  const names = [
    'MILLRACE_TOKEN',
    'MILLRACE_CLIENT_SECRET',
    'MILLRACE_GITHUB_TOKEN',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'INPUT_TOKEN',
    'INPUT_GITHUB-TOKEN',
    'STATE_token',
    'ACTIONS_RUNTIME_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'NPM_TOKEN',
    'GIT_PASSWORD',
    'SSH_PRIVATE_KEY',
    'hook_secret',
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_TRACE',
  ];
  const outside = Object.fromEntries(names.map((name) => [name, 'secret-value']));
  expect(JSON.stringify(gitEnvironment(outside))).not.toContain('secret-value');
});
