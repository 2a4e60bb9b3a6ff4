import { Option } from 'commander';
import { cloneFacts } from '../../flows/versions/clone-facts.ts';
import {
  type OlderChoice,
  olderChoices,
  type OrderGuard,
  orderGuardOf,
} from '../../flows/versions/guard-order.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';

export interface OlderOptions {
  readonly older?: OlderChoice | undefined;
}

/** The option `--older` of the commands that make a version live. */
export function olderOption(): Option {
  return new Option(
    '--older <choice>',
    'what to do with a version that is older than the live one (default: refuse)',
  ).choices(olderChoices);
}

/**
 * The check that a command does before it makes an older version live. Compares commits in the repository of the
 * project, if there is one.
 */
export async function orderGuard(
  session: Session,
  environment: string | undefined,
  { older = 'refuse' }: OlderOptions,
): Promise<OrderGuard> {
  const clone = async () => {
    try {
      const { repository } = await session.repository();
      return cloneFacts(repository, session.io.signal);
    } catch (error) {
      if (error instanceof Failure && error.code === 'git-failed') return undefined;
      throw error;
    }
  };
  return orderGuardOf(await session.projectConfig(), environment, { older, commits: [clone] });
}
