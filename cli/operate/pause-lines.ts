import { describeActor } from './describe-actor.ts';
import type { Io } from '../terminal/io.ts';
import { withProgramName } from '../terminal/program-name.ts';
import type { PauseAnswer } from './operator-answers.ts';

/** The text for the lanes that a pause covers. */
export function pauseScope({ repository, environment }: PauseAnswer): string {
  const name = repository?.name ?? (repository ? String(repository.id) : undefined);
  const of = name === undefined ? '' : ` of ${name}`;
  return `all lanes${of}${environment ? ` to ${environment}` : ''}`;
}

/** One line for each pause, with the command that ends it. */
export function pauseLines(pauses: readonly PauseAnswer[], io: Pick<Io, 'env' | 'script'>): string[] {
  return pauses.map((pause) =>
    withProgramName(
      `Paused by ${describeActor(pause.by)} since ${pause.since ?? ''}: ${pause.reason} (${pauseScope(pause)}). To end it, run \`millrace resume --pause ${pause.id}\`.`,
      io,
    ),
  );
}
