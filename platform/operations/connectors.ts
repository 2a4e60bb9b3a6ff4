import type { AreaHandlers } from './handler.ts';

/** Custom and flex connectors, unchanged from the seed (spec §2.6, §4.3). */
export const connectors: AreaHandlers<'connectors'> = {
  'connectors.listCustom': (_call, world) => world.seed.connectors.custom,
  'connectors.listFlex': (_call, world) => world.seed.connectors.flex,
};
