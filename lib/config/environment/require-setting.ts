import { Failure } from '../../core/errors/failure.ts';
import { type SettingChoices, type ResolvedSetting, resolveSetting } from './resolve-setting.ts';

/** Required settings; the hint in the catalogue names every place where a setting can be given. */
const required = {
  'no-base-url': {
    message: 'The address of the platform is not set.',
    input: 'base-url',
  },
  'no-project': {
    message: 'No project id is set.',
    input: 'project',
  },
  'no-token': {
    message: 'No credential for the platform is set.',
    input: 'MILLRACE_TOKEN',
  },
  'no-agent-version': {
    message: 'The version of the project’s runner is not set. The platform needs it for a review.',
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
