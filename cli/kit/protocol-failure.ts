import { Failure } from '../../lib/core/errors/failure.ts';

/** What a program on the other side of stdin sent that does not fit its protocol; the server continues. */
export function protocolFailure(program: 'editor' | 'assistant', problem: string): Failure {
  return new Failure('usage', {
    message: `The ${program} sent ${problem}. This message was left out.`,
    where: { input: 'stdin' },
    hint: `Only the ${program} may write to stdin of this command, in the form of its protocol. If it does, report this to the ${program}.`,
  });
}

/** Why a text could not be read as a message; undefined for another error. */
export function messageProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof SyntaxError || /JSON/u.test(error.message)) return 'a message that is not JSON';
  return /^(?:Zod|\$Zod)/u.test(error.name) ? 'a message that is not JSON-RPC 2.0' : undefined;
}
