/**
 * Whether an error comes from a master that became a replica: it refuses writes (`READONLY`; an older Redis puts the words of
 * a script before it), and ends commands that block (`UNBLOCKED`). After a failover behind one name the old connections
 * stay open, so only a new connection reaches the new master.
 */
export const isFromReplica = ({ message }: Error): boolean =>
  /(?:^|-)READONLY /.test(message) || message.startsWith('UNBLOCKED ');
