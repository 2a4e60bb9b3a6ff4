import { Failure } from '../../../lib/core/errors/failure.ts';

/**
 * The failure for a message on stdin that does not fit the protocol. The server leaves the message out and
 * continues.
 */
export function protocolFailure(program: 'editor' | 'assistant', problem: string): Failure {
  return new Failure('usage', {
    message: `The ${program} sent ${problem}. This message was left out.`,
    where: { input: 'stdin' },
    hint: `Only the ${program} may write to stdin of this command, in the form of its protocol. If it does, report this to the ${program}.`,
  });
}

/** Describes why a text is not a message of the protocol; undefined for any other error. */
export function messageProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof SyntaxError || /JSON/u.test(error.message)) return 'a message that is not JSON';
  return /^(?:Zod|\$Zod)/u.test(error.name) ? 'a message that is not JSON-RPC 2.0' : undefined;
}
