/**
 * What the operators' API says about a subject that does not exist, or that the operator may not see. With this text,
 * `millrace` distinguishes a worker's 404 from the 404 of another server.
 */
export const notFoundText = 'not found, or you do not have access';
