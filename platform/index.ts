export type { ClientCredentials, Platform, PlatformOptions } from './platform.ts';
export { defaultSeed } from './seed/default-seed.ts';
export { readSeed } from './seed/read-seed.ts';
export type { Seed } from './seed/seed-schema.ts';
export { startPlatform } from './start-platform.ts';
