import { Failure } from '../../../lib/core/errors/failure.ts';

interface EngineInputs {
  readonly engine?: string | undefined;
  readonly 'npm-status'?: string | undefined;
}

/** The folder of the engine. Throws Failure 'engine-not-installed' if npm could not install it. */
export function requireEngine({ engine, 'npm-status': npmStatus = '0' }: EngineInputs): string {
  if (npmStatus === '0' && engine !== undefined) return engine;
  throw new Failure('engine-not-installed', {
    message: `npm could not install the engine: it ended with the exit code ${npmStatus}. Its messages are in the log of this step.`,
    where: { input: 'engine' },
  });
}
