export interface DemoFacts {
  readonly dashboard: string;
  readonly token: string;
  readonly inspector: string;
  /** The page of the repository. */
  readonly github: string;
  readonly repository: string;
  readonly config: string;
  /** The folder of --data. */
  readonly data: string | null;
}

/**
 * What `millrace worker --demo` prints after the start. `program`: how the user starts Millrace. `copyOf`: the user's own
 * repository, if the demo shows it.
 */
export function demoLines(
  { dashboard, token, inspector, github, repository, config, data }: DemoFacts,
  program: string,
  copyOf: string | undefined,
): readonly string[] {
  return [
    'The demo runs, on this machine only: a worker, a local platform and a stand-in for GitHub.',
    '',
    `  dashboard      ${dashboard}`,
    `  token          ${token}  (sign in with it)`,
    `  platform       ${inspector}`,
    `  GitHub         ${github}  (the stand-in)`,
    `  repository     ${repository}`,
    `  configuration  ${config}`,
    '',
    ...(copyOf === undefined
      ? ['In another shell, push a tag as GitHub would report it:', `  ${pushCommand(program)}`]
      : [
          `The demo has a copy of ${copyOf}, and changes nothing there. Executions are simulated: the platform has none of your data.`,
          'Tag a commit in your repository. Then, in another shell, push the tag as GitHub would report it:',
          `  ${pushCommand(program)}`,
        ]),
    '',
    data === null
      ? 'Press Ctrl-C to stop the demo and delete its data.'
      : `Press Ctrl-C to stop the demo. Its data stays in ${data}, except worker.yaml and what the stand-in for GitHub shows.`,
  ];
}

/** The command that sends the first push to the demo. */
export function pushCommand(program: string): string {
  return `${program} webhook send push --tag v1.2.0`;
}
