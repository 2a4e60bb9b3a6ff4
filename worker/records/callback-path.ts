/** The path of the address to which GitHub sends people back who sign in; it is registered there. */
export const callbackPath = '/session/github/callback';
