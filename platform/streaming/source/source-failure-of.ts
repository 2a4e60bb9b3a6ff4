import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { quoteName, quoteTable } from './quote.ts';
import { type SourceAddress, SourceFailure, type SourceTable } from './source.ts';

/** What was attempted, with the facts that the explanation of a failure needs. */
export interface Attempt {
  readonly address: SourceAddress;
  /** On a connection that replicates. */
  readonly isReplication?: boolean;
  readonly slot?: string;
  readonly publication?: string;
  /** The tables that were read. */
  readonly tables?: readonly SourceTable[];
}

/** What `pg`, Node and the server say about a failure. */
interface Problem {
  readonly message: string;
  /** A SQLSTATE of the server, or a code of Node. */
  readonly code: string;
  /** The server's function that refused: unlike the message, no language setting changes it. */
  readonly routine: string;
  /** The server's detail. */
  readonly detail: string;
}

interface Explanation {
  readonly message: string;
  readonly hint?: string;
  readonly isTransient?: boolean;
}

/**
 * Converts any failure of the network, the client or the server to a failure that says what failed, where, and how
 * to fix it.
 */
export function sourceFailureOf(error: unknown, attempt: Attempt): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const problem = problemOf(error, attempt.address);
  const { message, hint, isTransient } =
    networkFailure(problem, attempt) ??
    tlsFailure(problem, attempt) ??
    signInFailure(problem, attempt) ??
    serverFailure(problem, attempt);
  // Not the error itself as the cause: an error of the client can have the connection's settings in it.
  return new SourceFailure(message, { hint, isTransient: isTransient ?? false });
}

