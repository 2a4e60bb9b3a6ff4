import type { EventSeed } from '../seed/event-seed.ts';
import { areaOf, type EventArea } from '../seed/event-names.ts';
import { localActor, recordEffect, type Recording } from './effect.ts';

const subjectTypes = {
  Account: 'account',
  Runners: 'agent',
  Artifacts: 'artifact',
  Credentials: 'credentials',
  'Custom connector': 'customConnector',
  Assistant: 'assistant',
  Project: 'project',
  Schedules: 'schedule',
  Streaming: 'streamingPipeline',
} as const satisfies Record<EventArea, string>;

interface ProjectRow {
  readonly id: string;
  readonly name: string;
}

/**
 * Records an audit event that no operation causes (spec §6): from the seed, the inspector or `/_platform/events`. Returns
 * its id; undefined if its project does not exist.
 */
export function recordEvent(recording: Recording, event: EventSeed, requestId: string): string | undefined {
  const { name, actor, ago = 0, after = 0 } = event;
  const { area, inProject } = areaOf(name);
  const project = findProjectOf(recording, event, inProject);
  if (project === undefined && (event.project !== undefined || inProject)) return undefined;
  const subject = event.subject ?? project?.name ?? 'example';
  return recordEffect(recording, {
    operation: '_platform/events',
    caller: actor === undefined ? localActor : { id: actor, email: actor },
    requestId,
    ...(project === undefined ? {} : { projectId: project.id }),
    effect: 'recorded',
    subject: { type: subjectTypes[area], id: subject, name: subject },
    description: event.description ?? `${name}: "${subject}"`,
    event: name,
    at: recording.clock.now() - ago + after,
  });
}

function findProjectOf(
  { store }: Recording,
  { project }: EventSeed,
  inProject: boolean,
): ProjectRow | undefined {
  if (project !== undefined)
    return store.get<ProjectRow>('SELECT id, name FROM project WHERE ? IN (id, name)', project);
  return inProject ? store.get<ProjectRow>('SELECT id, name FROM project ORDER BY seq LIMIT 1') : undefined;
}
