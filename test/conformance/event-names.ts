/** The names of §6, as the specification writes them. */
export const eventNames: readonly string[] = [
  'Account name changed; Account created; Account user removed; API Credential created',
  'API Credential removed; Invite created; Invite redeemed; User account role changed',
  'Agent created; Agent removed; Agent updated; Allow List; Agent Action',
  'Artifact created; Artifact disabled',
  'Credentials created; Credentials changed in project; Credentials removed from project',
  'Custom Connector created; Custom Connector changed; Custom Connector deleted',
  'Prompt submitted; Commit message generation; AI notes generation; Sampling permission acceptance',
  'Pipeline execution permission acceptance; Git action permission acceptance',
  'Project created; Project removed; User granted access to project; User removed from project',
  'Environment created; Schedule created; Schedule updated; Schedule removed',
  'Streaming pipeline created; Streaming pipeline deleted; Streaming pipeline started',
  'Streaming pipeline stopped; Streaming pipeline changed; Streaming pipeline snapshot request created',
  'Streaming pipeline snapshot request deleted; Streaming pipeline email alerts enabled',
  'Streaming pipeline email alerts disabled',
].flatMap((line) => line.split('; '));
