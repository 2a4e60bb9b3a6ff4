/** The reason why a connection to Redis failed, and how to fix it. */
export interface Reason {
  /** Continues "The Redis at … ". */
  readonly why: string;
  readonly hint: string;
}

const authority =
  'Name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS before the start, such as NODE_EXTRA_CA_CERTS=/etc/ssl/redis-ca.pem.';
const network = 'Check the host and the port in MILLRACE_REDIS_URL, and the firewalls in between.';

/** By the error's code or a part of its message. The first match counts, so the least specific patterns come last. */
const reasons: readonly (readonly [RegExp, Reason])[] = [
  [
    /ENOTFOUND/,
    {
      why: 'cannot be found: no name server knows the host',
      hint: 'Correct the host in MILLRACE_REDIS_URL. In a container, only the names of its own network are known.',
    },
  ],
  [
    /EAI_AGAIN/,
    {
      why: 'cannot be found: the name server does not answer',
      hint: 'Check the network and the name server of this machine, then try again.',
    },
  ],
  [
    /ECONNREFUSED/,
    {
      why: 'does not answer: nothing listens at this port',
      hint: 'Correct the host and the port in MILLRACE_REDIS_URL, or start that Redis.',
    },
  ],
  [
    /ENOENT/,
    { why: 'does not answer: there is no such socket', hint: 'Correct the path, or start that Redis.' },
  ],
  [
    /EACCES/,
    {
      why: 'does not answer: this user may not use the socket',
      hint: 'Give the user of the worker access to the socket (unixsocketperm in the configuration of Redis).',
    },
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/,
    { why: 'has a certificate that has expired', hint: 'Renew the certificate of that Redis.' },
  ],
  [
    /ALTNAME_INVALID|does not match certificate/,
    {
      why: 'has a certificate for other names',
      hint: 'Write a name that is in the certificate into MILLRACE_REDIS_URL, or renew the certificate with this name.',
    },
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self-signed|unable to verify|local issuer/i,
    { why: 'has a certificate that no known authority has signed', hint: authority },
  ],
  [
    /CERTIFICATE_REQUIRED|certificate required|handshake failure/i,
    {
      why: 'asks for a certificate of the client, and Millrace sends none',
      hint: 'Set `tls-auth-clients no` (or `optional`) in the configuration of that Redis, and give the worker a password.',
    },
  ],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|PACKET_LENGTH/i,
    {
      why: 'does not speak TLS',
      hint: 'Begin MILLRACE_REDIS_URL with redis:// instead of rediss://, or use the port for TLS.',
    },
  ],
  [
    /^NOAUTH/,
    {
      why: 'needs a password',
      hint: 'Write it into MILLRACE_REDIS_URL: redis://:<password>@<host>:<port>, or with a user redis://<user>:<password>@<host>:<port>.',
    },
  ],
  [
    /^WRONGPASS|invalid password|invalid username-password/i,
    {
      why: 'refused the user or the password',
      hint: 'Correct them in MILLRACE_REDIS_URL. Write each of @ : / ? # % in a password as a percent sign and two digits.',
    },
  ],
  [
    /^DENIED/,
    {
      why: 'accepts only connections from its own machine (protected mode)',
      hint: 'Set a password in that Redis (requirepass), and write it into MILLRACE_REDIS_URL.',
    },
  ],
  [
    /max number of clients/,
    {
      why: 'has as many connections as it allows',
      hint: 'Raise maxclients of that Redis, or end other clients.',
    },
  ],
  [
    /^MOVED|^CROSSSLOT|not allowed in cluster mode/,
    {
      why: 'is a node of a Redis Cluster',
      hint: 'Write redis+cluster://<host>:<port>,<host>:<port>/ (with TLS rediss+cluster://), without the number of a database.',
    },
  ],
  [
    /cluster support disabled/,
    {
      why: 'is not a Redis Cluster',
      hint: 'Begin MILLRACE_REDIS_URL with redis:// instead of redis+cluster://.',
    },
  ],
  [
    /^ASK |^TRYAGAIN|non.local key|is being moved/,
    {
      why: 'is a Redis Cluster whose slot with the records is being moved to another node',
      hint: 'Start the worker when the slot has moved, and move it only while all workers are stopped.',
    },
  ],
  [
    /^CLUSTERDOWN|cluster_state/,
    {
      why: 'is a Redis Cluster in which no node serves the records now',
      hint: 'Look at `CLUSTER INFO` and `CLUSTER NODES` of its nodes, then try again.',
    },
  ],
  [
    /DB index|invalid DB/i,
    {
      why: 'does not have the database that the address names',
      hint: 'Correct the number after the last / of MILLRACE_REDIS_URL, or leave it out. Many services have only the database 0.',
    },
  ],
  [
    /^LOADING/,
    { why: 'is still loading its data', hint: 'Wait until it has loaded them, then start the worker again.' },
  ],
  [
    /^NOPERM|ACL failure in script|user executing the script can't/,
    {
      why: 'does not give the user the rights that the worker needs',
      hint: 'docs/deploy.md lists them (“The rights of an ACL user”).',
    },
  ],
  [
    // The first byte of an alert of TLS.
    /Unknown RESP type 21 /,
    { why: 'expects TLS', hint: 'Begin MILLRACE_REDIS_URL with rediss:// instead of redis://.' },
  ],
  [
    /Protocol error|reply type byte|Unknown RESP type/,
    {
      why: 'answers, but not as Redis does',
      hint: 'Another program listens there. Correct the host and the port in MILLRACE_REDIS_URL.',
    },
  ],
  [
    /[Aa]ll sentinels are unreachable/,
    {
      why: 'is not named by a Sentinel: none answered, or none knows a master of this name',
      hint: 'Check that the Sentinels run, that their addresses and passwords are right, and that the last part of MILLRACE_REDIS_URL is the name that they have for the master.',
    },
  ],
  [
    /ECONNRESET|EPIPE|socket hang up|Connection is closed|socket disconnected/,
    {
      why: 'closed the connection before it answered',
      hint: 'If it expects TLS, begin MILLRACE_REDIS_URL with rediss://. Otherwise its log says why.',
    },
  ],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed out|did not answer/, { why: 'does not answer', hint: network }],
];

/** The reason for the errors of a connection, from the most specific error; undefined if it is unknown. */
export function reasonOf(errors: readonly unknown[]): (Reason & { readonly text: string }) | undefined {
  const texts = errors.flatMap((error) => [...textsOf(error)]);
  for (const [pattern, reason] of reasons) {
    const text = texts.find((candidate) => pattern.test(candidate));
    if (text !== undefined) return { ...reason, text };
  }
  return undefined;
}

/** Codes and messages of an error and of its causes. */
function* textsOf(error: unknown, depth = 0): Generator<string> {
  if (!(error instanceof Error) || depth > 3) return;
  const { code, errors, lastNodeError } = error as Error &
    Record<'code' | 'errors' | 'lastNodeError', unknown>;
  yield error.message;
  if (typeof code === 'string') yield code;
  yield* textsOf(error.cause, depth + 1);
  yield* textsOf(lastNodeError, depth + 1);
  if (Array.isArray(errors)) for (const nested of errors) yield* textsOf(nested, depth + 1);
}
