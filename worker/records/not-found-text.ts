/**
 * The operators' API answers this for a subject that does not exist or that the operator may not see. By this text,
 * `millrace` distinguishes a worker's 404 from that sent by another server.
 */
export const notFoundText = 'not found, or you do not have access';
