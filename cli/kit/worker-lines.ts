import { workerTokenName } from '../../lib/config/operator-schema.ts';

export interface WorkerFacts {
  /** Where the worker listens. */
  readonly url: string;
  /** Where people reach it, as `url` of worker.yaml says. */
  readonly publicUrl: string | undefined;
  /** How many operators worker.yaml lists. */
  readonly operators: number;
  /** Whether MILLRACE_WORKER_TOKEN is set. */
  readonly hasToken: boolean;
}

/** What a worker that has started tells a person: its addresses, and how one signs in. */
export function workerLines({ url, publicUrl, operators, hasToken }: WorkerFacts): string[] {
  const ways = [
    ...(operators > 0 ? ['with the token of an operator of worker.yaml'] : []),
    ...(hasToken ? [`as the admin ${workerTokenName}, with the value of MILLRACE_WORKER_TOKEN`] : []),
  ];
  const steering =
    ways.length === 0
      ? [
          '  nobody can sign in, look at lanes or steer them: list `operators` in worker.yaml (`millrace worker token` makes a token), or set MILLRACE_WORKER_TOKEN',
        ]
      : [
          `  sign in ${ways.join(', or ')}`,
          `  command line: MILLRACE_WORKER_URL=${publicUrl ?? url} MILLRACE_WORKER_TOKEN=<token> millrace lanes`,
        ];
  return [
    `The worker listens on ${url}`,
    `  dashboard: ${url}/${publicUrl === undefined ? '' : `, for others ${publicUrl}/`}`,
    ...steering,
    `  webhooks go to ${url}/webhooks/github`,
    'Ctrl-C stops it; runs go on when it is started again.',
  ];
}
