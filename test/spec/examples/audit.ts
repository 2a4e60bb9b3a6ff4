import type { Example } from '../example.ts';
import { projectId } from './identifiers.ts';

/** Spec §4.7 and §2.10. The `+` of an offset is percent-encoded, else it would read as a blank. */
export const audit: readonly Example[] = [
  {
    title: 'audit entries of a period are read',
    operation: 'audit.list',
    section: '§4.7, §2.10',
    as: 'superAdmin',
    input: {
      from: '2026-11-01T00:00:00+01:00',
      to: '2100-01-01T00:00:00+01:00',
      page: 0,
      size: 100,
    },
    request: {
      method: 'GET',
      target:
        '/v1/events?page=0&size=100&from=2026-11-01T00%3A00%3A00%2B01%3A00&to=2100-01-01T00%3A00%3A00%2B01%3A00',
      headers: {},
    },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          {
            eventId: '1d2c3b4a-5f6e-4789-8abc-def012345678',
            eventName: 'Project created',
            eventType: 'PROJECT',
            eventDescription: 'A project was created',
            eventTimestamp: '2026-11-02T09:00:00.000Z',
            eventProjectId: projectId,
            eventSource: 'API',
            eventSubjectId: projectId,
            eventSubjectName: 'Sales warehouse',
            eventSubjectType: 'PROJECT',
            actorId: 'credential-1',
            actorEmail: 'ada@example.com',
            additionalInfo: '',
          },
        ],
        size: 100,
        total: 1,
      },
    },
  },
];