/** The name of a server in messages: `PostgreSQL at db.example.com:5432`. */
export function serverName({ host, port }: SourceAddress): string {
  return `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The failure for a connection on which nothing arrives any longer. */
export function silentFailure(address: SourceAddress, ms: number): SourceFailure {
  return new SourceFailure(`${serverName(address)} sent nothing for ${seconds(ms)}.`, {
    hint: 'The network between here and the server may be cut, or the server overloaded.',
    isTransient: true,
  });
}

/** The failure for a statement that waits for a lock of another session. */
export function lockFailure(address: SourceAddress, ms: number): SourceFailure {
  return new SourceFailure(`A statement has waited ${seconds(ms)} for a lock on ${serverName(address)}.`, {
    hint: 'Another session changes or locks the table. To find it, run: SELECT pid, query FROM pg_stat_activity WHERE pid IN (SELECT unnest(pg_blocking_pids(pid)) FROM pg_stat_activity);',
    isTransient: true,
  });
}

function problemOf(error: unknown, { password }: SourceAddress): Problem {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const clean = (value: unknown) =>
    typeof value === 'string' ? oneLine(password === '' ? value : value.replaceAll(password, '…')) : '';
  // Several addresses of one host fail with a list, whose own message is empty.
  const [first] = Array.isArray(fields['errors']) ? (fields['errors'] as unknown[]) : [];
  const message = clean(fields['message']) || clean((first as Error | undefined)?.message) || 'unknown error';
  return {
    message,
    code: clean(fields['code']),
    routine: clean(fields['routine']),
    detail: clean(fields['detail']),
  };
}

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);

function networkFailure({ code, message }: Problem, { address }: Attempt): Explanation | undefined {
  const server = serverName(address);
  const isTransient = true;
  if (code === 'ECONNREFUSED')
    return {
      message: `${server} refuses connections.`,
      hint: 'Check host and port, that the server runs, and that its listen_addresses include this network.',
      isTransient,
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL' || code === 'EAI_NONAME')
    return {
      message: `${server} was not found: the host name ${address.host} has no address.`,
      hint: 'Check the host name, and the name service of this machine.',
      isTransient,
    };
  if (message === 'timeout expired' || code === 'ETIMEDOUT')
    return {
      message: `${server} did not accept a connection within ${seconds(address.connectMs)}.`,
      hint: 'Check host and port, and whether a firewall between here and the server drops packets.',
      isTransient,
    };
  if (/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/.test(code))
    return {
      message: `${server} cannot be reached: no route to the host.`,
      hint: 'Check the host and the network.',
      isTransient,
    };
  if (
    /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code) ||
    /^Connection terminated|not queryable/.test(message)
  )
    return {
      message: `The connection to ${server} was lost.`,
      hint: 'The server may have restarted, or the network may be cut.',
      isTransient,
    };
  return undefined;
}

function tlsFailure({ code, message }: Problem, { address }: Attempt): Explanation | undefined {
  const server = serverName(address);
  if (message === 'The server does not support SSL connections')
    return {
      message: `${server} does not offer TLS, which sslmode ${address.sslMode} requires.`,
      hint: 'Turn on ssl on the server, or set sslmode to disable if the network between is safe.',
    };
  if (message === 'There was an error establishing an SSL connection')
    return {
      message: `${server} did not answer a request for TLS as PostgreSQL does.`,
      hint: 'Check that host and port lead to PostgreSQL.',
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      message: `The certificate of ${server} is for another host name.`,
      hint: 'Use the host name of the certificate, or sslmode verify-ca, which does not compare names.',
    };
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return {
      message: `The certificate of ${server} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}.`,
      hint: 'Renew the certificate of the server, and check the clocks.',
    };
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return {
      message: `The certificate of ${server} is not trusted (${code}).`,
      hint: 'Give the certificate of the authority that signed it, as PEM.',
    };
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return {
      message: `TLS with ${server} failed (${code}).`,
      hint: 'Check the TLS settings of the server: version 1.2 or later.',
    };
  return undefined;
}

function signInFailure(
  { code, message, routine }: Problem,
  { address, isReplication }: Attempt,
): Explanation | undefined {
  const server = serverName(address);
  const { username, database } = address;
  if (code === '28P01' || /SASL|SCRAM/.test(message))
    return {
      message: `${server} does not accept the password of the user ${quoteName(username)}.`,
      hint: 'Check user and password: the secret may have changed.',
    };
  if (code === '28000')
    return {
      message: `${server} does not let the user ${quoteName(username)} connect to the database ${quoteName(database)}: ${message}.`,
      hint: 'Add an entry for this user, database and network to pg_hba.conf, and check that the user exists and may log in.',
    };
  if (code === '3D000')
    return {
      message: `${server} does not have the database ${quoteName(database)}.`,
      hint: 'Check the name of the database; upper and lower case matter.',
    };
  if (code === '42501' && routine === 'InitPostgres')
    return isReplication === true
      ? missingReplication(address)
      : {
          message: `The user ${quoteName(username)} may not connect to the database ${quoteName(database)} of ${server}.`,
          hint: `As its owner, run: GRANT CONNECT ON DATABASE ${quoteName(database)} TO ${quoteName(username)};`,
        };
  if (code === '53300')
    return {
      message: `${server} has no free connection: ${message}.`,
      hint:
        isReplication === true
          ? 'Raise max_wal_senders of the server, or end other replication connections.'
          : 'Raise max_connections of the server, or end other connections.',
      isTransient: true,
    };
  return undefined;
}

function missingReplication(address: SourceAddress): Explanation {
  const name = quoteName(address.username);
  return {
    message: `The user ${name} of ${serverName(address)} lacks the right to replicate.`,
    hint: `As a superuser, run: ALTER ROLE ${name} REPLICATION; (a hosted server may have a role to grant in its place)`,
  };
}

function serverFailure(problem: Problem, attempt: Attempt): Explanation {
  const { code, message, detail } = problem;
  const server = serverName(attempt.address);
  const answer = `${message}${detail === '' ? '' : ` (${detail})`}`;
  return (
    slotFailure(problem, attempt) ??
    rightFailure(problem, attempt) ?? {
      message:
        code === '' ? `${server} failed: ${answer}.` : `${server} answers: ${answer} (SQLSTATE ${code}).`,
      // Connections (08), conflicts (40), resources (53), limits of time and stops by an operator (57).
      isTransient: /^(?:08|40|53|55P03|57)/.test(code),
    }
  );
}

function slotFailure({ code, routine, message, detail }: Problem, attempt: Attempt): Explanation | undefined {
  const server = serverName(attempt.address);
  const slot = quoteName(attempt.slot ?? '');
  if (code === '55000' && /CheckLogicalDecodingRequirements|CheckSlotRequirements/.test(routine))
    return wrongWalLevel(server);
  if (code === '53400')
    return {
      message: `${server} has no free replication slot for ${slot}.`,
      hint: 'Raise max_replication_slots of the server, or drop slots that nothing uses: SELECT slot_name, active FROM pg_replication_slots;',
    };
  if (code === '55006' && attempt.slot !== undefined)
    return {
      message: `The replication slot ${slot} of ${server} is in use: ${message}.`,
      hint: 'Another pipeline or process reads it, or the server has not noticed yet that a connection ended.',
      isTransient: true,
    };
  if (code === '42710' && attempt.slot !== undefined)
    return {
      message: `The replication slot ${slot} of ${server} exists already.`,
      hint: `Use another name, or drop it: SELECT pg_drop_replication_slot('${attempt.slot}');`,
    };
  if (code === '42704' && attempt.publication !== undefined && /publication/i.test(routine))
    return {
      message: `${server} does not have the publication ${quoteName(attempt.publication)} at this point of its log.`,
      hint: 'It was dropped, or created after the slot. Take a new snapshot of the pipeline: its page in the inspector has a button for it.',
    };
  if (code === '42704' && attempt.slot !== undefined) return missingSlot(attempt.slot, server);
  if ((code === '55000' || code === '58P01') && attempt.slot !== undefined)
    return lostSlot(attempt.slot, server, detail || message);
  return undefined;
}

function rightFailure({ code, message, routine }: Problem, attempt: Attempt): Explanation | undefined {
  if (code !== '42501') return undefined;
  const { address, tables = [] } = attempt;
  if (/Slot|WalSender|check_permissions/i.test(routine)) return missingReplication(address);
  return {
    message: `The user ${quoteName(address.username)} of ${serverName(address)} lacks a right: ${message}.`,
    ...(tables.length === 0 ? {} : { hint: `As the owner, run: ${readRights(tables, address.username)}` }),
  };
}

/** The SQL that gives a user the right to read tables. */
export function readRights(tables: readonly SourceTable[], username: string): string {
  const schemas = [...new Set(tables.map(({ schema }) => schema))].map(quoteName).join(', ');
  const user = quoteName(username);
  return `GRANT USAGE ON SCHEMA ${schemas} TO ${user}; GRANT SELECT ON ${tables.map(quoteTable).join(', ')} TO ${user};`;
}

export function wrongWalLevel(server: string): Explanation {
  return {
    message: `${server} does not write what logical replication needs: its wal_level is not logical.`,
    hint: 'As a superuser, run: ALTER SYSTEM SET wal_level = logical; then restart the server.',
  };
}

export function missingSlot(slot: string, server: string): Explanation {
  return {
    message: `${server} does not have the replication slot ${quoteName(slot)}.`,
    hint: 'It was dropped, or a failover went to a server without it. Take a new snapshot of the pipeline: its page in the inspector has a button for it.',
  };
}

export function lostSlot(slot: string, server: string, reason: string): Explanation {
  return {
    message: `The replication slot ${quoteName(slot)} of ${server} cannot be used any more: ${reason}.`,
    hint: 'Changes are missing. Take a new snapshot of the pipeline: its page in the inspector has a button for it. The setting max_slot_wal_keep_size of PostgreSQL limits the log that a slot keeps.',
  };
}
