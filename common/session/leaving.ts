/**
 * The portal's mark that this browser's session is about to end. It is a cookie beside the session's, so that the service sees it with the
 * next page. Over https no other host can set it. It holds no secret.
 */
export const leavingCookies = ['__Host-leaving', 'leaving'] as const
