import type { Lane } from '../../lib/config/project/lane-schema.ts';

export type { Gates } from '../../lib/config/project/gates-schema.ts';
export type { Verification } from '../../lib/config/project/lane-schema.ts';
export type ConfiguredLane = Lane;
export type { VersionRule } from '../../lib/config/project/versions-schema.ts';
