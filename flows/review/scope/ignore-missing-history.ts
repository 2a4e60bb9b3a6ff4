import { Failure } from '../../../lib/core/errors/failure.ts';

/**
 * Returns git's answer, or `undefined` if git fails because a shallow clone lacks history. Callers must then choose
 * the stricter way: findings of a renamed file count as new.
 */
export async function ignoreMissingHistory<Answer>(pending: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git-failed') return undefined;
    throw error;
  }
}
