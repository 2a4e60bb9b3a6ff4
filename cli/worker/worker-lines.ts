import { workerTokenName } from '../../lib/config/worker/operator-schema.ts';

export interface WorkerFacts {
  /** The address on which the worker listens. */
  readonly url: string;
  /** `url` of worker.yaml: the address for people. */
  readonly publicUrl: string | undefined;
  /** How many operators of worker.yaml have a token. */
  readonly operators: number;
  /** Whether operators can sign in with GitHub. */
  readonly hasSignIn: boolean;
  /** Whether MILLRACE_WORKER_TOKEN is set. */
  readonly hasToken: boolean;
  /** How the user starts Millrace. */
  readonly program: string;
}

/** What `millrace worker` prints after the start: the addresses, and how to sign in. */
export function workerLines({
  url,
  publicUrl,
  operators,
  hasSignIn,
  hasToken,
  program,
}: WorkerFacts): string[] {
  const signIns = [
    ...(hasSignIn ? [`with GitHub at ${publicUrl ?? url}`] : []),
    ...(operators > 0 ? ['with the token of an operator in worker.yaml'] : []),
    ...(hasToken ? [`as the admin ${workerTokenName}, with the value of MILLRACE_WORKER_TOKEN`] : []),
  ];
  const access =
    signIns.length === 0
      ? [
          `  no operator can sign in: list \`operators\` in worker.yaml (\`${program} worker token\` creates a token), or set MILLRACE_WORKER_TOKEN`,
        ]
      : [
          `  sign in ${signIns.join(', or ')}`,
          `  command line: MILLRACE_WORKER_URL=${publicUrl ?? url} MILLRACE_WORKER_TOKEN=<token> ${program} lanes`,
        ];
  return [
    `The worker listens on ${url}`,
    `  dashboard: ${url}/${publicUrl === undefined ? '' : `, for others ${publicUrl}/`}`,
    ...access,
    `  webhook address: ${url}/webhooks/github`,
    'Press Ctrl-C to stop. Promotions continue after the next start.',
  ];
}
