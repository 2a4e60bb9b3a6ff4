import { Failure } from '../../lib/core/failure.ts';

/**
 * What git answers, or nothing where a shallow clone knows too little history. Who asks must be on the safe side then:
 * a renamed file's findings count as new.
 */
export async function ignoreMissingHistory<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git-failed') return undefined;
    throw error;
  }
}
