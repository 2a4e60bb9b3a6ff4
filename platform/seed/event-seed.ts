import * as z from 'zod';
import { nonEmpty } from '../../lib/contract/description/field.ts';
import { duration } from '../clock/duration.ts';
import { eventNames } from './event-names.ts';

/** An entry of the audit log that no operation of the platform writes (spec §6). */
export const eventSeed = z
  .strictObject({
    name: z.enum(eventNames),
    project: nonEmpty.optional().meta({
      description: 'Name or id. Default: the first project, for an event that belongs to a project.',
    }),
    subject: nonEmpty.optional().meta({ description: 'Name of the object that the event is about.' }),
    description: nonEmpty.optional(),
    actor: z.email().optional().meta({ description: 'E-mail address of the person who caused the event.' }),
    ago: duration.optional().meta({ description: 'How old the entry is.' }),
    after: duration.optional().meta({ description: 'When the entry appears, from now.' }),
  })
  .refine(({ ago, after }) => ago === undefined || after === undefined, {
    path: ['after'],
    message: 'cannot be combined with ago',
  });

export type EventSeed = z.output<typeof eventSeed>;
