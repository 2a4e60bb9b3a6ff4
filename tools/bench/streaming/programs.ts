import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Transformation } from '../../../engine/index.ts';
import type { SourceArguments } from './bench-source.ts';

/** What the parent tells a program. Each is answered once. */
export type Order =
  | { readonly kind: 'snapshot' }
  /** Captures until everything before the position is in the target, and stops. */
  | { readonly kind: 'capture'; readonly until: string }
  /** Captures until `stop`, and answers when it streams. */
  | { readonly kind: 'stream'; readonly work: 'nothing' | 'execution' | 'queries' }
  /** Answers when a position has been reached, while it streams. */
  | { readonly kind: 'wait'; readonly until: string }
  /** Answers what was seen since `stream`. */
  | { readonly kind: 'stop' };

/** What a piece of work has cost the program. */
export interface Cost {
  readonly wallMs: number;
  /** Of all its threads. */
  readonly cpuMs: number;
}

/** What was seen while a program streamed. */
export interface Seen {
  /** When a position had been reached first: milliseconds since the epoch, and the position. */
  readonly reached: readonly (readonly [at: number, position: string])[];
  /** The resident memory over time: milliseconds since the epoch, and MB. */
  readonly memory: readonly (readonly [at: number, mb: number])[];
  /** How long each statement beside the capture took, in milliseconds. */
  readonly statementMs: readonly number[];
}

export interface ProgramArguments {
  readonly source: SourceArguments;
  readonly folder: string;
  readonly transformation: Transformation;
}

/** A program that captures in a process of its own. */
export interface Program extends AsyncDisposable {
  ask<Answer>(order: Order): Promise<Answer>;
}

/** `ours`: our capture; `bare`: the least that does the same. */
export async function startProgram(kind: 'ours' | 'bare', options: ProgramArguments): Promise<Program> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, `${kind}-capture.ts`), [
    JSON.stringify(options),
  ]);
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the ${kind} program ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const answer = async <Answer>(): Promise<Answer> => {
    const [first] = await Promise.race([once(child, 'message'), ended]);
    const { value, error } = first as { readonly value: Answer; readonly error?: string };
    if (error !== undefined) throw new Error(`${kind}: ${error}`);
    return value;
  };
  await answer();
  return {
    async ask(order) {
      child.send(order);
      return answer();
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}
