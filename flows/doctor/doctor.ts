import { messageOf } from '../../lib/core/errors/message-of.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Client } from '../../client/index.ts';
import { describePlace, Failure } from '../../lib/core/errors/failure.ts';
import { exitCodes, type ExitCode } from '../../lib/core/outcomes/outcome.ts';

/** The result of one check. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was found, or what is wrong. */
  readonly message: string;
  /** How to fix it; present if `ok` is false. */
  readonly hint?: string;
  /** The exit code of this problem alone. */
  readonly exitCode: ExitCode;
}

/** Runs one check. Its message is the result of `run`, or the failure with its hint. */
export async function check(what: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { what, ok: true, message: await run(), exitCode: exitCodes.done };
  } catch (error) {
    if (!(error instanceof Failure)) {
      const message = messageOf(error);
      return {
        what,
        ok: false,
        message,
        hint: 'Run the command again with --verbose and report the error.',
        exitCode: exitCodes.remote,
      };
    }
    const place = describePlace(error.where);
    const message = place === '' ? error.message : `${place}: ${error.message}`;
    return { what, ok: false, message, hint: error.hint, exitCode: error.exitCode };
  }
}

/**
 * The time limit of a check in milliseconds, including all attempts. It is short because a user waits for the
 * result.
 */
export const checkTimeoutMs = 10_000;

/** The settings of the project that the checks of the platform need. */
export interface ProjectOnPlatform {
  /** May fail. */
  readonly projectIdOf: () => Promise<string>;
  /** The environments of millrace.yaml: the platform must show each of them to the credential. */
  readonly environments: readonly string[];
}

/**
 * Checks what the credential may do on the platform. All checks only read, so they cannot show whether the
 * credential may write, and the API does not show access levels (spec §2.3).
 */
export async function checkPlatform(
  client: Client,
  { projectIdOf, environments }: ProjectOnPlatform,
  signal: AbortSignal,
  deadlineMs = checkTimeoutMs,
): Promise<Check[]> {
  const call = { signal, deadlineMs };
  // Concurrently: if the platform does not answer, all four checks end within one deadline.
  return Promise.all([
    check('platform and credential', async () => {
      const { total } = await client.projects.list({ size: 1 }, call);
      return `reached; ${numberOf(total, 'project is', 'projects are')} visible`;
    }),
    check('project', async () => {
      const projectId = await projectIdOf();
      const names: string[] = [];
      for await (const { name } of client.environments.list({ projectId }, call)) names.push(name);
      const missing = environments.filter((name) => !names.includes(name));
      if (missing.length > 0) throw notShown(projectId, missing, names);
      const shown = `${projectId} has the environments ${names.join(', ') || '(none)'}`;
      return names.length === 0 ? shown : `${shown}, and the credential can read them; ${writesUnchecked}`;
    }),
    check('shared pipelines (role Admin)', async () => {
      const { total } = await client.sharedPipelines.list({ size: 1 }, call);
      return `allowed; ${numberOf(total, 'shared pipeline')}`;
    }),
    check('audit log (role Super Admin)', async () => {
      const { total } = await client.audit.list({ size: 1 }, call);
      return `allowed; ${numberOf(total, 'entry', 'entries')}`;
    }),
  ]);
}

const writesUnchecked =
  'whether it may also run pipelines there (access level runner), or publish and promote (admin), cannot be checked without doing it';

/** Spec §2.3: for a credential with the level `noAccess`, an environment does not exist. */
function notShown(projectId: string, missing: readonly string[], shown: readonly string[]): Failure {
  const names = missing.map((name) => `"${name}"`).join(', ');
  return new Failure('not-found', {
    message: `${projectId} has no ${missing.length === 1 ? 'environment' : 'environments'} ${names}, which millrace.yaml names, or the credential has the access level noAccess there; it sees ${shown.join(', ') || 'no environment'}.`,
    where: { input: 'environments' },
    hint: 'Correct `environments` in millrace.yaml, create the environment, or give the credential an access level in it: readOnly to read, runner to run pipelines, admin to publish and promote.',
  });
}
