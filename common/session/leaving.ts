/**
 * The portal's mark that the session of this browser is to end, until it has: it stands beside the session's cookie, so that the service sees it
 * with the page that is asked for. Over https no other host can set it. It holds no secret.
 */
export const leavingCookies = ['__Host-leaving', 'leaving'] as const
