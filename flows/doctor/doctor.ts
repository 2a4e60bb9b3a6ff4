import { numberOf } from '../../lib/core/number-of.ts';
import type { Client } from '../../client/index.ts';
import { describePlace, Failure } from '../../lib/core/failure.ts';
import { exitCodes, type ExitCode } from '../../lib/core/outcome.ts';

/** One thing that was looked at. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was found, or what is wrong. */
  readonly message: string;
  /** What to do; present where it is not ok. */
  readonly hint?: string;
  /** The exit code that this fault alone would have. */
  readonly exitCode: ExitCode;
}

/** Looks at one thing: the look's sentence where it works, the failure and its mend where not. */
export async function check(what: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { what, ok: true, message: await look(), exitCode: exitCodes.done };
  } catch (error) {
    if (!(error instanceof Failure)) {
      const message = error instanceof Error ? error.message : String(error);
      return {
        what,
        ok: false,
        message,
        hint: 'Run it again with --verbose and report it.',
        exitCode: exitCodes.remote,
      };
    }
    const place = describePlace(error.where);
    const message = place === '' ? error.message : `${place}: ${error.message}`;
    return { what, ok: false, message, hint: error.hint, exitCode: error.exitCode };
  }
}

/** Each look has so long, with all its attempts: somebody waits for the doctor. */
export const checkTimeoutMs = 10_000;

/** What the credential can do on the platform: each look is a read, nothing is changed. `projectIdOf` may fail. */
export async function checkPlatform(
  client: Client,
  projectIdOf: () => Promise<string>,
  signal: AbortSignal,
  deadlineMs = checkTimeoutMs,
): Promise<Check[]> {
  const call = { signal, deadlineMs };
  // Side by side: a platform that hangs is said to hang within one deadline, not within four.
  return Promise.all([
    check('platform and credential', async () => {
      const { total } = await client.projects.list({ size: 1 }, call);
      return `reached; ${numberOf(total, 'project is', 'projects are')} visible`;
    }),
    check('project', async () => {
      const projectId = await projectIdOf();
      const names: string[] = [];
      for await (const { name } of client.environments.list({ projectId }, call)) names.push(name);
      return `${projectId} has the environments ${names.join(', ') || '(none)'}`;
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
