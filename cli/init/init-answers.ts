import { InvalidArgumentError } from 'commander';
import type { ActionsCopy } from '../../flows/init/workflow-text.ts';
import type { CommonOptions } from '../kit/session.ts';
import type { Questions } from './questions.ts';

/** What the user decides for `millrace init`, with options or with answers on a terminal. */
export interface InitAnswers {
  project(): Promise<string | undefined>;
  environments(): Promise<readonly string[]>;
  wants(part: OptionalPart, question: string): Promise<boolean>;
  actions(): Promise<ActionsCopy | undefined>;
}

/** A part of the set-up that is only written if the user asks for it. */
export type OptionalPart = 'baseline' | 'workflows' | 'hook' | 'test';

export interface InitOptions extends CommonOptions {
  readonly environments?: readonly string[];
  readonly warehouse?: 'WAREHOUSE_ONE' | 'WAREHOUSE_TWO';
  readonly actions?: ActionsCopy;
  readonly workflows?: boolean;
  readonly hook?: boolean;
  readonly baseline?: boolean;
  readonly test?: boolean;
  readonly yes?: boolean;
  readonly diff?: boolean;
  readonly dryRun?: boolean;
}

export const optionalParts: readonly OptionalPart[] = ['baseline', 'workflows', 'hook', 'test'];

/** The answers that the options of the command give. */
export function answersOfOptions({
  project,
  environments = [],
  actions,
  yes,
  ...parts
}: InitOptions): InitAnswers {
  return {
    project: () => Promise.resolve(project),
    environments: () => Promise.resolve(environments),
    wants: (part) => Promise.resolve(yes === true || parts[part] === true),
    actions: () => Promise.resolve(actions),
  };
}

/** Asks on the terminal for every answer that no option gives. */
export function answersOnTerminal(options: InitOptions, questions: Questions): InitAnswers {
  const { project, environments, actions } = options;
  return {
    project: async () =>
      project ??
      (await questions.ask('Id of the project on the platform (Enter: none yet): ', (answer) =>
        answer === '' ? undefined : tried(() => parseProjectId(answer)),
      )),
    environments: async () =>
      environments ??
      (await questions.ask(
        'Environments in the order of promotion, such as dev,test,prod (Enter: none yet): ',
        (answer) => (answer === '' ? [] : tried(() => parseEnvironments(answer))),
      )),
    wants: async (part, question) => options[part] === true || (await questions.confirm(question)),
    actions: async () =>
      actions ??
      (await questions.ask(
        'Your copy of Millrace on GitHub, as owner/name@commit (Enter: fill it in later): ',
        (answer) => (answer === '' ? undefined : tried(() => parseActionsCopy(answer))),
      )),
  };
}

/** Validates the id of a project on the platform, a UUID. Throws InvalidArgumentError. */
export function parseProjectId(text: string): string {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('It must be a UUID such as 3f0f2c1e-0000-4000-8000-000000000001.');
}

/** Parses names of environments such as `dev,test,prod`. Throws InvalidArgumentError. */
export function parseEnvironments(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '' && name.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(name)))
    return [...new Set(names)];
  throw new InvalidArgumentError('It must be names with commas between them, such as dev,test,prod.');
}

/** Parses `owner/name@commit`, the copy of Millrace whose actions the workflows use. Throws InvalidArgumentError. */
export function parseActionsCopy(text: string): ActionsCopy {
  const [, repository, commit] = /^([\w.-]+\/[\w.-]+)@([\da-f]{40})$/.exec(text) ?? [];
  if (repository !== undefined && commit !== undefined) return { repository, commit };
  throw new InvalidArgumentError(
    'It must be owner/name@commit, with the full id of the commit (40 hex digits).',
  );
}

/** After a refused answer, the same question is asked again. */
function tried<Value>(parse: () => Value): Value | Error {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error;
    throw error;
  }
}
