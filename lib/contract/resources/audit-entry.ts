import * as z from 'zod';
import { answeredTimestamp, paging, timestamp } from '../description/field.ts';

/** The query of the audit log (spec §4.7). */
export const auditQuery = paging.extend({
  from: timestamp.optional(),
  to: timestamp.optional(),
});

/** An entry of the audit log (spec §2.10). */
export const auditEntry = z.looseObject({
  eventId: z.string(),
  eventName: z.string(),
  eventType: z.string(),
  eventDescription: z.string().nullish(),
  eventTimestamp: answeredTimestamp,
  eventProjectId: z.string().nullish(),
  eventSource: z.string().nullish(),
  eventSubjectId: z.string().nullish(),
  eventSubjectName: z.string().nullish(),
  eventSubjectType: z.string().nullish(),
  actorId: z.string().nullish(),
  actorEmail: z.string().nullish(),
  additionalInfo: z.string().nullish(),
});
