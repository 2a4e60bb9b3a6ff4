import { Failure } from '../core/failure.ts';
import { type SettingChoices, type ResolvedSetting, resolveSetting } from './resolve-setting.ts';

/** Required settings; the message names every place where a setting can be given. */
const required = {
  'no-base-url': {
    message: 'The address of the platform is not set: set the flag or input base-url, or MILLRACE_BASE_URL.',
    input: 'base-url',
  },
  'no-project': {
    message:
      'No project id is set: set `project` in millrace.yaml, MILLRACE_PROJECT_ID, or the flag or input project.',
    input: 'project',
  },
  'no-token': {
    message:
      'No credential for the platform is set: set MILLRACE_TOKEN (or MILLRACE_TOKEN_FILE), or ' +
      'MILLRACE_CLIENT_ID, MILLRACE_CLIENT_SECRET and MILLRACE_TOKEN_URL, or the input token.',
    input: 'token',
  },
  'no-agent-version': {
    message:
      'The runner version for the review is not set: set the flag --agent-version, the input agent-version, ' +
      'review.agent-version in millrace.yaml, or MILLRACE_AGENT_VERSION.',
    input: 'agent-version',
  },
} as const;

/** Resolves a required setting. Throws Failure 'no-base-url', 'no-project', 'no-token' or 'no-agent-version'. */
export function requireSetting<T>(
  code: keyof typeof required,
  choices: SettingChoices<T>,
): ResolvedSetting<T> {
  const resolved = resolveSetting(choices);
  if (resolved !== undefined) return resolved;
  const { message, input } = required[code];
  throw new Failure(code, { message, where: { input } });
}
