import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

// A process of its own, so that what is measured is the callers. GET answers a page of 25 audit entries; any other
// request is read to its end, forgotten, and answered as a creation.

const entry = (index: number) => ({
  eventId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  eventName: 'Artifact created',
  eventType: 'CREATE',
  eventDescription: `Version 1.${index}.0 was created in "dev"`,
  eventTimestamp: '2031-01-01T12:00:00.000Z',
  eventProjectId: '00000000-0000-4000-8000-000000000000',
  eventSource: 'API',
  eventSubjectId: `dev/1.${index}.0`,
  eventSubjectName: `1.${index}.0`,
  eventSubjectType: 'artifact',
  actorId: 'a-1',
  actorEmail: 'someone@example.com',
  additionalInfo: '',
});
const page = Buffer.from(
  JSON.stringify({
    page: 0,
    results: Array.from({ length: 25 }, (_, index) => entry(index)),
    size: 25,
    total: 25,
  }),
);
const created = Buffer.from('{"versionName":"1","ignoredResources":[]}');

const server = createServer((incoming, response) => {
  const body = incoming.method === 'GET' ? page : created;
  incoming.resume();
  incoming.on('end', () => {
    response.writeHead(incoming.method === 'GET' ? 200 : 201, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
