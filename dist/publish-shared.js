import { startPublishShared } from './index.js';

await startPublishShared();
