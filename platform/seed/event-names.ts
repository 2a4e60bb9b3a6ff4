/** The names of audit events by area (spec §6). */
export const eventsByArea = {
  Account: [
    'Account name changed',
    'Account created',
    'Account user removed',
    'API Credential created',
    'API Credential removed',
    'Invite created',
    'Invite redeemed',
    'User account role changed',
  ],
  Runners: ['Agent created', 'Agent removed', 'Agent updated', 'Allow List', 'Agent Action'],
  Artifacts: ['Artifact created', 'Artifact disabled'],
  Credentials: ['Credentials created', 'Credentials changed in project', 'Credentials removed from project'],
  'Custom connector': ['Custom Connector created', 'Custom Connector changed', 'Custom Connector deleted'],
  Assistant: [
    'Prompt submitted',
    'Commit message generation',
    'AI notes generation',
    'Sampling permission acceptance',
    'Pipeline execution permission acceptance',
    'Git action permission acceptance',
  ],
  Project: [
    'Project created',
    'Project removed',
    'User granted access to project',
    'User removed from project',
    'Environment created',
  ],
  Schedules: ['Schedule created', 'Schedule updated', 'Schedule removed'],
  Streaming: [
    'Streaming pipeline created',
    'Streaming pipeline deleted',
    'Streaming pipeline started',
    'Streaming pipeline stopped',
    'Streaming pipeline changed',
    'Streaming pipeline snapshot request created',
    'Streaming pipeline snapshot request deleted',
    'Streaming pipeline email alerts enabled',
    'Streaming pipeline email alerts disabled',
  ],
} as const;

export type EventArea = keyof typeof eventsByArea;
export type EventName = (typeof eventsByArea)[EventArea][number];

export const eventNames: readonly EventName[] = Object.values(eventsByArea).flat();

/** Areas whose events belong to the account, not to a project (spec §6). */
const ofAccount: ReadonlySet<EventArea> = new Set<EventArea>([
  'Account',
  'Runners',
  'Custom connector',
  'Assistant',
]);

/** The area of an event, and whether events of this area belong to a project. */
export function areaOf(name: EventName): { readonly area: EventArea; readonly inProject: boolean } {
  const areas = Object.keys(eventsByArea) as EventArea[];
  const area = areas.find((one) => (eventsByArea[one] as readonly string[]).includes(name)) ?? 'Account';
  return { area, inProject: !ofAccount.has(area) };
}
