import type { audit } from '../areas/audit.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.7. */
export const auditExamples: ExamplesOf<(typeof audit)[number]> = {
  'audit.list': {
    query: {
      page: 0,
      size: 100,
      from: '2026-11-01T00:00:00+01:00',
      to: '2100-01-01T00:00:00+01:00',
    },
    answer: {
      page: 0,
      results: [
        {
          eventId: '1d2c3b4a-5f6e-4789-8abc-def012345678',
          eventName: 'Project created',
          eventType: 'PROJECT',
          eventDescription: 'A project was created',
          eventTimestamp: '2026-11-02T09:00:00.000Z',
          eventProjectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
          eventSource: 'API',
          eventSubjectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
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
};
