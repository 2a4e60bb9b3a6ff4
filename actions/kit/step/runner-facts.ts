import { readTextFileSync } from '../../../lib/core/files/read-text-file.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Environment, RunnerFacts } from './step.ts';

function readPayload(path: string): unknown {
  if (path === '') return {};
  try {
    return JSON.parse(readTextFileSync(path));
  } catch (cause) {
    throw new Failure('usage', {
      message: 'Cannot read the payload of the event.',
      where: { input: 'GITHUB_EVENT_PATH' },
      hint: 'Run the action in a GitHub workflow.',
      cause,
    });
  }
}

/** The facts that GitHub's runner provides about the workflow run. Throws Failure 'usage' outside a runner. */
export function readRunnerFacts(environment: Environment): RunnerFacts {
  const need = (name: string): string => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    throw new Failure('usage', {
      message: `${name} is not set, so this is not a step of a GitHub workflow.`,
      where: { input: name },
      hint: 'On your own machine, use the command line: npx millrace --help.',
    });
  };
  return {
    eventName: need('GITHUB_EVENT_NAME'),
    payload: readPayload(environment['GITHUB_EVENT_PATH'] ?? ''),
    // Empty on a deployment of a commit, for which only the SHA is known.
    ref: environment['GITHUB_REF'] ?? '',
    sha: need('GITHUB_SHA'),
    repository: need('GITHUB_REPOSITORY'),
    actor: environment['GITHUB_ACTOR'] ?? '',
    apiUrl: need('GITHUB_API_URL'),
    serverUrl: need('GITHUB_SERVER_URL'),
    workspace: need('GITHUB_WORKSPACE'),
    attempt: Number(environment['GITHUB_RUN_ATTEMPT'] ?? 1),
  };
}
