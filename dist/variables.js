import { startVariables } from './index.js';

await startVariables();
