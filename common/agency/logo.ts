/** The largest logo that an agency may upload, in bytes. */
export const logoBytes = 1024 * 1024
