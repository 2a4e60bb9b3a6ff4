import { asOperation, findOperation, operations } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { Failure } from '../model/failure.ts';
import { silentLogger } from '../model/ports.ts';
import { systemClock } from '../model/system-clock.ts';
import { version } from '../model/version.ts';
import { type Authentication, fixedToken, secretsOf, tokenFromFile } from './authentication.ts';
import { callOperation, type Setup } from './call-operation.ts';
import type { Client, Exchange } from './client.ts';
import { clientCredentials } from './client-credentials.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { openConnections } from './connections.ts';
import { AnswerUnreadable } from './errors.ts';
import { issueToken } from './issue-token.ts';
import { createPagedList, type Envelope } from './paged-list.ts';
import { platformAddress } from './platform-address.ts';
import { createRedaction, redactedLogger, type Redaction } from './redaction.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * A client of the platform at `baseUrl`, with one method per operation of the contract.
 *
 * Nothing is sent before the first call. Close it, or hold it with `await using`; a process that forgets to can
 * still exit.
 *
 * @throws {Failure} `no-base-url`, `no-token`, `usage` for options that cannot work.
 */
export function createClient(options: ClientOptions): Client {
  const setup = setUp(options);
  const call = async (
    operation: Operation,
    input: Input = {},
    callOptions: CallOptions = {},
  ): Promise<Exchange> => callOperation(setup.calls, operation, input, callOptions);

  const areas: Record<string, Record<string, unknown>> = {};
  for (const row of operations) {
    const operation = asOperation(row);
    const [area = '', name = ''] = operation.id.split('.');
    (areas[area] ??= {})[name] =
      operation.paged === true
        ? (input?: Input, callOptions?: CallOptions) => list(operation, call, input, callOptions)
        : async (input?: Input, callOptions?: CallOptions) =>
            (await call(operation, input, callOptions)).answer;
  }
  const exchange: Client['exchange'] = async (id, input, callOptions) =>
    call(operationOf(id), input, callOptions);
  return {
    ...(areas as unknown as Omit<Client, 'request' | 'exchange' | 'close' | typeof Symbol.asyncDispose>),
    request: async (id, input, callOptions) => (await exchange(id, input, callOptions)).answer,
    exchange,
    close: setup.close,
    [Symbol.asyncDispose]: setup.close,
  };
}

function setUp(options: ClientOptions): { calls: Setup; close: () => Promise<void> } {
  const address = platformAddress(options.baseUrl);
  const random = options.random ?? Math.random;
  const redaction = createRedaction();
  for (const secret of secretsOf(options.auth)) redaction.add(secret);
  const connections = openConnections(options);
  const call: Setup['call'] = {
    connections,
    authentication: undefined,
    clock: options.clock ?? systemClock,
    random,
    logger: redactedLogger(options.logger ?? silentLogger, redaction),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxAttempts: options.maxAttempts ?? 4,
    maxAnswerBytes: options.maxAnswerBytes ?? 32 * 1024 * 1024,
  };
  const userAgent = options.userAgent ?? `millrace/${version}`;
  return {
    calls: {
      build: { ...address, userAgent, random },
      call: { ...call, authentication: authenticate(options, call, userAgent, redaction) },
      deadlineMs: options.deadlineMs,
      redaction,
    },
    close: async () => connections.close(),
  };
}

function authenticate(
  { auth }: ClientOptions,
  call: Setup['call'],
  userAgent: string,
  redaction: Redaction,
): Authentication {
  if ('token' in auth) return fixedToken(auth.token);
  if ('tokenFile' in auth) return tokenFromFile(auth.tokenFile, redaction);
  return clientCredentials({
    clock: call.clock,
    logger: call.logger,
    request: async () =>
      issueToken(auth, userAgent, { ...call, signal: undefined, deadlineMs: 2 * call.timeoutMs }, redaction),
  });
}

function list(
  operation: Operation,
  call: (operation: Operation, input: Input, options?: CallOptions) => Promise<Exchange>,
  input: Input = {},
  options: CallOptions = {},
) {
  return createPagedList<Envelope, unknown>({
    firstPage: typeof input['page'] === 'number' ? input['page'] : 0,
    fetchPage: async (page) => {
      // The first page is what a request without `page` yields (spec §2): the input goes as it was written.
      const asked = page === 0 ? input : { ...input, page };
      return (await call(operation, asked, options)).answer as Envelope;
    },
    wrongPage: (asked, answered) =>
      new AnswerUnreadable(`${operation.id}: page ${asked} was asked for, page ${answered} was answered.`, {
        operation: operation.id,
      }),
  });
}

function operationOf(id: string): Operation {
  const operation = findOperation(id);
  if (operation !== undefined) return operation;
  throw new Failure('usage', {
    message: `There is no operation “${id}”.`,
    where: { input: 'operation' },
    mend: `Use one of: ${operations.map((row) => row.id).join(', ')}.`,
  });
}
