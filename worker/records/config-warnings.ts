/** What the API says about the `worker.yaml` on disk. */
export interface ConfigAnswer {
  readonly refused?:
    | {
        readonly file: string;
        readonly line?: number | null | undefined;
        readonly column?: number | null | undefined;
        readonly reason: string;
      }
    | null
    | undefined;
  readonly afterRestart: readonly string[];
}

/** The warnings about `worker.yaml` for operators of the whole worker, in the dashboard and on the command line. */
export function configWarnings({ refused, afterRestart }: ConfigAnswer): readonly string[] {
  return [
    ...(refused
      ? [
          `The changed worker.yaml is refused, and the worker keeps the previous one. ${placeIn(refused)}: ${refused.reason}`,
        ]
      : []),
    ...(afterRestart.length === 0
      ? []
      : [
          `These changes of worker.yaml take effect after a restart of the worker: ${afterRestart.join(', ')}.`,
        ]),
  ];
}

function placeIn({ file, line, column }: NonNullable<ConfigAnswer['refused']>): string {
  return line === null || line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}
