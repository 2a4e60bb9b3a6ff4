import { createInterface } from 'node:readline';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Io } from '../terminal/io.ts';
import { terminalText } from '../terminal/terminal-text.ts';

/** A conversation on the terminal: questions on stderr, answers from standard input. */
export interface Questions extends Disposable {
  show(lines: readonly string[]): void;
  /** Asks until `parse` accepts the answer; it returns the value, or an Error with the reason of the refusal. */
  ask<Value>(question: string, parse: (answer: string) => Value | Error): Promise<Value>;
  /** Asks for yes or no; an empty answer means yes. */
  confirm(question: string): Promise<boolean>;
}

/** Whether a person can answer questions: input and errors are a terminal. */
export function canAsk({ interactive, stdin }: Pick<Io, 'interactive' | 'stdin'>): boolean {
  return interactive && 'isTTY' in stdin && stdin.isTTY === true;
}

/**
 * Opens the conversation. A question rejects with Failure 'cancelled' if the input ends, and with the signal's
 * reason if the command is cancelled.
 */
export function openQuestions({ stdin, stderr, signal }: Pick<Io, 'stdin' | 'stderr' | 'signal'>): Questions {
  // The terminal itself edits the line, so that Ctrl-C stays a signal.
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  const cancelled = Promise.withResolvers<never>();
  cancelled.promise.catch(() => {});
  const cancel = () => cancelled.reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  // The line of the progress may be on the screen.
  const write = (text: string) => void stderr.write(`\r\u001b[K${terminalText(text)}`);
  const read = async (question: string): Promise<string> => {
    signal.throwIfAborted();
    write(question);
    const next = await Promise.race([lines.next(), cancelled.promise]);
    if (next.done === true)
      throw new Failure('cancelled', {
        message: 'The input ended before the last answer, so nothing was written.',
      });
    return next.value.trim();
  };
  const questions: Questions = {
    show: (shown) => write(shown.map((line) => `${line}\n`).join('')),
    async ask(question, parse) {
      for (;;) {
        const value = parse(await read(question));
        if (!(value instanceof Error)) return value;
        write(`  ${value.message}\n`);
      }
    },
    confirm: (question) =>
      questions.ask(`${question} [Y/n] `, (answer) => {
        if (/^(?:y|yes)?$/i.test(answer)) return true;
        return /^(?:n|no)$/i.test(answer) ? false : new Error('Answer y or n.');
      }),
    [Symbol.dispose]() {
      signal.removeEventListener('abort', cancel);
      reader.close();
    },
  };
  return questions;
}
