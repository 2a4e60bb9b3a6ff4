import { z } from 'zod';

const number = String.raw`(?:0|[1-9]\d{0,8})`;
const version = String.raw`v?${number}(?:\.${number}(?:\.${number}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)?)?`;
const comparator = String.raw`(?:[<>]=?|[=^~])?${version}`;
const comparators = String.raw`${comparator}(?: +${comparator})*`;

/**
 * A range of semantic versions as npm writes it, without hyphen ranges and `x`. A pattern, because each action loads this
 * file, and a library would be large.
 */
const rangePattern = new RegExp(String.raw`^${comparators}(?: *\|\| *${comparators})*$`, 'u');

/** Which versions a lane promotes, and in which order. */
export const versionsSchema = z.strictObject({
  order: z
    .enum(['auto', 'semantic', 'time'])
    .default('auto')
    .describe(
      'Which of two versions is newer: auto (by semantic version if both names are such, where rc10 is newer than rc9; else by time) | semantic (only such names) | time (of commit and tag).',
    ),
  allow: z
    .string()
    .max(200)
    .regex(rangePattern, { error: 'must be a range of semantic versions such as ">=1.2 <2"' })
    .optional()
    .describe('Range of semantic versions that the lane promotes, such as ">=1.2 <2". Default: all.'),
  prereleases: z
    .boolean()
    .default(true)
    .describe('Whether the lane promotes pre-releases such as 1.2.0-rc.1.'),
});

/** The parsed rule about which versions a lane promotes, and in which order. */
export type VersionRule = z.output<typeof versionsSchema>;
