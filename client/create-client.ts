import { asOperation, findOperation, operations } from '../lib/contract/operations.ts';
import type { Operation } from '../lib/contract/description/operation.ts';
import { Failure } from '../lib/core/errors/failure.ts';
import { silentLogger } from '../lib/core/ports/ports.ts';
import { systemClock } from '../lib/core/ports/system-clock.ts';
import { version } from '../lib/core/values/version.ts';
import {
  type Authentication,
  fixedToken,
  secretsOf,
  tokenFromFile,
  validateAuth,
} from './calls/authentication.ts';
import { callCustom, callOperation, type Setup } from './calls/call-operation.ts';
import type { CallParts } from './calls/call-parts.ts';
import { validateLimits } from './interface/validate-limits.ts';
import { type ActiveCalls, trackActiveCalls } from './calls/active-calls.ts';
import type { Client, Exchange, Operations, OperationsWithResponse } from './interface/client.ts';
import { clientCredentials } from './tokens/client-credentials.ts';
import type { CallOptions, ClientOptions, WorkloadIdentity } from './interface/client-options.ts';
import { openConnections } from '../lib/http/connections.ts';
import type { CustomRequest } from './request/custom-request.ts';
import { readIdToken } from './tokens/id-token.ts';
import { issueToken } from './tokens/issue-token.ts';
import { type Call, listOperation } from './calls/list-operation.ts';
import { platformAddress } from './request/platform-address.ts';
import { createRedactor, type Redactor } from '../lib/core/text/redactor.ts';
import { redactedLogger } from './transport/redaction.ts';
import { createRetryBudget } from './calls/retry-budget.ts';
import { credentialsGrant, identityGrant } from './tokens/token-grant.ts';
import type { TokenGrant } from './tokens/token-request.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * A client of the platform at `baseUrl`, with one method per operation of the contract.
 *
 * Sends nothing before the first call. Close it, or use `await using`; an open client does not keep the process
 * alive.
 *
 * @throws {Failure} `no-base-url`, `no-token`, `usage` for options that cannot work.
 */
export function createClient(options: ClientOptions): Client {
  const setup = setUp(options);
  const call: Call = async (operation, input, callOptions) =>
    setup.activeCalls.track(() => callOperation(setup.calls, operation, input, callOptions));
  const exchange = async (
    requested: string | CustomRequest,
    first: Input | CallOptions = {},
    second: CallOptions = {},
  ): Promise<Exchange> =>
    typeof requested === 'string'
      ? call(operationOf(requested), first as Input, second)
      : setup.activeCalls.track(() => callCustom(setup.calls, requested, first));
  const methods = byArea(
    (operation) =>
      (input: Input = {}, callOptions: CallOptions = {}) =>
        operation.paged === true
          ? listOperation(operation, call, input, callOptions)
          : call(operation, input, callOptions).then(({ answer }) => answer),
  );
  const withResponse = byArea(
    (operation) =>
      async (input: Input = {}, callOptions: CallOptions = {}) =>
        call(operation, input, callOptions),
  );
  const { origin, prefix } = setup.calls.build;
  return {
    baseUrl: `${origin}${prefix}`,
    ...(methods as unknown as Operations),
    withResponse: withResponse as unknown as OperationsWithResponse,
    request: async (...args: Parameters<typeof exchange>) => (await exchange(...args)).answer,
    exchange,
    close: setup.activeCalls.close,
    [Symbol.asyncDispose]: setup.activeCalls.close,
  };
}

function byArea<Method>(methodOf: (operation: Operation) => Method): Record<string, Record<string, Method>> {
  const areas: Record<string, Record<string, Method>> = {};
  for (const row of operations) {
    const operation = asOperation(row);
    const [area = '', name = ''] = operation.id.split('.');
    (areas[area] ??= {})[name] = methodOf(operation);
  }
  return areas;
}

function setUp(options: ClientOptions): { calls: Setup; activeCalls: ActiveCalls } {
  const address = platformAddress(options.baseUrl);
  validateLimits(options);
  validateAuth(options.auth);
  const random = options.random ?? Math.random;
  const redactor = createRedactor();
  for (const secret of secretsOf(options.auth)) redactor.add(secret);
  const connections = openConnections(options);
  const call: Setup['call'] = {
    connections,
    authentication: undefined,
    clock: options.clock ?? systemClock,
    random,
    logger: options.logger === undefined ? silentLogger : redactedLogger(options.logger, redactor),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxAttempts: options.maxAttempts ?? 4,
    maxAnswerBytes: options.maxAnswerBytes ?? 32 * 1024 * 1024,
    redactor,
    budget: createRetryBudget(),
    middlewares: options.middlewares ?? [],
  };
  const userAgent = options.userAgent ?? `millrace/${version}`;
  const authentication = authenticate(options, call, userAgent, redactor);
  return {
    calls: {
      build: { ...address, userAgent, random },
      call: { ...call, authentication },
      deadlineMs: options.deadlineMs,
      untilMs: options.untilMs ?? Infinity,
    },
    activeCalls: trackActiveCalls(async () => {
      authentication.close();
      await connections.close();
    }),
  };
}

function authenticate(
  { auth, onToken }: ClientOptions,
  call: Setup['call'],
  userAgent: string,
  redactor: Redactor,
): Authentication {
  if ('token' in auth) return fixedToken(auth.token);
  if ('tokenFile' in auth) return tokenFromFile(auth.tokenFile, redactor);
  const learn = (token: string): void => {
    redactor.addRotating(token);
    onToken?.(token);
  };
  return clientCredentials({
    clock: call.clock,
    logger: call.logger,
    request: async (signal) => {
      // Middlewares do not see this exchange: its body is the secret, and its answer contains a secret that is not
      // masked yet.
      const parts = { ...call, middlewares: [], signal, deadlineMs: 2 * call.timeoutMs };
      const issued = await issueToken(
        'identity' in auth ? await exchangeIdToken(auth, parts) : credentialsGrant(auth),
        userAgent,
        parts,
        redactor,
      );
      learn(issued.token);
      return issued;
    },
  });

  async function exchangeIdToken(identity: WorkloadIdentity, parts: CallParts): Promise<TokenGrant> {
    const idToken = await readIdToken(identity, userAgent, parts, redactor);
    learn(idToken);
    return identityGrant(identity, idToken);
  }
}

function operationOf(id: string): Operation {
  const operation = findOperation(id);
  if (operation !== undefined) return operation;
  throw new Failure('usage', {
    message: `Unknown operation “${id}”.`,
    where: { input: 'operation' },
    hint: `Use one of: ${operations.map((row) => row.id).join(', ')}.`,
  });
}
