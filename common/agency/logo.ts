/** The maximum size of a logo, in bytes. */
export const logoBytes = 1024 * 1024
