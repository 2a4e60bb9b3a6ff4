import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether a server can listen on the port now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
