import type { Lane } from '../../config/lane-schema.ts';

export type { Gates } from '../../config/gates-schema.ts';
export type { Verification } from '../../config/lane-schema.ts';
export type ConfiguredLane = Lane;
