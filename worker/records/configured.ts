import type { Lane } from '../../lib/config/lane-schema.ts';

export type { Gates } from '../../lib/config/gates-schema.ts';
export type { Verification } from '../../lib/config/lane-schema.ts';
export type ConfiguredLane = Lane;
export type { VersionRule } from '../../lib/config/versions-schema.ts';
