/**
 * The portal's mark that this browser's session is about to end. It is a cookie, so that the service receives it with the next page. Over https no
 * other host can set it. It contains no secret.
 */
export const leavingCookies = ['__Host-leaving', 'leaving'] as const
