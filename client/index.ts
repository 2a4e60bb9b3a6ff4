export { createClient } from './create-client.ts';
export type { Client, Exchange, MethodOf, Operations } from './client.ts';
export type { Auth, CallOptions, ClientOptions, ProxySettings } from './client-options.ts';
export * from './errors.ts';
export type { AnswerOf, InputOf, ItemOf } from './operation-input.ts';
export type { Envelope, PagedList } from './paged-list.ts';
export type { UploadFile } from './upload-file.ts';
